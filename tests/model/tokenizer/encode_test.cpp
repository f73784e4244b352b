// Encoding by hand: merges, added tokens, bytes that are no text, what the vocabulary lacks.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"
#include "tests/model/tokenizer/text.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

using Ids = std::vector<TokenId>;

const std::string kSplitRegexStart =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":")";
const std::string kSplitRegexEnd =
    R"("},"behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";

std::string added(const std::string& content, const std::string& flags) {
    return R"([{"id":7,"content":")" + content + R"(",)" + flags + "}]";
}

}  // namespace

TEST_CASE("merges apply by rank, then from the left", "[tokenizer]") {
    const Tokenizer tokenizer = tokenizer_with();
    CHECK(ids(tokenizer, "abc") == Ids{4});         // a+b, then ab+c
    CHECK(ids(tokenizer, "ab c") == Ids{3, 5, 2});  // the blank's letter comes between
    CHECK(ids(tokenizer, "cba") == Ids{2, 1, 0});
    CHECK(ids(tokenizer, "aabbc") == Ids{0, 3, 1, 2});
    CHECK(ids(tokenizer, "").empty());
    // b+c is learnt first, so abc is a, bc.
    const Tokenizer other = tokenizer_with({{"model.vocab", R"({"a":0,"b":1,"c":2,"ab":3,"bc":4})"},
                                            {"model.merges", R"(["b c","a b"])"},
                                            {"added_tokens", "[]"}});
    CHECK(ids(other, "abc") == Ids{0, 4});
    CHECK(ids(other, "ababc") == Ids{3, 0, 4});
}

TEST_CASE("equal neighbours are joined from the left", "[tokenizer]") {
    const Tokenizer tokenizer = tokenizer_with({{"model.vocab", R"({"a":0,"aa":1,"aaaa":2})"},
                                                {"model.merges", R"(["a a","aa aa"])"},
                                                {"added_tokens", "[]"}});
    CHECK(ids(tokenizer, "aaa") == Ids{1, 0});
    CHECK(ids(tokenizer, "aaaaaaa") == Ids{2, 1, 0});
}

TEST_CASE("with ignore_merges a piece that is an entry is taken whole", "[tokenizer]") {
    const Parts no_merges{{"model.merges", "[]"}};
    CHECK(ids(tokenizer_with(no_merges), "abc") == Ids{0, 1, 2});
    CHECK(ids(tokenizer_with({{"model.merges", "[]"}, {"model.ignore_merges", "true"}}),
              "abc ab") == Ids{4, 5, 0, 1});  // " ab" is no entry
}

TEST_CASE("a piece of a hundred thousand characters is done at once", "[tokenizer]") {
    const Tokenizer tokenizer = tokenizer_with({{"model.vocab", R"({"a":0,"aa":1})"},
                                                {"model.merges", R"([["a","a"]])"},
                                                {"added_tokens", "[]"}});
    CHECK(ids(tokenizer, std::string(100001, 'a')).size() == 50001);
}

TEST_CASE("bytes that the vocabulary lacks are left out and reported", "[tokenizer]") {
    const auto encoded = tokenizer_with().encode("aZbZ\xC3\xA9", Additions::None);
    CHECK(encoded.ids == Ids{3});  // what is left out leaves neighbours, as in PyPI `tokenizers`
    REQUIRE(encoded.dropped.size() == 3);
    CHECK(encoded.dropped[0].bytes == "Z");
    CHECK(encoded.dropped[0].times == 2);
    CHECK(encoded.dropped[1].bytes == "\xC3");
    CHECK(encoded.dropped[2].bytes == "\xA9");
}

TEST_CASE("a byte that belongs to no character becomes the token of that byte", "[tokenizer]") {
    const Tokenizer tokenizer =
        tokenizer_with({{"model.vocab", R"({"a":0,"b":1,"ab":2,"\u00ff":3,"\u00c3":4,"\u0100":5})"},
                        {"model.merges", R"(["a b"])"},
                        {"added_tokens", "[]"}});
    CHECK(ids(tokenizer, "ab\xFF") == Ids{2, 3});
    CHECK(ids(tokenizer,
              "a\xFF\xFF"
              "b\xC3") == Ids{0, 3, 3, 1, 4});  // C3 waits for a byte in vain
    CHECK(ids(tokenizer, std::string_view("a\0b", 3)) == Ids{0, 5, 1});
    const auto encoded = tokenizer.encode("a\xFE\xFE", Additions::None);
    CHECK(encoded.ids == Ids{0});
    REQUIRE(encoded.dropped.size() == 1);
    CHECK(encoded.dropped[0].bytes == "\xFE");
    CHECK(encoded.dropped[0].times == 2);
    CHECK(tokenizer.token_bytes(3) == "\xFF");
}

