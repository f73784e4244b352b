// `kvarium run --evict` from outside: fields, bytes and refusals.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

std::vector<std::string> evict_line(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run",
                                   "--model",
                                   kModel,
                                   "--prompt-tokens",
                                   "3,9,2,7,5,6,4,8,3,7,2,9",
                                   "--force-tokens",
                                   "4,5,6,7",
                                   "--max-new",
                                   "1",
                                   "--backend",
                                   "reference",
                                   "--block-size",
                                   "4",
                                   "--no-times"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Json evict_json(std::vector<std::string> more) {
    more.emplace_back("--json");
    const Ran ran = run_cli(evict_line(more));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
}

}  // namespace

// 12 of the prompt and 4 that are told: 16 stored, of which the newest 4 are one block.
TEST_CASE("a window gives back whole blocks and proves its mask", "[run][eviction]") {
    const Json j = evict_json({"--evict", "window:4", "--prove"});
    const Json& request = j.at("requests").at(0);
    CHECK(request.at("block_table") == Json::parse("[null,null,null,3]"));
    CHECK(request.at("stored_tokens") == 4);
    const Json head = {12, 13, 14, 15};
    CHECK(request.at("kept") == Json({{head, head}, {head, head}}));
    CHECK(request.at("forced_nll").size() == 4);
    CHECK(j.at("bytes").at("live") == 512);
    CHECK(j.at("bytes").at("formula") == 512);
    CHECK(j.at("bytes").at("allocated") == 512);
    CHECK(j.at("counters").at("tokens_dropped") == 12);
    CHECK(j.at("counters").at("score_pairs") == 1 + 2 + 3 + 13 * 4);
    CHECK(j.at("settings").at("evict") == "window:4");
    CHECK(j.at("settings").at("positions") == "true");
    CHECK(j.at("proof").at("mode") == "lossy");
    CHECK(j.at("proof").at("max_abs_difference") > 0);
    CHECK(j.at("proof").at("masked_max_abs_difference") == 0);
}

// 8 of 12 stay behind the prompt, in two blocks for each of the four tables; 4 more come.
TEST_CASE("tables of each KV head free real bytes", "[run][eviction]") {
    const Json j = evict_json({"--evict", "snapkv:8,window=2,kernel=1"});
    const Json& request = j.at("requests").at(0);
    CHECK(request.at("block_table").is_null());
    CHECK(request.at("block_tables").size() == 2);
    CHECK(request.at("block_tables").at(0).size() == 2);
    CHECK(request.at("block_tables").at(1).at(1).size() == 3);
    for (const Json& layer : request.at("kept"))
        for (const Json& head : layer) CHECK(head.size() == 12);
    CHECK(j.at("counters").at("tokens_dropped") == 4 * 4);
    CHECK(j.at("counters").at("slots_copied") == 4 * 8);
    CHECK(j.at("pool").at("bytes_per_block") == 128);
    CHECK(j.at("pool").at("used") == 12);
    CHECK(j.at("bytes").at("live") == 12 * 128);
    CHECK(j.at("bytes").at("formula") == 12 * 128);
    CHECK(j.at("bytes").at("allocated") == 12 * 128);
}

// 6 of 12 stay, the first 4 among them; 4 more come.
TEST_CASE("Expected Attention keeps the first tokens and proves its mask", "[run][eviction]") {
    const Json j = evict_json({"--evict", "expected:0.5", "--prove"});
    for (const Json& layer : j.at("requests").at(0).at("kept"))
        for (const Json& head : layer) {
            CHECK(head.size() == 10);
            for (int i = 0; i < 4; ++i) CHECK(head.at(static_cast<std::size_t>(i)) == i);
        }
    CHECK(j.at("counters").at("tokens_dropped") == 4 * 6);
    CHECK(j.at("settings").at("positions") == "true");
    CHECK(j.at("proof").at("mode") == "lossy");
    CHECK(j.at("proof").at("max_abs_difference") > 0);
    CHECK(j.at("proof").at("masked_max_abs_difference") == 0);
}

TEST_CASE("positions follow the policy's paper unless they are given", "[run][eviction]") {
    CHECK(evict_json({"--evict", "streaming:2+3"}).at("settings").at("positions") == "cache");
    CHECK(evict_json({"--evict", "tova:5"}).at("settings").at("positions") == "original");
    CHECK(evict_json({"--evict", "tova:5", "--positions", "true"}).at("settings").at("positions") ==
          "true");
    const Json tova = evict_json({"--evict", "tova:5"}).at("requests").at(0);
    CHECK(tova.at("block_tables").at(0).size() == 1);
    CHECK(tova.at("kept").at(0).at(0) == tova.at("kept").at(0).at(1));
}

