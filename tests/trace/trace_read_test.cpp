// A trace that was exported comes back as it was; a file that is no trace is refused with its
// place.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/files/read.hpp"
#include "tests/places.hpp"
#include "tests/trace/story.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Times set to 0, as they are read from a file without them.
struct NoTimes {
    void operator()(std::string_view field, double& value) const {
        if (is_measured(field)) value = 0;
    }
    template <class T>
    void operator()(std::string_view, T&) const {}
};

void require_equal(const Trace& a, const Trace& b, bool with_times) {
    REQUIRE(a.size() == b.size());
    Snapshot x, y;
    for (std::uint64_t n = 0; n < a.size(); ++n) {
        Event event = a.event(n);
        const Event read = b.event(n);
        if (!with_times) std::visit([](auto& what) { what.fields(what, NoTimes{}); }, event.what);
        REQUIRE(spelled(read) == spelled(event));
        apply(x, event);
        apply(y, read);
        if (n % 7 == 0) REQUIRE(x == y);
    }
    REQUIRE(x == y);
}

std::string refusal(const std::string& text, const TraceImportRules& rules = {}) {
    try {
        import_trace_text(text, "run.jsonl", rules);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        return error.what();
    }
    return "accepted";
}

// Lines of a small trace, written by hand: one request, two blocks, a place in the host tier.
std::string line(int n, int iteration, const std::string& event, const std::string& request,
                 const std::string& fields) {
    return R"({"n":)" + std::to_string(n) + R"(,"iteration":)" + std::to_string(iteration) +
           R"(,"event":")" + event + R"(","request":)" + request + "," + fields +
           (fields.empty() ? "" : ",") + R"("reason":"so","why":["by_command",null,0,0]})" + "\n";
}
const std::string kPool =
    line(0, 0, "PoolMade", "null",
         R"("n_blocks":4,"block_size":2,"n_lanes":1,"n_host":2,"n_file":0,"free_list":[2])");
const std::string kArrival = line(
    1, 0, "RequestArrived", "\"A\"",
    R"("name":"A","prompt":[1,2,3],"forced":[],"max_new":3,"priority":-1,"salt":"","parent":null)");
const std::string kAdmitted = line(2, 1, "RequestAdmitted", "\"A\"", R"("looked_up":3,"found":0)");
const std::string kBlock = line(3, 1, "BlockAllocated", "\"A\"", R"("lane":0,"block":2,"entry":0)");
const std::string kStart = kPool + kArrival + kAdmitted + kBlock;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an exported trace comes back event by event", "[trace][heavy]") {
    for (const Story::Shape shape : {Story::Shape{24, 4, 1, 4}, Story::Shape{9, 3, 2, 0},
                                     Story::Shape{40, 1, 1, 8}, Story::Shape{12, 17, 5, 0}})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Trace trace;
            Story story(trace, seed, shape);
            story.iterations(150);
            for (const bool with_times : {true, false}) {
                TraceJson how{with_times, "abc"};
                const std::string text = trace_json(trace, how);
                const ImportedTrace read = import_trace_text(text, "run.jsonl", {.model = "abc"});
                CHECK(read.model == "abc");
                CHECK_FALSE(read.recorded);
                require_equal(trace, read.trace, with_times);
                CHECK(trace_json(read.trace, how) == text);
            }
        }
}

