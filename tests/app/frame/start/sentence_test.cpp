#include "app/frame/start/sentence.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/run_bench.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::vector<std::string> cut(const std::vector<std::string>& bytes) {
    std::vector<std::string> out;
    for (const WordPieces& word : words_of(bytes))
        out.push_back(word.word + " " + std::to_string(word.first) + "+" + std::to_string(word.n));
    return out;
}

}  // namespace

TEST_CASE("a word has the tokens that it fell into, and a lone space before it", "[start]") {
    using Words = std::vector<std::string>;
    CHECK(cut({"", "M", "y", " cat", " ", "h", "i", "d", " the", " key", "?"}) ==
          Words{"My 1+2", "cat 3+1", "hid 4+4", "the 8+1", "key 9+1"});
    CHECK(cut({}).empty());
    CHECK(cut({" ", "?", "  "}).empty());
    CHECK(cut({"a", "  ", "b"}) == Words{"a 0+1", "b 2+1"});  // two spaces belong to nobody
    CHECK(cut({"\xc3", "\xa9", "t", "\xc3", "\xa9"}) == Words{"\xc3\xa9t\xc3\xa9 0+5"});
    CHECK(cut({"don", "'t"}) == Words{"don't 0+2"});
}

TEST_CASE("the sentence of the first example is 19 tokens of 12 words, two of them in pieces",
          "[start]") {
    const auto model = loaded_gqa();
    const SentenceFacts facts =
        facts_of(*model->tokenizer, "My cat hid the key in the barn. Where is the key?");
    CHECK(facts.n_tokens == 19);
    CHECK(facts.words.size() == 12);
    for (const WordPieces& word : facts.words) {
        INFO(word.word);
        CHECK(word.n == (word.word == "My" ? 2u : word.word == "hid" ? 4u : 1u));
    }
    CHECK(facts.dropped.empty());
}

TEST_CASE("a sentence is refused when it is empty, too long, or not in the vocabulary", "[start]") {
    CHECK(problem_of({}, "", 507)->english().find("nothing to read") != std::string::npos);
    CHECK(problem_of({}, " \t\n", 507));
    CHECK_FALSE(problem_of({.n_tokens = 507, .words = {}, .dropped = {}}, "a", 507));
    const auto long_one = problem_of({.n_tokens = 508, .words = {}, .dropped = {}}, "a", 507);
    REQUIRE(long_one);
    CHECK(long_one->english().find("508 tokens") != std::string::npos);
    CHECK(long_one->english().find("507") != std::string::npos);
    CHECK_FALSE(problem_of({.n_tokens = 9'000, .words = {}, .dropped = {}}, "a", 0));
    CHECK(problem_of({.n_tokens = 1, .words = {}, .dropped = "§"}, "§", 507)->english().find("§") !=
          std::string::npos);
}

TEST_CASE("the words that are named as known are one token each", "[start]") {
    const auto model = loaded_gqa();
    const auto known = known_words(*model->tokenizer, 24, 6);
    CHECK(known.size() == 6);
    for (const std::string& word : known) {
        INFO(word);
        CHECK(facts_of(*model->tokenizer, "The " + word).words[1].n == 1);
    }
    CHECK(known_words(*model->tokenizer, 25, 5) ==
          std::vector<std::string>(known.begin() + 1, known.end()));
    CHECK(known_words(*model->tokenizer, 1'000'000, 6).size() == 6);
}

// What is offered should mostly be known: the answers are the model's own.
TEST_CASE("the examples are made of words that the model knows", "[start]") {
    const auto model = loaded_gqa();
    const Texts texts;
    for (const TextId id : {"start.example.2"_t, "start.example.3"_t, "start.example.4"_t}) {
        INFO(texts[id]);
        for (const WordPieces& word : facts_of(*model->tokenizer, texts[id]).words) {
            INFO(word.word);
            CHECK(word.n == 1);
        }
    }
}
