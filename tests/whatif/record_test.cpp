#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/base/error.hpp"
#include "core/sim/prefix_lru.hpp"
#include "core/sim/traces/reader.hpp"
#include "core/whatif/outcome.hpp"
#include "core/whatif/record/read.hpp"
#include "tests/scratch.hpp"
#include "tests/whatif/streams.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

std::string stored(const char* head, const char* hashes, const char* parent) {
    return std::string("{") + head + R"(,"events":[{"type":"BlockStored","block_hashes":)" +
           hashes + R"(,"parent_block_hash":)" + parent + R"(,"token_ids":[],"block_size":16}]})";
}

}  // namespace

TEST_CASE("a chain that goes on is one request, and one that begins anew is another", "[record]") {
    RecordingLines lines;
    lines.take(stored(R"("seq":0,"ts":100.0)", "[1,2,3]", "null"));
    lines.take(stored(R"("seq":1,"ts":100.1)", "[4,5]", "3"));  // the next chunk of the prompt
    lines.take(stored(R"("seq":2,"ts":100.5)", "[6]", "5"));    // its answer fills a block
    lines.take(stored(R"("seq":3,"ts":101.0)", "[7,8]", "6"));  // the next turn: all that, and more
    lines.take(stored(R"("seq":4,"ts":101.1)", "[9]", "3"));    // another one shares three blocks
    lines.take(stored(R"("seq":5,"ts":104.0)", "[10]", "9"));   // too late for an answer
    const Recording recording = lines.finish();
    CHECK(recording.block_size == 16);
    CHECK(recording.batches == 6);
    CHECK(recording.seconds == 4.0);
    CHECK_FALSE(recording.has_tokens());
    REQUIRE(recording.streams.size() == 1);
    const auto& asks = recording.streams[0].asks;
    REQUIRE(asks.size() == 4);
    CHECK((asks[0].n_blocks == 6 && asks[0].n_asked == 5 && asks[0].n_stored == 5));
    CHECK((asks[1].n_blocks == 8 && asks[1].n_asked == 8 && asks[1].n_stored == 2));
    CHECK((asks[2].n_blocks == 4 && asks[2].n_asked == 4 && asks[2].n_stored == 1));
    CHECK((asks[3].n_blocks == 5 && asks[3].n_asked == 5 && asks[3].n_stored == 1));
    // What was never removed is found just as the events say.
    const PoolOutcome outcome = outcome_without_end(recording, *stack_depths(recording));
    CHECK(outcome.asked_tokens == (5 + 8 + 4 + 5) * 16);
    CHECK(outcome.computed_tokens() == (5 + 2 + 1 + 1) * 16);
}

TEST_CASE("a batch that comes twice counts once", "[record]") {
    RecordingLines lines;
    for (int twice = 0; twice < 2; ++twice)
        lines.take(stored(R"("seq":0,"ts":1)", "[1,2]", "null"));
    for (int twice = 0; twice < 2; ++twice)
        lines.take(stored(R"("seq":1,"ts":9)", "[1,2]", "null"));
    const Recording recording = lines.finish();
    CHECK(recording.batches == 2);
    CHECK(recording.restarts == 0);
    CHECK(recording.streams[0].asks.size() == 2);
}

TEST_CASE("a hit that is announced again begins a request", "[record]") {
    RecordingLines lines;
    lines.take(stored(R"("ts":1)", "[1,2]", "null"));
    lines.take(stored(R"("ts":9)", "[1,2]", "null"));
    lines.take(
        R"({"ts":20,"events":[{"type":"BlockStored","block_hashes":[1],"parent_block_hash":null,)"
        R"("token_ids":[],"block_size":16},{"type":"BlockStored","block_hashes":[3],)"
        R"("parent_block_hash":1,"token_ids":[],"block_size":16}]})");
    const Recording recording = lines.finish();
    const auto& asks = recording.streams[0].asks;
    REQUIRE(asks.size() == 3);
    CHECK((asks[1].n_asked == 2 && asks[1].n_stored == 0));
    CHECK((asks[2].n_asked == 2 && asks[2].n_stored == 1));
    CHECK(recording.stored == 3);
}