TEST_CASE("a trace is read from a file in pieces, and progress is told", "[trace]") {
    Trace trace;
    Story story(trace, 9);
    story.iterations(400);
    const std::string text = trace_json(trace),
                      path = kv::test::binary_dir() + "/trace_read_test.jsonl";
    REQUIRE(text.size() > 300'000);  // more than one piece
    std::ofstream(path, std::ios::binary) << text;
    u64 told = 0;
    const ImportedTrace read = import_trace_file(path, {}, [&](u64 done, u64 size) {
        CHECK((done > told && size == text.size()));
        told = done;
    });
    CHECK(told == text.size());
    CHECK(read.trace.end() == trace.end());
    std::remove(path.c_str());
    CHECK_THROWS_AS(import_trace_file(path), Error);
    CHECK_THROWS_AS(import_trace_file(kv::test::binary_dir()), Error);
}

TEST_CASE("fields may stand in any order and the last line feed may be missing", "[trace]") {
    const ImportedTrace read = import_trace_text(kStart.substr(0, kStart.size() - 1), "run.jsonl");
    CHECK(read.trace.size() == 4);
    CHECK(read.trace.end().requests[0].tables[0][0] == BlockId(2));
    const std::string other =
        R"({"why":["recorded",null,0,18446744073709551615],"reason":"x","setting":"a","value":"\u0000b",)"
        R"("request":null,"event":"SettingChanged","iteration":0,"n":0})"
        "\r\n";
    const Event event = import_trace_text(other, "x").trace.event(0);
    CHECK(event.reason.b == 18446744073709551615U);
    CHECK(std::get<SettingChanged>(event.what).value == std::string("\0b", 2));
}

TEST_CASE("what is no trace is refused with line, field and rule", "[trace]") {
    struct Row {
        std::string text, said;
    };
    const auto dropped = [](int kept, int spared) {
        return line(4, 1, "TokensDropped", "\"A\"",
                    R"("lane":0,"layer":null,"kv_head":null,"policy":"h2o","positions":[],)"
                    R"("slots":[],"scores":[],"ranks":[],"threshold":null,"kept":)" +
                        std::to_string(kept) + R"(,"spared":)" + std::to_string(spared));
    };
    const std::string go = R"({"n":4,"iteration":1,"event":")";
    const Row rows[] = {
        {"", "run.jsonl: holds no event"},
        {"\n", "line 1: is empty"},
        {"[]", "line 1: is not a JSON object"},
        {"null", "line 1: is not a JSON object"},
        {"{}", "line 1: \"n\" is missing"},
        {kStart.substr(0, kStart.size() - 20), "line 4: is not JSON"},
        {kPool + kPool, "line 2: \"n\" is 0 where 1 is next"},
        {R"({"n":0,"n":0})", "names the key \"n\" twice"},
        {std::string(100, '['), "is nested deeper than 8 levels"},
        {kStart + line(4, 0, "IterationStarted", "null", ""),
         "line 5: \"iteration\" falls from 1 to 0"},
        {kStart + line(4, 1, "BlockGone", "null", ""),
         "\"event\" has the unknown word \"BlockGone\""},
        {kStart + line(4, 1, "TokenAdded", "\"B\"", R"("token":1)"),
         "\"request\" names \"B\", a request that has not arrived"},
        {kStart + line(4, 1, "TokenAdded", "7", R"("token":1)"), "\"request\" is not a text"},
        {kStart + line(4, 1, "TokenAdded", "null", R"("token":1)"), "\"request\" is missing"},
        {kStart + line(4, 1, "TokenAdded", "\"A\"", R"("token":1.0)"),
         "\"token\" is not a whole number"},
        {kStart + line(4, 1, "TokenAdded", "\"A\"", R"("token":-1)"),
         "\"token\" is not a whole number"},
        {kStart + line(4, 1, "TokenAdded", "\"A\"", R"("token":4294967296)"),
         "from 0 to 4,294,967,295"},
        {kStart + line(4, 1, "TokenAdded", "\"A\"", R"("token":1,"extra":2)"),
         "\"extra\" is not a field of this event"},
        {kStart + line(4, 1, "TokenAdded", "\"A\"", R"("token":1,"model":null)"),
         "\"model\" is not a field"},
        {kStart + line(4, 1, "IterationFinished", "null", R"("tokens":1,"model_us":0)"),
         "finishes an iteration that has not started"},
        {kStart + line(4, 1, "Operation", "null",
                       R"("op":"fly","layer":null,"flops":1,"bytes_read":1,"bytes_written":1)"),
         "unknown word \"fly\""},
        {kStart +
             line(4, 1, "Operation", "null",
                  R"("op":"mlp","layer":null,"flops":1,"bytes_read":1,"bytes_written":1,"us":-1)"),
         "\"us\" is not a number from 0 up"},
        {kStart +
             line(
                 4, 1, "Operation", "null",
                 R"("op":"mlp","layer":null,"flops":1,"bytes_read":1,"bytes_written":1,"us":1e999)"),
         "line 5: has a number that is too large to be read"},
        {kStart + line(4, 1, "PriorityChanged", "\"A\"", R"("priority":2147483648)"),
         "\"priority\" is not a whole number from -2,147,483,648"},
        {kStart + dropped(0, 0), "\"slots\" drops nothing"},
        {kStart + dropped(3, 5), "\"spared\" is 5 of the 3 that are kept"},
        {kStart + line(4, 1, "RequestPreempted", "\"A\"", R"("swapped":0)"),
         "\"swapped\" is not true or false"},
        {kPool + kArrival +
             line(
                 2, 0, "RequestArrived", "\"A\"",
                 R"("name":"A","prompt":[],"forced":[],"max_new":3,"priority":1,"salt":"","parent":null)"),
         "\"name\" \"A\" has arrived before"},
        {kPool +
             line(
                 1, 0, "RequestArrived", "\"B\"",
                 R"("name":"A","prompt":[],"forced":[],"max_new":3,"priority":1,"salt":"","parent":null)"),
         "is not the name of who arrives"},
        {kPool +
             line(
                 1, 0, "RequestArrived", "\"A\"",
                 R"("name":"A","prompt":[1,"2"],"forced":[],"max_new":3,"priority":1,"salt":"","parent":null)"),
         "\"prompt\" has at place 1 what is not a whole number"},
        {go + R"(TokenAdded","request":"A","token":1,"reason":"","why":["computed",null,0,0]})",
         "\"reason\" is empty"},
        {go + R"(TokenAdded","request":"A","token":1,"reason":"x"})", "\"why\" is missing"},
        {go + R"(TokenAdded","request":"A","token":1,"reason":"x","why":["because",null,0,0]})",
         "unknown word \"because\""},
        {go + R"(TokenAdded","request":"A","token":1,"reason":"x","why":["computed",null,0]})",
         "\"why\" is not a list of a word"},
    };
    for (const Row& row : rows) {
        const bool alone = contains(row.text, go) && !contains(row.text, kPool);
        const std::string said = refusal(alone ? kStart + row.text : row.text);
        INFO(row.text.substr(row.text.size() > 300 ? row.text.size() - 300 : 0));
        INFO(said);
        CHECK(contains(said, row.said));
        CHECK(contains(said, "run.jsonl"));
        CHECK(said.back() == '.');
    }
}

