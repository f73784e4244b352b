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

TEST_CASE("recordings that make no sense are refused with their line", "[trace]") {
    struct Row {
        std::string text, said;
    };
    const Row rows[] = {
        {kClear, "kv.jsonl: stores no block"},
        {kTwo + "{}", "line 2: is not a block event as the lines before"},
        {kTwo + R"({"n":1,"event":"BlockStored"})", "line 2: is not a block event"},
        {kTwo + R"({"event":"BlockLost"})", "line 2: \"event\" has the unknown word \"BlockLost\""},
        {R"({"events":7})", "\"events\" is not a list"},
        {R"({"events":[7]})", "\"events\" has an element"},
        {R"({"event":"BlockStored","block_hashes":[1.5],"block_size":2})",
         "\"block_hashes\" has at place 0"},
        {R"({"event":"BlockStored","block_hashes":[18446744073709551616],"block_size":2})",
         "\"block_hashes\" has at place 0"},
        {R"({"event":"BlockStored","block_hashes":["xyz"],"block_size":2})", "hexadecimal"},
        {R"({"event":"BlockStored","block_size":2})", "\"block_hashes\" is not a list"},
        {R"({"event":"BlockStored","block_hashes":[],"block_size":0})", "\"block_size\" is not"},
        {R"({"event":"BlockStored","block_hashes":[],"block_size":"2"})", "\"block_size\" is not"},
        {R"({"event":"BlockStored","block_hashes":[1],"block_size":2,"medium":"MOON"})",
         "\"medium\" is none of"},
        {R"({"event":"BlockStored","block_hashes":[1],"block_size":2,"token_ids":[-1]})",
         "\"token_ids\" has at place 0"},
        {kTwo + R"({"event":"BlockStored","block_hashes":[1],"block_size":4})",
         "line 2: \"block_size\" is 4 and was 2"},
    };
    for (const Row& row : rows) {
        const std::string said = events_refusal(row.text);
        INFO(row.text << "\n" << said);
        CHECK(said.find(row.said) != std::string::npos);
    }
}