// Seen of vLLM's scheduler: the last token of a prompt is always computed, so a prompt of two whole
// blocks that are there finds one, and stores the other once more.
TEST_CASE("a block that is stored while it is cached was not found", "[record]") {
    RecordingLines lines;
    lines.take(stored(R"("ts":1)", "[1,2]", "null"));
    lines.take(stored(R"("ts":9)", "[2]", "1"));
    lines.take(R"({"ts":20,"events":[{"type":"BlockRemoved","block_hashes":[2]}]})");
    lines.take(stored(R"("ts":30)", "[3]", "2"));  // the other copy is there still
    const Recording recording = lines.finish();
    const auto& asks = recording.streams[0].asks;
    REQUIRE(asks.size() == 3);
    CHECK((asks[1].n_asked == 2 && asks[1].n_stored == 0 && asks[1].most_hit_tokens == 16));
    CHECK((asks[2].n_asked == 3 && asks[2].most_hit_tokens == 3 * 16));
    CHECK(recording.removed == 0);
    CHECK(recording.passed_over.empty());
    const PoolOutcome outcome = outcome_without_end(recording, *stack_depths(recording));
    CHECK(outcome.computed_tokens() == (2 + 1 + 1) * 16);
}

TEST_CASE("ranks, media, groups and what is not understood are kept apart and counted",
          "[record]") {
    RecordingLines lines;
    lines.take(stored(R"("ts":1,"data_parallel_rank":0)", "[1]", "null"));
    lines.take(stored(R"("ts":1,"data_parallel_rank":1)", "[1]", "null"));
    lines.take(R"({"ts":2,"events":[)"
               R"({"type":"BlockStored","block_hashes":[2],"parent_block_hash":1,"token_ids":[],)"
               R"("block_size":16,"medium":"CPU"},)"
               R"({"type":"BlockStored","block_hashes":[3],"parent_block_hash":1,"token_ids":[],)"
               R"("block_size":16,"group_idx":1},)"
               R"({"type":"BlockStored","block_hashes":[4],"parent_block_hash":1,"token_ids":[],)"
               R"("block_size":0},)"
               R"({"type":"BlockRemoved","block_hashes":[77]},{"type":"Sneezed"}]})");
    lines.take("{oh dear");
    lines.take(R"({"ts":3,"metrics":{"vllm:prefix_cache_queries_total":320,)"
               R"("vllm:prefix_cache_hits_total":16.0,"vllm:cache_config_info":)"
               R"({"block_size":"16","num_gpu_blocks":"101"}}})");
    const Recording recording = lines.finish();
    REQUIRE(recording.streams.size() == 2);
    CHECK(recording.streams[1].rank == 1);
    CHECK(recording.n_asks() == 2);
    CHECK(recording.passed_over == std::map<std::string, u64>{{"event Sneezed", 1},
                                                              {"no_tokens", 1},
                                                              {"other_groups", 1},
                                                              {"other_media", 1},
                                                              {"unknown_removals", 1},
                                                              {"unreadable_lines", 1}});
    CHECK(recording.server == ServerCounters{320, 16, 100});
}

TEST_CASE("counters of several engines add up, from where the recording begins", "[record]") {
    RecordingLines lines;
    const auto metrics = [&](int ts, int a, int b) {
        lines.take("{\"ts\":" + std::to_string(ts) +
                   R"(,"metrics":{"vllm:prefix_cache_queries_total{engine=\"0\"}":)" +
                   std::to_string(a) + R"(,"vllm:prefix_cache_queries_total{engine=\"1\"}":)" +
                   std::to_string(b) +
                   R"(,"vllm:cache_config_info{num_gpu_blocks=\"51\",x=\"y\"}":1}})");
    };
    metrics(1, 100, 1000);
    lines.take(stored(R"("seq":40,"ts":1)", "[1]", "null"));
    metrics(2, 130, 1005);
    const Recording recording = lines.finish();
    CHECK(recording.server.queries == 35);
    CHECK(recording.server.pool_blocks == 50);
}

TEST_CASE("a server that starts again counts on from what was counted before it", "[record]") {
    const auto counted = [](const char* first) {
        RecordingLines lines;
        const auto metrics = [&](int ts, int queries) {
            lines.take("{\"ts\":" + std::to_string(ts) +
                       R"(,"metrics":{"vllm:prefix_cache_queries_total":)" +
                       std::to_string(queries) + "}}");
        };
        metrics(1, 100);
        lines.take(stored(first, "[1]", "null"));
        metrics(2, 130);
        lines.take(stored(R"("seq":0,"ts":3)", "[1]", "null"));
        metrics(3, 7);
        metrics(4, 27);
        metrics(5, 4);  // and once more
        return lines.finish().server.queries;
    };
    CHECK(counted(R"("seq":40,"ts":1)") == 30 + 27 + 4);
    CHECK(counted(R"("seq":0,"ts":1)") == 130 + 27 + 4);
}

