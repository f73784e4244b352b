// `kvarium run` from outside: what it prints, what its numbers are, and what it refuses.

#include <catch2/catch_test_macros.hpp>

#include "core/base/files/json.hpp"
#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Json = nlohmann::json;

namespace {

std::vector<std::string> run_line(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run",     "--model",   kModel,      "--prompt-tokens",
                                   "3,9,2,7", "--backend", "reference", "--no-times"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Json run_json(std::vector<std::string> more) {
    more.emplace_back("--json");
    const Ran ran = run_cli(run_line(more));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
}

}  // namespace

// 4 prompt tokens, 6 new ones of which the last is never fed back: 9 stored, in 3 blocks of 4.
TEST_CASE("the numbers of a run are those of the formula", "[run][C003][C038]") {
    const Json j = run_json({"--max-new", "6", "--block-size", "4"});
    const Json& request = j.at("requests").at(0);
    CHECK(request.at("prompt_tokens") == Json({3, 9, 2, 7}));
    CHECK(request.at("output_tokens").size() == 6);
    CHECK(request.at("finish") == "length");
    CHECK(request.at("stored_tokens") == 9);
    CHECK(request.at("block_table") == Json({0, 1, 2}));
    CHECK(j.at("pool") == Json::parse(R"({"block_size":4,"blocks":48,"bytes_per_block":512,
                                          "used":3,"cached":0,"free":45,"host_used":0})"));
    CHECK(j.at("bytes") == Json::parse(R"({"per_token":128,"live":1152,"allocated":1536,
        "formula":1152,"read_last_step":1152,"written_last_step":128,
        "nominal_bits":{"k":16,"v":16},"effective_bits":{"k":16.0,"v":16.0}})"));
    CHECK(j.at("counters").at("iterations") == 6);
    CHECK(j.at("counters").at("positions_projected") == 4 + 5);
    CHECK(j.at("counters").at("score_pairs") == (1 + 2 + 3 + 4) + (5 + 6 + 7 + 8 + 9));
}

// Without a cache each step feeds the whole prefix: 4, 5, ..., 9 positions.
TEST_CASE("without a cache every step starts over and says the same", "[run][C002]") {
    const Json with = run_json({"--max-new", "6"}),
               without = run_json({"--max-new", "6", "--no-cache"});
    CHECK(with.at("requests").at(0).at("output_tokens") ==
          without.at("requests").at(0).at("output_tokens"));
    CHECK(without.at("counters").at("positions_projected") == 4 + 5 + 6 + 7 + 8 + 9);
    CHECK(without.at("settings").at("cache") == false);
}

// Nine positions are stored: each layer's input is 32 float32 numbers, so 2 x 32 x 4 = 256 bytes a
// token. The last step reads the inputs of eight tokens and K and V of nine, and writes one row of
// inputs and K and V of all nine.
TEST_CASE("keeping each layer's input says the same, projects as much and holds inputs",
          "[run][C002]") {
    const Json both = run_json({"--max-new", "6", "--block-size", "4", "--logits"}),
               inputs =
                   run_json({"--max-new", "6", "--block-size", "4", "--logits", "--keep", "x"}),
               nothing = run_json(
                   {"--max-new", "6", "--block-size", "4", "--logits", "--keep", "nothing"});
    for (const Json* other : {&inputs, &nothing})
        CHECK(other->at("requests") == both.at("requests"));
    CHECK(inputs.at("settings").at("keep") == "x");
    CHECK(inputs.at("settings").at("cache") == false);
    CHECK(both.at("settings").at("keep") == "kv");
    const Json& counters = inputs.at("counters");
    CHECK(counters.at("positions_projected") == 4 + 5 + 6 + 7 + 8 + 9);
    CHECK(counters.at("positions_forwarded") == 9);
    CHECK(nothing.at("counters").at("positions_forwarded") == 39);
    CHECK(counters.at("kv_projection_flops") == nothing.at("counters").at("kv_projection_flops"));
    CHECK(counters.at("flops") < nothing.at("counters").at("flops"));
    CHECK(counters.at("flops") > both.at("counters").at("flops"));
    CHECK(counters.at("input_bytes_read") == (4 + 5 + 6 + 7 + 8) * 256);
    CHECK(counters.at("input_bytes_written") == 9 * 256);
    CHECK(both.at("counters").at("input_bytes_read") == 0);
    CHECK(inputs.at("bytes") == Json::parse(R"({"per_token":256,"live":2304,"allocated":3072,
        "formula":2304,"read_last_step":3200,"written_last_step":1408,
        "nominal_bits":{"k":16,"v":16},"effective_bits":{"k":16.0,"v":16.0}})"));
}

TEST_CASE("every way to remember runs on both backends and can be proved", "[run][C020]") {
    for (const std::string keep : {"nothing", "x", "kv"})
        for (const std::string backend : {"reference", "cpu"}) {
            CAPTURE(keep, backend);
            const Ran ran =
                run_cli({"run", "--model", kModel, "--prompt-tokens", "3,9,2,7", "--backend",
                         backend, "--keep", keep, "--max-new", "5", "--prove", "--json"});
            CHECK(ran.code == 0);
            const Json proof = Json::parse(ran.out).at("proof");
            CHECK(proof.at("mode") != "differs");
            CHECK(proof.at("mode") != "not_checked");
            if (backend == "reference") CHECK(proof.at("mode") == "proved");
        }
}

TEST_CASE("no cache means that nothing is kept, and cannot mean more", "[run]") {
    const Json plain = run_json({"--max-new", "3", "--no-cache"});
    CHECK(plain == run_json({"--max-new", "3", "--keep", "nothing"}));
    CHECK(plain == run_json({"--max-new", "3", "--keep", "nothing", "--no-cache"}));
    check_refused(run_line({"--no-cache", "--keep", "x"}), 2, "--no-cache keeps nothing");
    check_refused(run_line({"--no-cache", "--keep", "kv"}), 2, "--no-cache keeps nothing");
    check_refused(run_line({"--keep", "q"}), 2, "--keep");
}

TEST_CASE("two runs of one line print the same bytes", "[run]") {
    const auto line =
        run_line({"--max-new", "5", "--temperature", "1", "--seed", "3", "--logits", "--json"});
    const Ran first = run_cli(line);
    CHECK(first.code == 0);
    CHECK(run_cli(line).out == first.out);
    const Json j = Json::parse(first.out);
    CHECK(j.at("seed") == 3);
    CHECK(j.at("requests").at(0).at("logits").size() == 5);
    CHECK(j.at("requests").at(0).at("logits").at(0).size() == 61);
    CHECK_FALSE(j.at("requests").at(0).contains("ttft_us"));
}

TEST_CASE("the proof finds no difference in the reference", "[run][C020]") {
    const Json j = run_json({"--max-new", "5", "--prove", "--block-size", "3"});
    CHECK(j.at("proof") ==
          Json::parse(R"({"mode":"proved","max_abs_difference":0.0,"step":null})"));
    CHECK(run_json({}).at("proof").at("mode") == "not_checked");
}

TEST_CASE("block size and order change no token and no logit", "[run][I28]") {
    const auto logits = [](const std::vector<std::string>& more) {
        std::vector<std::string> words{"--max-new", "4", "--logits"};
        words.insert(words.end(), more.begin(), more.end());
        return run_json(words).at("requests").at(0).at("logits");
    };
    const Json plain = logits({});
    CHECK(logits({"--block-size", "1"}) == plain);
    CHECK(logits({"--order", "head_major", "--block-size", "7"}) == plain);
    CHECK(logits({"--max-batch-tokens", "1"}) == plain);
    CHECK(logits({"--k-codec", "f32", "--v-codec", "f32"}) != plain);
}

TEST_CASE("forced tokens are fed and judged, and do not count as new", "[run]") {
    const Json free = run_json({"--max-new", "3", "--logits"}).at("requests").at(0);
    const Json forced =
        run_json({"--max-new", "2", "--logits", "--force-tokens", "8,1"}).at("requests").at(0);
    CHECK(forced.at("forced_tokens") == Json({8, 1}));
    CHECK(forced.at("output_tokens").size() == 2);
    CHECK(forced.at("forced_nll").size() == 2);
    CHECK(forced.at("logits").size() == 4);
    CHECK(forced.at("logits").at(0) == free.at("logits").at(0));
}

TEST_CASE("a request that the pool cannot hold is refused, which is no failure", "[run]") {
    const Json j = run_json({"--max-new", "40", "--pool", "2blocks"});
    CHECK(j.at("requests").at(0).at("state") == "refused");
    CHECK(j.at("requests").at(0).at("output_tokens").empty());
    CHECK(j.at("counters").at("iterations") == 0);
}

TEST_CASE("a pool is given in blocks or in bytes", "[run]") {
    CHECK(run_json({"--pool", "5blocks"}).at("pool").at("blocks") == 5);
    CHECK(run_json({"--pool", "20KiB"}).at("pool").at("blocks") == 10);  // of 2,048 bytes
}

TEST_CASE("what run cannot use is refused in one sentence", "[run]") {
    check_refused({"run"}, 2, "--prompt");
    check_refused({"run", "--model", "/nonexistent", "--prompt", "a"}, 1, "/nonexistent");
    check_refused({"run", "--model", kModel, "--prompt", "a"}, 1, "no tokenizer.json");
    check_refused(run_line({"--prompt", "a"}), 2, "exclude each other");
    check_refused({"run", "--model", kModel, "--prompt-tokens", "5,61"}, 2, "\"61\"");
    check_refused({"run", "--model", kModel, "--prompt-tokens", "5,,6"}, 2, "--prompt-tokens");
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"--max-new", "0"},
                                                          {"--block-size", "1025"},
                                                          {"--pool", "0blocks"},
                                                          {"--pool", "10B"},
                                                          {"--top-p", "0"},
                                                          {"--top-k", "0"},
                                                          {"--temperature", "-1"},
                                                          {"--order", "rows"},
                                                          {"--v-codec", "int9"},
                                                          {"--max-batch-tokens", "0"}})
        check_refused(run_line({option, value}), 2, option);
    check_refused({"run", "--model", kModel, "--prompt-tokens", "5", "--backend", "abacus"}, 2,
                  "abacus");
}

