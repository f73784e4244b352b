// Decoding token by token: what is held back, and for how long.
#include <catch2/catch_test_macros.hpp>

#include "tests/model/tokenizer/text.hpp"

using namespace kv;
using namespace kv::test;

namespace {

// Letters of the bytes E2 82 AC (the euro sign), C3, a; a blank in front of a.
const Parts kByteLevel{
    {"model.vocab", R"({"\u00e2":0,"\u0124":1,"\u00ac":2,"\u00c3":3,"a":4,"\u0120a":5,"<s>":6})"},
    {"model.merges", "[]"}};

const Parts kFallback{
    {"model.vocab", R"({"<0xE2>":0,"<0x82>":1,"<0xAC>":2,"\u2581":3,"a":4,"\u2581a":5,"<s>":6})"},
    {"model.merges", "[]"},
    {"model.byte_fallback", "true"},
    {"pre_tokenizer", "null"},
    {"decoder", R"({"type":"Sequence","decoders":[
                          {"type":"Replace","pattern":{"String":"\u2581"},"content":" "},
                          {"type":"ByteFallback"},{"type":"Fuse"},
                          {"type":"Strip","content":" ","start":1,"stop":0}]})"}};

std::vector<std::string> parts_of(const Parts& file, const std::vector<TokenId>& ids,
                                  SpecialTokens special = SpecialTokens::Written) {
    TextStream stream{tokenizer_with(file), special};
    std::vector<std::string> parts;
    parts.reserve(ids.size() + 1);
    for (const TokenId id : ids) parts.push_back(stream.feed(id));
    parts.push_back(stream.finish());
    return parts;
}

using Texts = std::vector<std::string>;

const std::string kEuro = "\xE2\x82\xAC", kBroken = "\xEF\xBF\xBD";

}  // namespace

TEST_CASE("a character is held back until it is complete", "[tokenizer]") {
    CHECK(parts_of(kByteLevel, {4, 0, 1, 2, 4}) == Texts{"a", "", "", kEuro, "a", ""});
}

TEST_CASE("a character that can no longer be completed is replaced at once", "[tokenizer]") {
    CHECK(parts_of(kByteLevel, {0, 1, 4}) == Texts{"", "", kBroken + "a", ""});
    CHECK(parts_of(kByteLevel, {0, 0, 1, 2}) == Texts{"", kBroken, "", kEuro, ""});
    CHECK(parts_of(kByteLevel, {2, 4}) == Texts{kBroken, "a", ""});  // a byte that starts nothing
    CHECK(parts_of(kByteLevel, {4, 3}) == Texts{"a", "", kBroken});  // cut off at the end
    CHECK(parts_of(kByteLevel, {0, 6, 1}) == Texts{"", kBroken + "<s>", kBroken, ""});
}

TEST_CASE("special tokens are written or skipped", "[tokenizer]") {
    CHECK(parts_of(kByteLevel, {6, 5, 6}) == Texts{"<s>", " a", "<s>", ""});
    CHECK(parts_of(kByteLevel, {6, 5, 6}, SpecialTokens::Skipped) == Texts{"", " a", "", ""});
    // What is skipped does not tear a character apart.
    CHECK(parts_of(kByteLevel, {0, 1, 6, 2}, SpecialTokens::Skipped) ==
          Texts{"", "", "", kEuro, ""});
}

TEST_CASE("a run of byte tokens is text as a whole or not at all", "[tokenizer]") {
    CHECK(parts_of(kFallback, {5, 0, 1, 2, 4}) == Texts{"a", "", "", "", kEuro + "a", ""});
    CHECK(parts_of(kFallback, {0, 1, 2, 0}) ==
          Texts{"", "", "", "", kBroken + kBroken + kBroken + kBroken});
    CHECK(parts_of(kFallback, {0, 1, 4}) == Texts{"", "", kBroken + kBroken + "a", ""});
}

TEST_CASE("one blank is stripped from the start of the text, not of every token", "[tokenizer]") {
    CHECK(parts_of(kFallback, {5, 5}) == Texts{"a", " a", ""});
    CHECK(parts_of(kFallback, {3, 5}) == Texts{"", " a", ""});
    CHECK(parts_of(kFallback, {4, 5}) == Texts{"a", " a", ""});
}

TEST_CASE("what may be stripped from the end is held back", "[tokenizer]") {
    Parts file = kFallback;
    file["decoder"] = R"({"type":"Sequence","decoders":[{"type":"Fuse"},
        {"type":"Strip","content":"a","start":1,"stop":2}]})";
    CHECK(parts_of(file, {4, 4, 6, 4, 4, 4}) == Texts{"", "", "a<s>", "", "", "a", ""});
}

TEST_CASE("without a decoder tokens stand apart", "[tokenizer]") {
    Parts file = kFallback;
    file["decoder"] = "null";
    CHECK(parts_of(file, {4, 4, 6}) == Texts{"a", " a", " <s>", ""});
}

TEST_CASE("after finish a new text begins", "[tokenizer]") {
    TextStream stream{tokenizer_with(kFallback), SpecialTokens::Written};
    CHECK(stream.feed(5) == "a");
    CHECK(stream.finish().empty());
    CHECK(stream.feed(5) == "a");
}