TEST_CASE("without a drop nothing is said of drops", "[run][eviction]") {
    const Json j = evict_json({"--evict", "h2o:20+20", "--prove"});
    CHECK(!j.at("requests").at(0).contains("kept"));
    CHECK(j.at("proof").at("mode") == "proved");
    CHECK(j.at("counters").at("tokens_dropped") == 0);
}

// At the end 16 tokens are stored in 4 blocks, of which the last query read one with each of 8
// query heads; a bound is two vectors of 8 channels in bf16, for each of 2 layers and 2 KV heads.
TEST_CASE("Quest holds what a full cache holds and reads less", "[run][eviction][quest]") {
    const Json j = evict_json({"--evict", "quest:4", "--prove"});
    const Json full = evict_json({});
    const Json &bytes = j.at("bytes"), &all = full.at("bytes");
    for (const char* name : {"live", "allocated", "formula"}) CHECK(bytes.at(name) == all.at(name));
    CHECK(bytes.at("bounds") == 4 * 4 * 2 * 16);
    CHECK(bytes.at("bounds_read_last_step") == 4 * 4 * 2 * 16);
    CHECK(!all.contains("bounds"));
    CHECK(bytes.at("read_last_step") < all.at("read_last_step"));
    CHECK(bytes.at("read_last_step") >= 4 * 4 * 32);
    CHECK(j.at("counters").at("tokens_dropped") == 0);
    CHECK(j.at("counters").at("kv_bytes_read") < full.at("counters").at("kv_bytes_read"));
    CHECK(j.at("counters").at("bound_bytes_read") == 4 * 4 * 4 * 32);
    CHECK(j.at("settings").at("positions") == "true");
    CHECK(!j.at("requests").at(0).contains("kept"));
    CHECK(j.at("proof").at("mode") == "lossy");
    CHECK(j.at("proof").at("max_abs_difference") > 0);
    CHECK(j.at("proof").at("masked_max_abs_difference") == 0);
}

// B comes when the first request is gone and keys are stored in another codec.
TEST_CASE("a mask is proved in the pool that a change of codec has made", "[run][eviction]") {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("change.kvscene", R"({
        "version": 1, "name": "change", "seed": 7, "model": {"name": "gqa"},
        "settings": {"backend": "reference", "block_size": 4, "pool": "32blocks",
                     "evict": "window:4"},
        "requests": [
            {"id": "A", "arrive": 0, "tokens": [3, 9, 2, 7, 5, 6, 4, 8, 3, 7, 2, 9], "max_new": 4},
            {"id": "B", "arrive": 8, "tokens": [5, 6, 4, 8, 3, 7, 2, 9, 3, 9, 2, 7], "max_new": 4}],
        "commands": [{"at": 7, "command": "set k_codec int8"}]})");
    const Ran ran = run_cli({"run", "--scene", scene, "--prove", "--json", "--no-times"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const Json j = Json::parse(ran.out);
    CHECK(j.at("settings").at("k_codec") == "int8");
    CHECK(j.at("counters").at("tokens_dropped") > 0);
    CHECK(j.at("proof").at("masked_max_abs_difference") == 0);
}

TEST_CASE("a policy that cannot be served is refused by name", "[run][eviction]") {
    const auto refused = [](const std::vector<std::string>& more, const std::string& part) {
        const Ran ran = run_cli(evict_line(more));
        CAPTURE(more, ran.err);
        CHECK(ran.code == 2);
        CHECK(ran.out.empty());
        CHECK(count_lines(ran.err) == 1);
        CHECK_THAT(ran.err, ContainsSubstring(part));
    };
    refused({"--evict", "scissorhands:8"}, "does not have");
    refused({"--evict", "expected:1"}, "would keep no token");
    refused({"--evict", "expected:0.5,horizon=0"}, "tokens to come");
    refused({"--evict", "expected:0.5", "--prefix-index", "radix"}, "prefix_index chain");
    refused({"--evict", "expected:0.5", "--k-codec", "int4:kivi"}, "kivi codes keys");
    refused({"--evict", "expected:0.5", "--positions", "shift"}, "evict window");
    refused({"--evict", "expected:0.5", "--keep", "x"}, "cache of keys and values");
    refused({"--evict", "lru"}, "is no policy");
    refused({"--evict", "snapkv:8,window=8"}, "include it");
    refused({"--evict", "h2o:4+4", "--prefix-index", "radix"}, "prefix_index chain");
    refused({"--evict", "window:4", "--keep", "x"}, "cache of keys and values");
    refused({"--positions", "rank"}, "none of its words");
    refused({"--evict", "quest:0"}, "number of tokens");
    refused({"--evict", "quest:8", "--positions", "cache"}, "set positions to true");
    refused({"--evict", "quest:8", "--prefix-index", "radix"}, "prefix_index chain");
    refused({"--evict", "quest:8", "--keep", "x"}, "cache of keys and values");
}