TEST_CASE("after a restart nothing is cached, and what comes again is computed again", "[record]") {
    RecordingLines lines;
    lines.take(stored(R"("seq":5,"ts":1)", "[1,2]", "null"));
    lines.take(stored(R"("seq":0,"ts":2)", "[1,2]", "null"));
    lines.take(R"({"seq":1,"ts":3,"events":[{"type":"AllBlocksCleared"}]})");
    lines.take(stored(R"("seq":2,"ts":4)", "[1,2]", "null"));
    const Recording recording = lines.finish();
    CHECK((recording.restarts == 1 && recording.cleared == 1));
    const PoolOutcome outcome = outcome_without_end(recording, *stack_depths(recording));
    CHECK(outcome.hit_tokens == 0);
    CHECK(outcome.again_tokens == 0);
}

TEST_CASE("tokens are kept where every block has them", "[record]") {
    const auto line = [](const char* hash, const char* parent, const char* tokens) {
        return std::string(R"({"ts":1,"events":[{"type":"BlockStored","block_hashes":[)") + hash +
               R"(],"parent_block_hash":)" + parent + R"(,"token_ids":)" + tokens +
               R"(,"block_size":2}]})";
    };
    RecordingLines lines;
    lines.take(line("1", "null", "[7,8]"));
    lines.take(line("2", "1", "[9,10]"));
    CHECK(lines.finish().tokens == std::vector<std::uint32_t>{7, 8, 9, 10});
    RecordingLines less;
    less.take(line("1", "null", "[7,8]"));
    less.take(line("2", "1", "[]"));
    CHECK_FALSE(less.finish().has_tokens());
}

TEST_CASE("a public trace finds what kvarium sim finds, at every size", "[record]") {
    const ScratchFolder scratch;
    const std::string path = scratch.file("mooncake.jsonl");
    {
        std::ofstream out(path);
        const Random random(4, 1);
        u64 draw = 0;
        for (int i = 0; i < 200; ++i) {
            // Hashes name their chain: the family, and how deep.
            const u64 family = random.below(draw++, 9);
            const u64 length = 1 + random.below(draw++, 6);
            out << R"({"timestamp":)" << i * 1000 << R"(,"input_length":)"
                << length * 512 - random.below(draw++, 512) << R"(,"output_length":5,"hash_ids":[)";
            for (u64 k = 0; k < length; ++k) out << (k ? "," : "") << family * 10 + k;
            out << "]}\n";
        }
    }
    const auto recording = read_recording(path);
    REQUIRE(recording);
    CHECK(recording->kind == RecordingKind::PublicTrace);
    CHECK(recording->block_size == 512);
    CHECK(recording->passed_over.empty());
    const auto depths = stack_depths(*recording);
    for (u64 pool = 6; pool < 60; ++pool) {
        PrefixLru index({.tokens_per_hash = 512, .capacity = pool, .forget_every = {}});
        read_trace(path, {}, {},
                   [&](TraceFormat, const TraceRow& row) { index.ask(row.hash_ids, row.prompt); });
        const PoolOutcome outcome = outcome_of(*recording, *depths, pool);
        CHECK(outcome.asked_tokens == index.query_tokens());
        CHECK(outcome.hit_tokens == index.hit_tokens());
    }
}

TEST_CASE("a file that says nothing is refused in a sentence", "[record]") {
    const ScratchFolder scratch;
    const auto refused = [&](const char* text) {
        try {
            read_recording(scratch.write("nothing.jsonl", text));
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::World);
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused("{\"ts\":1,\"events\":[]}\n").find("nothing is known") != std::string::npos);
    CHECK(refused("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,9,9\n")
              .find("no hashes") != std::string::npos);
    CHECK_FALSE(refused("").empty());
    CHECK_FALSE(refused("hello\n").empty());
    CHECK_FALSE(refused("\xff\xfe\n").empty());
}
