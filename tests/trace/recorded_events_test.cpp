// Block events that another server published become a trace that can be shown.
#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/trace/applicable.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"
#include "core/trace/files/read.hpp"

using namespace kv;

namespace {

std::string events_refusal(const std::string& text, const TraceImportRules& rules = {}) {
    try {
        import_trace_text(text, "kv.jsonl", rules);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<std::uint64_t> cached(const Snapshot& state) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t b = 0; b < state.lanes[0].blocks.size(); ++b)
        if (state.lanes[0].blocks[b].state() == BlockState::Cached)
            hashes.push_back(*state.lanes[0].blocks[b].hash);
    return hashes;
}

const std::string kTwo =
    R"({"event":"BlockStored","block_hashes":[11,12],"parent_block_hash":null,"token_ids":[1,2,3,4],"block_size":2,"lora_id":null,"medium":"GPU"})"
    "\n";
const std::string kHalf = R"({"event":"BlockRemoved","block_hashes":[11],"medium":"GPU"})"
                          "\n";
const std::string kThird =
    R"({"type":"BlockStored","block_hashes":["0xFF"],"parent_block_hash":12,"token_ids":[5,6],"block_size":2})"
    "\n";
const std::string kClear = R"({"event":"AllBlocksCleared"})"
                           "\n";

}  // namespace

TEST_CASE("stored blocks are cached blocks of a pool that is as large as it has to be", "[trace]") {
    const ImportedTrace read = import_trace_text(kTwo + kHalf + kThird + kClear, "kv.jsonl");
    // Pool; then per line a start, one event and an end.
    REQUIRE(read.trace.size() == 1 + 4 * 3);
    CHECK(cached(read.trace.at(1)).empty());
    CHECK(read.trace.at(1).lanes[0].blocks.size() == 2);
    CHECK(cached(read.trace.at(4)) == std::vector<std::uint64_t>{11, 12});
    CHECK(cached(read.trace.at(7)) == std::vector<std::uint64_t>{12});
    CHECK(cached(read.trace.at(10)) == std::vector<std::uint64_t>{255, 12});  // the freed id again
    CHECK(cached(read.trace.at(13)).empty());
    CHECK(read.trace.at(10).iteration == 3);
    CHECK(read.trace.end().lanes[0].cached == 0);
    const auto stored = std::get<BlockStored>(read.trace.event(8).what);
    CHECK(stored.parent_block_hash == 12U);
    CHECK(stored.token_ids == TokenIds{5, 6});
    REQUIRE(read.recorded);
    CHECK((read.recorded->stored == 3 && read.recorded->removed == 1));
    for (std::uint64_t n = 0; n < read.trace.size(); ++n)
        CHECK(read.trace.event(n).reason.why == Why::Recorded);
}

TEST_CASE("what the import makes of a recording can be exported and read again", "[trace]") {
    const ImportedTrace read = import_trace_text(kTwo + kThird + kHalf + kTwo + kClear, "kv.jsonl");
    Snapshot state;
    read.trace.each(0, read.trace.size(), [&](std::uint64_t, const Event& event) {
        REQUIRE_FALSE(why_not_applicable(state, event));
        apply(state, event);
    });
    const std::string text = trace_json(read.trace);
    CHECK(trace_json(import_trace_text(text, "own.jsonl").trace) == text);
}

TEST_CASE("batches are iterations and their time stamps the time between", "[trace]") {
    const std::string text = R"({"ts":10.5,"events":[)" + kTwo.substr(0, kTwo.size() - 1) + "," +
                             kThird.substr(0, kThird.size() - 1) + "]}\n" +
                             R"({"ts":10.75,"events":[],"data_parallel_rank":0})"
                             "\n" +
                             R"({"ts":9,"events":[]})"
                             "\n";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{11, 12, 255});
    std::vector<double> us;
    read.trace.each(0, read.trace.size(), [&](std::uint64_t, const Event& event) {
        if (const auto* e = std::get_if<IterationFinished>(&event.what)) us.push_back(e->us);
    });
    CHECK(us == std::vector<double>{0, 250'000, 0});
}

TEST_CASE("hashes are 64 bits however they are written", "[trace]") {
    const std::string text =
        R"({"event":"BlockStored","block_hashes":[18446744073709551615,-2,"00112233445566778899aabbccddeeff"],)"
        R"("parent_block_hash":"0x10","token_ids":[],"block_size":16,"medium":null})";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{0xFFFFFFFFFFFFFFFFU,
                                                                 0xFFFFFFFFFFFFFFFEU,
                                                                 0x8899AABBCCDDEEFFU});
    CHECK(std::get<BlockStored>(read.trace.event(2).what).parent_block_hash == 16U);
}

