// `kvarium run --draft` from outside: the same output, what is counted, and the verdicts held
// against the logits.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <sstream>

#include "core/base/files/json.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cli/run_cli.hpp"
#include "tests/places.hpp"

using namespace kv::test;
using Json = nlohmann::json;

namespace {

// The shipped model gqa, over a text that says some things twice.
std::vector<std::string> line(const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "run",
        "--prompt",
        "Greta put the key in the barn. Where is the key? Greta put the key in the",
        "--max-new",
        "30",
        "--backend",
        "reference",
        "--json",
        "--no-times"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Json drafted_run(const std::vector<std::string>& more) {
    const Ran ran = run_cli(line(more));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
}

std::size_t largest_of(const Json& row) {
    const auto values = row.get<std::vector<double>>();
    return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) -
                                    values.begin());
}

}  // namespace

TEST_CASE("a draft changes how many steps there are and nothing else", "[run][draft]") {
    const Json plain = drafted_run({});
    CHECK_FALSE(plain.contains("draft"));
    for (const std::string draft : {"ngram:2,k=4", "mqa,k=4", "mha+kv2", "gqa,k=auto"}) {
        CAPTURE(draft);
        const Json j = drafted_run({"--draft", draft, "--prove"});
        CHECK(j.at("requests").at(0).at("output_tokens") ==
              plain.at("requests").at(0).at("output_tokens"));
        CHECK(j.at("state_hash") == plain.at("state_hash"));
        CHECK(j.at("proof").at("mode") == "proved");
        const Json& d = j.at("draft");
        CHECK(d.at("proposed") == d.at("accepted").get<int>() + d.at("rejected").get<int>());
        CHECK(d.at("rejected") == d.at("struck").get<int>() + d.at("behind").get<int>());
        CHECK(d.at("accepted") > 0);
        CHECK(d.at("tokens") == d.at("accepted").get<int>() + d.at("steps").get<int>());
        CHECK(d.at("tokens_per_step").get<double>() ==
              d.at("tokens").get<double>() / d.at("steps").get<double>());
        // The prompt's pass gives the first token; what is not a draft's came one by one.
        const int iterations = j.at("counters").at("iterations").get<int>();
        CHECK(iterations == 30 - d.at("accepted").get<int>());
        CHECK(j.at("counters").at("kv_bytes_read") < plain.at("counters").at("kv_bytes_read"));
    }
}

TEST_CASE("verdicts are what the logits say", "[run][draft]") {
    const ScratchFolder scratch;
    const Json j = drafted_run(
        {"--draft", "ngram:1,k=5", "--logits", "--events", scratch.file("events.jsonl")});
    const Json& logits = j.at("requests").at(0).at("logits");
    const auto n_prompt = j.at("requests").at(0).at("prompt_tokens").size();
    std::istringstream lines(read_text(scratch.file("events.jsonl")));
    std::size_t proposed = 0, accepted = 0, steps = 0;
    Json draft;
    for (std::string text; std::getline(lines, text);) {
        const Json event = Json::parse(text);
        if (event.value("event", "") == "DraftProposed") draft = event;
        if (event.value("event", "") != "DraftVerified") continue;
        ++steps;
        const std::size_t first = draft.at("first").get<std::size_t>() - n_prompt;
        std::size_t right = 0;
        for (const Json& token : draft.at("tokens")) {
            if (token != largest_of(logits.at(first + right))) break;
            ++right;
        }
        CHECK(event.at("k") == draft.at("tokens").size());
        CHECK(event.at("accepted") == right);
        proposed += draft.at("tokens").size();
        accepted += right;
    }
    CHECK(steps > 0);
    CHECK(j.at("draft").at("proposed") == proposed);
    CHECK(j.at("draft").at("accepted") == accepted);
    CHECK(j.at("draft").at("steps") == steps);
}

TEST_CASE("a scene has the setting, and changes it on the way", "[run][draft]") {
    const ScratchFolder scratch;
    const std::string saved = scratch.file("saved.kvscene");
    drafted_run({"--draft", "mqa,k=3", "--save-scene", saved});
    const std::string text = read_text(saved);
    CHECK(Json::parse(text).at("settings").at("draft") == "mqa,k=3");
    const Ran again = run_cli({"run", "--scene", saved, "--json", "--no-times"});
    CAPTURE(again.err);
    REQUIRE(again.code == 0);
    CHECK(Json::parse(again.out).at("draft").at("accepted") > 0);
}

TEST_CASE("a draft that cannot be ends with 2 and a sentence", "[run][draft]") {
    const std::vector<std::pair<std::string, std::string>> refused{
        {"ngram:0", "has an ngram that is smaller than 1"},
        {"ngram:2,k=0", "has a k that is smaller than 1"},
        {"ngram:2,k=512", "proposes more tokens than this model's context of 512"},
        {"banana", "is no model beside"},
        {"../mqa", "names no model that could lie beside"},
        {"", "names no model that could lie beside"}};
    for (const auto& [draft, part] : refused)
        check_refused({"run", "--prompt", "hi", "--draft", draft}, 2, part);
    check_refused({"run", "--prompt", "hi", "--draft", "ngram:2", "--no-cache"}, 2,
                  "--draft needs a cache");
    // Siblings lie beside the model that runs, wherever that is.
    check_refused({"run", "--model", kModel, "--prompt-tokens", "3,4", "--draft", "gqa"}, 2,
                  "is no model beside");
    const ScratchFolder scratch;
    const std::string assets = kv::test::source_dir() + "/assets/models/gqa";
    std::filesystem::create_directory_symlink(kModel, scratch.file("small"));
    std::filesystem::create_directory_symlink(assets, scratch.file("words"));
    check_refused(
        {"run", "--model", scratch.file("small"), "--prompt-tokens", "3,4", "--draft", "words"}, 2,
        "tokens, and the run's model one of 61");
}
