// A cache that cards share, and models side by side as a picture: what the command line says.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

Json priced(std::vector<std::string> words) {
    words.insert(words.begin(), "calc");
    words.push_back("--json");
    const Ran ran = run_cli(words);
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
}

}  // namespace

TEST_CASE("ranks and stages have the names that servers give them", "[calc][json]") {
    const Json tp = priced({"--preset", "llama-3.3-70b", "--tokens", "4096", "--tp", "4", "--pp",
                            "2", "--card", "h100"});
    const Json ranks = priced({"--preset", "llama-3.3-70b", "--tokens", "4096", "--ranks", "4",
                               "--stages", "2", "--card", "h100"});
    CHECK(tp == ranks);
    // 2 x 40 layers x 2 heads x 128 x 2 bytes = 40,960 a token.
    CHECK(tp["rank_bytes"] == 4096 * 40'960);
    CHECK(tp["ranks_total_bytes"] == 4096 * 327'680);
    CHECK(tp["split"]["cards"] == 8);
    CHECK(tp["split"]["kv_heads_per_rank"] == 2);
    CHECK(tp["split"]["layers_per_stage"] == Json{40, 40});
    CHECK(tp["split"]["copies_bytes"] == 0);
    CHECK(tp["fit"]["cards"] == 8);
    const std::uint64_t budget = 80'000'000'000 - 141'107'412'992 / 8;
    CHECK(tp["fit"]["budget_bytes"] == budget);
    CHECK(tp["sequences_fit"] == budget / (4096 * 40'960));
    CHECK(tp["fit"]["longest_text"] == budget / 40'960);
    CHECK(tp["fits"] == true);
    const Json one = priced({"--preset", "llama-3.3-70b", "--tokens", "4096", "--card", "h100"});
    CHECK(one["fits"] == false);
    CHECK(one["split"].is_null());
}

TEST_CASE("ranks beyond the heads, and latents, are told", "[calc][json]") {
    const Json copies = priced({"--preset", "llama-3.1-8b", "--tokens", "100", "--tp", "16"});
    CHECK(copies["split"]["copies_bytes"] == 100 * 131'072);
    CHECK_THAT(copies["notes"].dump(), ContainsSubstring("copy of the same head"));
    const Json uneven = priced({"--preset", "phi-4", "--tokens", "100", "--tp", "4"});
    CHECK(uneven["split"]["kv_heads_per_rank"] == 3);
    CHECK_THAT(uneven["notes"].dump(), ContainsSubstring("do not come out even"));
    const Json latent = priced({"--preset", "deepseek-v3", "--tokens", "100", "--tp", "8"});
    CHECK(latent["rank_bytes"] == 100 * 70'272);
    CHECK(latent["split"]["kv_heads_per_rank"].is_null());
    CHECK_THAT(latent["notes"].dump(), ContainsSubstring("latent vector"));
    check_refused({"calc", "--preset", "phi-4", "--tp", "2", "--ranks", "2"}, 2, "--tp");
    check_refused({"calc", "--preset", "phi-4", "--pp", "41"}, 2, "--pp");
}

TEST_CASE("models side by side are a picture by the ending of the file", "[calc][picture]") {
    const ScratchFolder scratch;
    const std::vector<std::string> line{"calc",        "--compare", "gemma-3-27b", "falcon-h1-7b",
                                        "deepseek-v3", "--tokens",  "32768",       "--out"};
    const auto to = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> words = line;
        words.push_back(scratch.file(name));
        words.insert(words.end(), more.begin(), more.end());
        return run_cli(words);
    };
    REQUIRE(to("a.svg", {}).code == 0);
    REQUIRE(to("b.svg", {}).code == 0);
    const std::string svg = read_text(scratch.file("a.svg"));
    CHECK(svg == read_text(scratch.file("b.svg")));
    CHECK_THAT(svg, ContainsSubstring("Gemma 3 27B"));
    CHECK_THAT(svg, ContainsSubstring("2.906 GiB"));  // 8,192 x (10 x 32,768 + 52 x 1,024)
    CHECK_THAT(svg, ContainsSubstring("were all layers full"));
    REQUIRE(to("a.png", {"--theme", "dark"}).code == 0);
    CHECK(read_text(scratch.file("a.png")).substr(1, 3) == "PNG");
    CHECK(to("a.png", {"--json"}).code == 2);
    CHECK(to("a.png", {"--markdown"}).code == 2);
    CHECK(to("a.png", {"--theme", "pink"}).code == 2);
    CHECK(to("a.md", {"--markdown"}).code == 0);
    CHECK_THAT(read_text(scratch.file("a.md")), ContainsSubstring("| cache per token |"));
}