TEST_CASE("a content that is stored twice has two blocks, and the older one goes first",
          "[trace]") {
    const ImportedTrace read = import_trace_text(kTwo + kTwo + kHalf, "kv.jsonl");
    CHECK(read.trace.end().lanes[0].blocks.size() == 4);
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12, 11, 12});
}

TEST_CASE("what was stored before the recording began is counted when it is removed", "[trace]") {
    const ImportedTrace read =
        import_trace_text(R"({"event":"BlockRemoved","block_hashes":[1,2,11]})"
                          "\n" +
                              kTwo + kHalf,
                          "kv.jsonl");
    CHECK(read.recorded->removed_unknown == 3);
    CHECK(read.recorded->removed == 1);
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12});
}

TEST_CASE("blocks that move to the processor's memory are seen in the host tier", "[trace]") {
    const std::string down =
        R"({"event":"BlockStored","block_hashes":[12,99],"token_ids":[],"block_size":2,"medium":"CPU"})"
        "\n";
    const std::string gone = R"({"event":"BlockRemoved","block_hashes":[12,99],"medium":"CPU"})"
                             "\n";
    const ImportedTrace read = import_trace_text(kTwo + down + gone, "kv.jsonl");
    const Snapshot held = read.trace.at(*read.trace.end_of_iteration(2));
    REQUIRE(held.host.size() == 1);
    CHECK(held.host[0].state == PlaceState::Held);
    CHECK(held.host[0].hash == 12U);
    CHECK(cached(held) == std::vector<std::uint64_t>{11, 12});
    CHECK(read.trace.end().host[0].state == PlaceState::Free);
    CHECK((read.recorded->below == 2 && read.recorded->below_unseen == 1));
    CHECK(read.recorded->removed_unknown == 1);
}

TEST_CASE("a pool of a given size is used when the blocks fit", "[trace]") {
    CHECK(import_trace_text(kTwo, "kv.jsonl", {.recorded_pool = 1000})
              .trace.end()
              .lanes[0]
              .blocks.size() == 1000);
    CHECK(events_refusal(kTwo, {.recorded_pool = 1})
              .find("stores 2 blocks at the same time and the pool has 1") != std::string::npos);
}

TEST_CASE("a batch may be an array, its events tagged arrays and its hashes bytes", "[trace]") {
    const std::string text = R"([10.5,[["BlockStored",["AAECAwQFBgc="],null,[1,2],2]],0])"
                             "\n"
                             R"([10.75,[["BlockStored",[12],null,[[3,4],[4,5]],2,null,"GPU"],)"
                             R"(["BlockRemoved",["AAECAwQFBgc="],"GPU"]]])";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    CHECK(cached(read.trace.at(*read.trace.end_of_iteration(1))) ==
          std::vector<std::uint64_t>{0x0001020304050607U});
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12});
    std::vector<TokenIds> tokens;
    read.trace.each(0, read.trace.size(), [&](std::uint64_t, const Event& event) {
        if (const auto* e = std::get_if<BlockStored>(&event.what)) tokens.push_back(e->token_ids);
    });
    CHECK(tokens == std::vector<TokenIds>{{1, 2}, {3, 4}});
    CHECK(read.recorded->unknown.empty());
}

TEST_CASE("what is not known is counted by its name and passed over", "[trace]") {
    const std::string text = kTwo +
                             R"({"event":"BlockLost"})"
                             "\n"
                             R"({"ts":1,"events":[{"type":"BlockLost"},7,["BlockStored"]]})"
                             "\n"
                             R"({"ts":2,"metrics":{"vllm:kv_cache_usage_perc":0.5}})"
                             "\n"
                             "{}\n"
                             R"({"n":1,"event":"BlockStored"})"
                             "\n" +
                             kHalf;
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12});
    CHECK(read.recorded->unknown ==
          NamedCounts{{"", 1}, {"BlockLost", 2}, {"BlockStored.block_hashes", 1}});
    CHECK(read.recorded->other_lines == 2);
}

TEST_CASE("a recording that was cut short is read up to there", "[trace]") {
    const ImportedTrace read = import_trace_text(kTwo + "\n" + kHalf + "{\"event\":", "kv.jsonl");
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12});
    CHECK(read.recorded->other_lines == 2);
}

TEST_CASE("a file that invents names without end gets no more of them", "[trace]") {
    std::string text = kTwo;
    for (int i = 0; i < 1000; ++i) text += R"({"event":"Kind)" + std::to_string(i) + "\"}\n";
    const RecordedBlocks recorded = *import_trace_text(text, "kv.jsonl").recorded;
    CHECK(recorded.unknown.size() <= 65);
    u64 all = 0;
    for (const auto& [kind, n] : recorded.unknown) all += n;
    CHECK(all == 1000);
}

