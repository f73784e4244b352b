#include "core/engine/draft/ngram.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/engine/draft/pace.hpp"
#include "core/engine/draft/spec.hpp"

using namespace kv;

namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens proposed(const Tokens& tokens, std::uint32_t n, std::uint32_t k) {
    const auto draft = look_back(tokens, n, k);
    return draft ? draft->tokens : Tokens{};
}

std::string why_not(const std::string& text) {
    std::string why;
    return parse_draft(text, why) ? "" : why;
}

std::string read(const std::string& text) {
    std::string why;
    return draft_text(*parse_draft(text, why));
}

}  // namespace

TEST_CASE("a look back copies what came behind the newest equal place", "[draft]") {
    const Tokens tokens{1, 2, 3, 4, 1, 2, 5, 6, 1, 2};
    const auto draft = look_back(tokens, 2, 3);
    REQUIRE(draft);
    CHECK(draft->from == 6);
    CHECK(draft->tokens == Tokens{5, 6, 1});
    CHECK(proposed(tokens, 1, 1) == Tokens{5});
    CHECK(proposed({1, 2, 3, 9, 1, 2, 4, 1, 2, 3}, 3, 2) == Tokens{9, 1});
}

TEST_CASE("a look back runs on into what it proposes", "[draft]") {
    CHECK(proposed({7, 8, 7, 8}, 2, 5) == Tokens{7, 8, 7, 8, 7});
    CHECK(proposed({4, 4}, 1, 3) == Tokens{4, 4, 4});
}

TEST_CASE("what never stood there before proposes nothing", "[draft]") {
    CHECK_FALSE(look_back(Tokens{1, 2, 3}, 1, 4));
    CHECK_FALSE(look_back(Tokens{1, 2, 1}, 2, 4));
    CHECK_FALSE(look_back(Tokens{1}, 1, 4));
    CHECK_FALSE(look_back(Tokens{}, 1, 4));
    CHECK_FALSE(look_back(Tokens{1, 1}, 1, 0));
    CHECK_FALSE(look_back(Tokens{1, 1}, 2, 1));
}

TEST_CASE("the setting says who drafts and how much", "[draft][settings]") {
    CHECK(read("off") == "off");
    CHECK(read("ngram:3") == "ngram:3,k=auto");
    CHECK(read("ngram:2,k=5") == "ngram:2,k=5");
    CHECK(read("mqa,k=4") == "mqa,k=4");
    CHECK(read("mha+kv2,k=auto") == "mha+kv2,k=auto");
    for (const char* text : {"",
                             "ngram",
                             "ngram:",
                             "ngram:0",
                             "ngram:65",
                             "ngram:x",
                             "ngram:-1",
                             "ngram:3,",
                             "ngram:3,k",
                             "ngram:3,k=",
                             "ngram:3,k=0",
                             "ngram:3,k=-1",
                             "ngram:3,k=4.5",
                             "ngram:3,n=4",
                             "ngram:3,k=4,k=5",
                             ",k=4",
                             "../mqa",
                             "/etc",
                             ".hidden",
                             "a b",
                             "off,k=3",
                             "ngram:3,k=9999999"}) {
        CAPTURE(text);
        CHECK_FALSE(why_not(text).empty());
    }
}

TEST_CASE("a draft that was all right makes the next longer, any other shorter", "[draft]") {
    DraftPace pace;
    CHECK(pace.next({}) == 4);
    CHECK(pace.next(7) == 7);
    pace.learn(4, 4);
    CHECK(pace.next({}) == 6);
    pace.learn(6, 5);
    CHECK(pace.next({}) == 5);
    for (int i = 0; i < 20; ++i) pace.learn(3, 0);
    CHECK(pace.next({}) == 1);
    for (int i = 0; i < 20; ++i) pace.learn(1, 1);
    CHECK(pace.next({}) == 16);
}