TEST_CASE("a version or a checkpoint that is not ours is refused", "[trace]") {
    const auto with = [](const std::string& more) {
        return kPool.substr(0, kPool.size() - 2) + more + "}\n";
    };
    CHECK(refusal(with(R"(,"kvarium_trace":1,"model":null)"), {.model = "b"}) == "accepted");
    CHECK(contains(refusal(with(R"(,"kvarium_trace":0)")),
                   "is version 0 and this program reads version 1"));
    CHECK(contains(refusal(with(R"(,"kvarium_trace":65535)")), "is version 65,535"));
    CHECK(contains(refusal(with(R"(,"kvarium_trace":"1")")),
                   "\"kvarium_trace\" is not a whole number"));
    CHECK(contains(refusal(with(R"(,"model":"a")"), {.model = "b"}),
                   "\"model\" is another checkpoint"));
    CHECK(refusal(with(R"(,"model":"a")"), {.model = "a"}) == "accepted");
    CHECK(import_trace_text(with(R"(,"model":"a")"), "x").model == "a");
}

TEST_CASE("an event that cannot have happened is refused", "[trace]") {
    struct Row {
        std::string event, request, fields, said;
    };
    const std::string own = "\"A\"", none = "null";
    const Row rows[] = {
        {"PoolMade", none,
         R"("n_blocks":4,"block_size":2,"n_lanes":1,"n_host":2,"n_file":0,"free_list":[])",
         "while blocks of the old are held"},
        {"IterationFinished", none, R"("tokens":0,"model_us":0,"us":0)", "has not started"},
        {"IterationStarted", none, "", "accepted"},
        {"RequestAdmitted", own, R"("looked_up":3,"found":0)", "\"request\" is running"},
        {"RequestResumed", own, "", "\"request\" is running"},
        {"TokensScheduled", own, R"("first":0,"count":4)",
         "ends at token 4 and the request has 3 tokens"},
        {"TokensScheduled", own, R"("first":4294967295,"count":4294967295)",
         "ends at token 8,589,934,590"},
        {"TokensStored", own, R"("first":0,"count":3)", "reaches beyond the request's table"},
        {"TokensStored", own, R"("first":0,"count":2)", "accepted"},
        {"BlockAllocated", own, R"("lane":0,"block":2,"entry":1)", "\"block\" 2 is in use"},
        {"BlockAllocated", own, R"("lane":0,"block":4,"entry":1)",
         "\"block\" has 4 and there are 4 blocks"},
        {"BlockAllocated", own, R"("lane":1,"block":1,"entry":1)",
         "\"lane\" has 1 and there are 1 lanes"},
        {"BlockAllocated", own, R"("lane":0,"block":1,"entry":0)", "\"entry\" has block 2 already"},
        {"BlockAllocated", own, R"("lane":0,"block":1,"entry":4294967295)",
         "beyond the request's tokens"},
        {"BlockAllocated", own, R"("lane":0,"block":1,"entry":1)", "accepted"},
        {"BlockShared", own, R"("lane":0,"block":1,"entry":1)",
         "is free and holds nothing to share"},
        {"BlockShared", own, R"("lane":0,"block":2,"entry":1)", "accepted"},
        {"BlockCopied", own, R"("lane":0,"from":2,"to":1,"entry":0,"slots":1,"bytes":1)",
         "\"from\" 2 is shared with nobody"},
        {"BlockCopied", own, R"("lane":0,"from":1,"to":3,"entry":0,"slots":1,"bytes":1)",
         "\"from\" is not the block of that entry"},
        {"BlockFreed", own, R"("lane":0,"block":1,"entry":0,"to_head":false)",
         "is not the block of that entry"},
        {"BlockFreed", own, R"("lane":0,"block":2,"entry":1,"to_head":false)",
         "\"entry\" has 1 and there are 1 entries"},
        {"BlockFreed", own, R"("lane":0,"block":2,"entry":0,"to_head":false)", "accepted"},
        {"BlockStored", own,
         R"("block_hashes":[1],"parent_block_hash":null,"token_ids":[1,2],"block_size":2,"medium":"device","blocks":[1])",
         "has 1, which is free"},
        {"BlockStored", own,
         R"("block_hashes":[1,2],"parent_block_hash":null,"token_ids":[1,2],"block_size":2,"medium":"device","blocks":[2])",
         "\"blocks\" has 1 ids for 2 hashes"},
        {"BlockStored", own,
         R"("block_hashes":[1],"parent_block_hash":null,"token_ids":[1,2],"block_size":4,"medium":"device","blocks":[2])",
         "\"block_size\" is 4 and the pool's is 2"},
        {"BlockStored", own,
         R"("block_hashes":[1],"parent_block_hash":null,"token_ids":[1,2],"block_size":2,"medium":"host","blocks":[2])",
         "\"blocks\" has 2 and there are 2 places"},
        {"BlockStored", own,
         R"("block_hashes":[1],"parent_block_hash":null,"token_ids":[1,2],"block_size":2,"medium":"device","blocks":[2])",
         "accepted"},
        {"BlockRemoved", none,
         R"("block_hashes":[1],"medium":"device","blocks":[2],"to_head":false)",
         "has another hash or none"},
        {"TransferStarted", own,
         R"("from":"device","to":"device","from_id":2,"to_id":1,"entry":0,"hash":null,"slots":1,"bytes":1)",
         "\"to\" is where it comes from"},
        {"TransferStarted", own,
         R"("from":"device","to":"host","from_id":1,"to_id":1,"entry":0,"hash":null,"slots":1,"bytes":1)",
         "\"from_id\" 1 is free"},
        {"TransferStarted", own,
         R"("from":"device","to":"host","from_id":2,"to_id":2,"entry":0,"hash":null,"slots":1,"bytes":1)",
         "\"to_id\" has 2 and there are 2 places"},
        {"TransferStarted", own,
         R"("from":"host","to":"device","from_id":0,"to_id":2,"entry":0,"hash":null,"slots":1,"bytes":1)",
         "holds nothing that could leave"},
        {"TransferStarted", own,
         R"("from":"device","to":"host","from_id":2,"to_id":1,"entry":0,"hash":null,"slots":3,"bytes":1)",
         "\"slots\" is 3 and a block has 2"},
        {"TransferStarted", own,
         R"("from":"device","to":"host","from_id":2,"to_id":1,"entry":0,"hash":null,"slots":2,"bytes":1)",
         "accepted"},
        {"TransferFinished", own,
         R"("from":"device","to":"host","from_id":2,"to_id":1,"checksum":0,"model_us":0,"us":0)",
         "has no transfer in flight"},
        {"TierPlaceFreed", none, R"("medium":"device","id":0)", "\"medium\" has no places"},
        {"TierPlaceFreed", none, R"("medium":"file","id":0)",
         "\"id\" has 0 and there are 0 places"},
        {"TierPlaceFreed", none, R"("medium":"host","id":0)",
         "holds nothing that could be given up"},
    };
    for (const Row& row : rows) {
        const int iteration = row.event == "IterationStarted" ? 2 : 1;
        const std::string text = kStart + line(4, iteration, row.event, row.request, row.fields);
        INFO(row.event << " " << row.fields);
        const std::string said = refusal(text);
        INFO(said);
        CHECK(contains(said, row.said));
        if (row.said != "accepted") CHECK(contains(said, "run.jsonl, line 5: "));
    }
}