TEST_CASE("a placeholder says where a block went and nothing of its tokens", "[trace]") {
    const std::string text =
        kTwo + R"({"type":"BlockStored","block_hashes":[12,99],"parent_block_hash":null,)"
               R"("token_ids":[],"block_size":0,"medium":"CPU"})";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    REQUIRE(read.trace.end().host.size() == 1);
    CHECK(read.trace.end().host[0].hash == 12U);
    CHECK(read.trace.end().host[0].slots == 2);
    CHECK(read.trace.end().block_size == 2);
    CHECK(read.recorded->below_unseen == 1);
}

TEST_CASE("a server that stores below the device only has a pool, and nothing in it", "[trace]") {
    const ImportedTrace read = import_trace_text(
        R"({"type":"BlockStored","block_hashes":[12],"token_ids":[],"block_size":4,"medium":"CPU"})",
        "kv.jsonl");
    CHECK(cached(read.trace.end()).empty());
    CHECK(read.trace.end().block_size == 4);
    CHECK((read.recorded->below == 1 && read.recorded->below_unseen == 1));
}

TEST_CASE("a medium that a trace has no place for is counted under its name", "[trace]") {
    const auto stored = [](const std::string& medium) {
        return R"({"type":"BlockStored","block_hashes":[12],"token_ids":[],"block_size":2,)"
               R"("medium":")" +
               medium + "\"}\n";
    };
    const std::string text = kTwo + stored("CPU_PINNED") + stored("CPU") + stored("FS") +
                             stored("OBJ") + stored("MOON") + stored("OBJ") +
                             R"({"type":"BlockRemoved","block_hashes":[12],"medium":"OBJ"})";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    CHECK(read.recorded->other_media == NamedCounts{{"CPU", 1}, {"MOON", 1}, {"OBJ", 2}});
    CHECK((read.trace.end().host.size() == 1 && read.trace.end().file.size() == 1));
    CHECK(read.trace.end().file[0].state == PlaceState::Held);
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{11, 12});
    CHECK(read.recorded->removed_unknown == 0);
}

namespace {

// Two ranks, and in rank 0 a second group whose blocks are twice as long and have the hash 11, too.
const std::string kFleet =
    R"({"ts":1,"data_parallel_rank":1,"events":[["BlockStored",[21],null,[9,9],2]]})"
    "\n"
    R"({"ts":2,"data_parallel_rank":0,"events":[["BlockStored",[11,12],null,[1,2,3,4],2],)"
    R"(["BlockStored",[11],null,[1,2,3,4],4,null,"GPU",null,null,1]]})"
    "\n"
    R"({"ts":3,"data_parallel_rank":1,"events":[["AllBlocksCleared"]]})"
    "\n"
    R"({"ts":4,"data_parallel_rank":0,"events":[["BlockRemoved",[11],"GPU",1]]})"
    "\n";

}  // namespace

TEST_CASE("ranks and groups are pools of their own, and one of them is shown", "[trace]") {
    const ImportedTrace lowest = import_trace_text(kFleet, "kv.jsonl");
    CHECK(cached(lowest.trace.end()) == std::vector<std::uint64_t>{11, 12});
    CHECK(lowest.trace.end().block_size == 2);
    CHECK(lowest.trace.end().iteration == 2);  // of rank 0
    CHECK(lowest.recorded->others == std::vector<OtherPool>{{0, 1, 4, 1}, {1, 0, 2, 1}});

    const ImportedTrace group = import_trace_text(kFleet, "kv.jsonl", {.group = 1});
    CHECK(cached(group.trace.at(*group.trace.end_of_iteration(1))) ==
          std::vector<std::uint64_t>{11});
    CHECK(cached(group.trace.end()).empty());
    CHECK(group.trace.end().block_size == 4);
    CHECK((group.recorded->rank == 0 && group.recorded->group == 1));

    const ImportedTrace rank = import_trace_text(kFleet, "kv.jsonl", {.rank = 1});
    CHECK(cached(rank.trace.at(*rank.trace.end_of_iteration(1))) == std::vector<std::uint64_t>{21});
    CHECK(cached(rank.trace.end()).empty());

    CHECK(events_refusal(kFleet, {.rank = 1, .group = 3}) ==
          "kv.jsonl: stores no block of rank 1, group 3; of rank 0, group 0 it does; "
          "record for longer, or give a larger pool.");
}