TEST_CASE("byte fallback, the unknown token, or nothing", "[tokenizer]") {
    const std::string vocab = R"({"a":0,"<unk>":1,"<0xC3>":2,"<0xA9>":3,"<0xFF>":4})";
    Parts parts{{"model.vocab", vocab},
                {"model.merges", "[]"},
                {"added_tokens", "[]"},
                {"pre_tokenizer", "null"},
                {"model.byte_fallback", "true"}};
    CHECK(ids(tokenizer_with(parts), "a\xC3\xA9\xFF") == Ids{0, 2, 3, 4});
    CHECK(tokenizer_with(parts).encode("\xC3\xA8", Additions::None).dropped[0].bytes == "\xC3\xA8");
    parts["model.unk_token"] = R"("<unk>")";
    CHECK(ids(tokenizer_with(parts), "zzazz") == Ids{1, 1, 0, 1, 1});
    // Bytes of a fallback overtake an unknown character that waits for its neighbours.
    CHECK(ids(tokenizer_with(parts),
              "z\xC3\xA9"
              "a") == Ids{2, 3, 1, 0});
    parts["model.fuse_unk"] = "true";
    CHECK(ids(tokenizer_with(parts), "zzazz") == Ids{1, 0, 1});
}

TEST_CASE("added tokens are found where they stand, the longest first", "[tokenizer]") {
    const std::string plain =
        R"("single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":false)";
    const auto with = [&](const std::string& flags) {
        return tokenizer_with({{"added_tokens", added("ca", flags)}});
    };
    CHECK(ids(with(plain), "abcab") == Ids{3, 7, 1});
    CHECK(
        ids(with(
                R"("single_word":true,"lstrip":false,"rstrip":false,"normalized":false,"special":false)"),
            "abca ca") == Ids{4, 0, 5, 7});
    CHECK(
        ids(with(
                R"("single_word":false,"lstrip":true,"rstrip":false,"normalized":false,"special":false)"),
            "a  ca b") == Ids{0, 7, 5, 1});
    CHECK(
        ids(with(
                R"("single_word":false,"lstrip":false,"rstrip":true,"normalized":false,"special":false)"),
            "a ca  b") == Ids{0, 5, 7, 1});
    CHECK(ids(tokenizer_with(), "a<s>b<s") == Ids{0, 6, 1});
}

TEST_CASE("the post-processor's tokens are added on request only", "[tokenizer]") {
    const Tokenizer tokenizer = tokenizer_with({{"post_processor", R"({"type":"TemplateProcessing",
        "single":[{"SpecialToken":{"id":"X","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
                  {"SpecialToken":{"id":"X","type_id":0}}],
        "pair":[],"special_tokens":{"X":{"id":"X","ids":[6,2],"tokens":["<s>","c"]}}})"}});
    CHECK(tokenizer.encode("ab", Additions::OfFile).ids == Ids{6, 2, 3, 6, 2});
    CHECK(tokenizer.encode("ab", Additions::None).ids == Ids{3});
    CHECK(tokenizer.encode("", Additions::OfFile).ids == Ids{6, 2, 6, 2});
}

TEST_CASE("entries can be asked for by id and by text", "[tokenizer]") {
    const Tokenizer tokenizer =
        tokenizer_with({{"model.vocab", R"({"a":0,"b":9,"ab":4,"\u0120":2,"<s>":6})"},
                        {"model.merges", R"(["a b"])"}});
    CHECK(tokenizer.vocab_size() == 5);
    CHECK(tokenizer.id_limit() == 10);
    CHECK(tokenizer.find("ab") == 4U);
    CHECK_FALSE(tokenizer.find("ba"));
    CHECK(tokenizer.token_text(2) == "\xC4\xA0");
    CHECK(tokenizer.token_bytes(2) == " ");
    CHECK_FALSE(tokenizer.token_text(1));   // a gap
    CHECK_FALSE(tokenizer.token_text(10));  // beyond the end
    CHECK_FALSE(tokenizer.token_bytes(4294967295U));
    CHECK(tokenizer.is_special(6));
    CHECK_FALSE(tokenizer.is_special(0));
    CHECK(tokenizer.decode({0, 1, 10, 4294967295U, 9}, SpecialTokens::Written) == "ab");
}

TEST_CASE("a split pattern that does not come to an end gives up", "[tokenizer]") {
    const Tokenizer tokenizer =
        tokenizer_with({{"pre_tokenizer", kSplitRegexStart + "(?:a|aa|a.|.a)+b" + kSplitRegexEnd}});
    CHECK(ids(tokenizer, "aaab") == Ids{0, 0, 3});
    CHECK_THROWS_MATCHES(tokenizer.encode(std::string(5000, 'a'), Additions::None), Error,
                         MessageMatches(ContainsSubstring("split pattern")));
}

TEST_CASE("a text above the limit is refused before anything is done", "[tokenizer]") {
    const std::string text((std::size_t{64} << 20U) + 1, 'a');
    CHECK_THROWS_MATCHES(tokenizer_with().encode(text, Additions::None), Error,
                         MessageMatches(ContainsSubstring("67,108,865 bytes")));
}