TEST_CASE("without a GPU cuda is refused with exit 4 and one sentence, and the cpu is the default",
          "[run]") {
    if (run_cli({"--version"}).out.find("found: ") != std::string::npos)
        SKIP("this machine has a GPU");
    const std::vector<std::string> line{"run", "--model", kModel, "--prompt-tokens", "5", "--json"};
    const auto with = [&](const std::vector<std::string>& more) {
        auto words = line;
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    for (const std::vector<std::string>& asked : {std::vector<std::string>{"--backend", "cuda"},
                                                  {"--device", "cuda:0"},
                                                  {"--backend", "cuda", "--device", "cuda:1"}})
        check_refused(with(asked), 4, "The CPU engine runs the same steps with the same numbers.");
    const Ran fallback = run_cli(line);
    CHECK(fallback.code == 0);
    CHECK(fallback.err.empty());
    CHECK(Json::parse(fallback.out).at("backend") == "cpu");
}

TEST_CASE("a device that is none is refused by its name", "[run]") {
    const std::vector<std::string> line{"run", "--model", kModel, "--prompt-tokens", "5"};
    const auto with = [&](const std::vector<std::string>& more) {
        auto words = line;
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    check_refused(with({"--device", "tpu"}), 2, "--device");
    check_refused(with({"--device", "cuda:x"}), 2, "--device");
    check_refused(with({"--device", "cuda:0", "--backend", "cpu"}), 2, "--backend cpu");
}