TEST_CASE("hits that are announced again are no blocks of their own", "[trace]") {
    // A prompt of two blocks; then the same and one more; then one that shares the first block;
    // then the second block computed twice at once.
    const std::string text = kTwo + R"(["BlockStored",[11,12],null,[1,2,3,4],2])"
                                    "\n"
                                    R"(["BlockStored",[13],12,[5,6],2])"
                                    "\n"
                                    R"(["BlockStored",[11,14],null,[1,2,7,8],2])"
                                    "\n"
                                    R"(["BlockStored",[12],11,[3,4],2])";
    const ImportedTrace read =
        import_trace_text(text, "kv.jsonl", {.hits = ReportedHits::Announced});
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{11, 12, 13, 14, 12});
    CHECK(read.recorded->announced_again == 3);
    std::vector<BlockStored> stored;
    read.trace.each(0, read.trace.size(), [&](std::uint64_t, const Event& event) {
        if (const auto* e = std::get_if<BlockStored>(&event.what)) stored.push_back(*e);
    });
    CHECK((stored[2].parent_block_hash == 11U && stored[2].token_ids == TokenIds{7, 8}));
    CHECK(cached(import_trace_text(text, "kv.jsonl").trace.end()).size() == 8);
}

// Seen of vLLM's scheduler: a hit is named from its start in each group, also where a window's
// group has given the first blocks up.
TEST_CASE("a hit that is announced brings no block back that is gone", "[trace]") {
    const std::string text = kTwo + R"(["BlockRemoved",[11]])"
                                    "\n"
                                    R"(["BlockStored",[11,12],null,[1,2,3,4],2])";
    const ImportedTrace read =
        import_trace_text(text, "kv.jsonl", {.hits = ReportedHits::Announced});
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{12});
    CHECK(read.recorded->announced_again == 2);
    CHECK(cached(import_trace_text(text, "kv.jsonl").trace.end()).size() == 3);
}

TEST_CASE("a block that is published before it is full has fewer slots", "[trace]") {
    const std::string text = R"(["BlockStored",[15],null,[1,2],2])"
                             "\n"
                             R"(["BlockStored",[11,12],null,[1,2,3,4,5,6,7,8],4])"
                             "\n"
                             R"(["BlockStored",[16],12,[9],1])";
    const ImportedTrace read = import_trace_text(text, "kv.jsonl");
    const auto& blocks = read.trace.end().lanes[0].blocks;
    CHECK(read.trace.end().block_size == 4);
    CHECK((blocks[0].filled == 2 && blocks[1].filled == 4 && blocks[3].filled == 1));
    CHECK(read.recorded->partial == 2);
    const std::string own = trace_json(read.trace);
    CHECK(trace_json(import_trace_text(own, "own.jsonl").trace) == own);
}

TEST_CASE("tokens that may belong to other blocks are left out", "[trace]") {
    // Of four runs of tokens two are kept by a window's layers.
    const ImportedTrace read =
        import_trace_text(R"(["BlockStored",[13,14],null,[1,2,3,4,5,6,7,8],2])"
                          "\n"
                          R"(["BlockStored",[15],14,[9,-1],2])",
                          "kv.jsonl");
    CHECK(std::get<BlockStored>(read.trace.event(2).what).token_ids.empty());
    CHECK(read.recorded->without_tokens == 3);
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{13, 14, 15});
}

TEST_CASE("the numbers of batches tell gaps, repetitions and a server that started anew",
          "[trace]") {
    const auto line = [](int sequence, const std::string& event) {
        return "{\"seq\":" + std::to_string(sequence) + ",\"ts\":1,\"events\":[" + event + "]}\n";
    };
    const std::string first = R"(["BlockStored",[11],null,[1,2],2])",
                      second = R"(["BlockStored",[12],11,[3,4],2])",
                      down = R"(["BlockStored",[12],11,[],0,null,"CPU"])",
                      other = R"(["BlockStored",[21],null,[5,6],2])";
    const ImportedTrace read = import_trace_text(
        line(3, first) + line(4, second) + line(4, second) + line(7, down) + line(0, other),
        "kv.jsonl");
    CHECK((read.recorded->missed == 2 && read.recorded->restarts == 1));
    CHECK(read.recorded->stored == 3);
    const Snapshot before = read.trace.at(*read.trace.end_of_iteration(3));
    CHECK(cached(before) == std::vector<std::uint64_t>{11, 12});
    CHECK(before.host[0].state == PlaceState::Held);
    CHECK(cached(read.trace.end()) == std::vector<std::uint64_t>{21});
    CHECK(read.trace.end().host[0].state == PlaceState::Free);
}

TEST_CASE("a recording without anything to show is refused with its file", "[trace]") {
    CHECK(events_refusal(kClear).find("kv.jsonl: stores no block") == 0);
    CHECK(events_refusal(R"({"event":"BlockStored","block_size":2})").find("stores no block") !=
          std::string::npos);
    CHECK(events_refusal(R"(["BlockStored",[1],null,[],8193])")
              .find("stores blocks of 8,193 tokens, and those that can be shown have 8,192") !=
          std::string::npos);
}