TEST_CASE("a pool that no file may ask for is refused before it is made", "[trace]") {
    const auto pool = [](const std::string& blocks, const std::string& size,
                         const std::string& lanes, const std::string& rest) {
        return line(
            0, 0, "PoolMade", "null",
            "\"n_blocks\":" + blocks + ",\"block_size\":" + size + ",\"n_lanes\":" + lanes + rest);
    };
    const std::string plain = R"(,"n_host":0,"n_file":0,"free_list":[])";
    CHECK(refusal(pool("1000000", "16", "1", plain)) == "accepted");
    CHECK(contains(refusal(pool("4294967295", "16", "1", plain)), "\"n_blocks\" is more than"));
    CHECK(contains(refusal(pool("100000", "16", "1000", plain)), "\"n_blocks\" is more than"));
    CHECK(contains(refusal(pool("0", "16", "1", plain)), "\"n_blocks\" is 0"));
    CHECK(contains(refusal(pool("1", "0", "1", plain)), "\"block_size\" is not from 1 to 8,192"));
    CHECK(contains(refusal(pool("1", "8193", "1", plain)), "\"block_size\" is not from"));
    CHECK(contains(refusal(pool("1", "1", "0", plain)), "\"n_lanes\" is 0"));
    CHECK(
        contains(refusal(pool("1", "1", "1", R"(,"n_host":4294967295,"n_file":0,"free_list":[])")),
                 "\"n_host\" is more"));
    CHECK(contains(refusal(pool("4", "1", "1", R"(,"n_host":0,"n_file":0,"free_list":[4])")),
                   "\"free_list\" has 4"));
    CHECK(contains(refusal(pool("4", "1", "1", R"(,"n_host":0,"n_file":0,"free_list":[1,1])")),
                   "names block 1 twice"));
    CHECK(contains(
        refusal(line(
            0, 1, "BlockStored", "null",
            R"("block_hashes":[1],"parent_block_hash":null,"token_ids":[],"block_size":2,"medium":"device","blocks":[2])")),
        "\"blocks\""));
}

TEST_CASE("changed bytes of a trace are refused or accepted, never a bug of ours",
          "[trace][heavy]") {
    Trace trace;
    Story story(trace, 21, {8, 2, 1, 2});
    story.iterations(25);
    const std::string text = trace_json(trace);
    Dice dice(22, 0);
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::string changed = text;
        const std::size_t at = dice.below(static_cast<std::uint32_t>(text.size()));
        if (dice.one_in(3))
            changed.resize(at);
        else
            changed[at] = "0123456789\"{[,: "[dice.below(16)];
        try {
            import_trace_text(changed, "changed.jsonl");
        } catch (const Error& error) {
            ++refused;
            REQUIRE(contains(error.what(), "changed.jsonl"));
        }
    }
    CHECK(refused > 200);
}
