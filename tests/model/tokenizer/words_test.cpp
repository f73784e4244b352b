// Ids to words alone: byte-level and SentencePiece style, bytes that are no character, ids without
// an entry; files whose way in is not understood, and those that are refused by name.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/base/error.hpp"
#include "core/model/tokenizer/token_words.hpp"
#include "tests/model/tokenizer/text.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::shared_ptr<const TokenWords> words_with(const Parts& changes) {
    return std::get<std::shared_ptr<const TokenWords>>(parse_token_words(tokenizer_text(changes)));
}

std::string words_refusal(const Parts& changes) {
    const auto parsed = parse_token_words(tokenizer_text(changes));
    const auto* no = std::get_if<TokenizerRefusal>(&parsed);
    return no ? no->rule + "; " + no->advice : "";
}

std::string words_of(const Parts& changes, const std::vector<TokenId>& ids) {
    return words_with(changes)->text(ids);
}

// The euro sign is E2 82 AC; "\u00e2" is the letter of the byte E2, "\u0124" of 82, "\u00ac" of AC.
const Parts kLettersOfBytes{
    {"model.vocab",
     R"({"Hi":0,"\u0120you":1,"\u00e2":2,"\u0124":3,"\u00ac":4,"\u010a":5,"<s>":6})"},
    {"model.merges", "[]"}};
// U+2581 stands for a blank, <0xE2> for a byte.
const Parts kMarksAndBytes{
    {"model.vocab",
     R"({"\u2581Hi":0,"\u2581you":1,"<0xE2>":2,"<0x82>":3,"<0xAC>":4,"<0x0A>":5,"<s>":6})"},
    {"model.merges", "[]"},
    {"model.byte_fallback", "true"},
    {"pre_tokenizer", "null"},
    {"normalizer", R"({"type":"Precompiled","precompiled_charsmap":"AA=="})"},
    {"decoder", R"({"type":"Sequence","decoders":[
        {"type":"Replace","pattern":{"String":"\u2581"},"content":" "},
        {"type":"ByteFallback"},{"type":"Fuse"},
        {"type":"Strip","content":" ","start":1,"stop":0}]})"}};

}  // namespace

TEST_CASE("ids of both families become words, and several tokens one character", "[tokenizer]") {
    CHECK(words_of(kLettersOfBytes, {6, 0, 1}) == "<s>Hi you");
    CHECK(words_of(kMarksAndBytes, {6, 0, 1}) == "<s> Hi you");
    for (const Parts& family : {kLettersOfBytes, kMarksAndBytes}) {
        CHECK(words_with(family)->bytes(2) == "\xE2");
        CHECK(words_of(family, {2, 3, 4}) == "\xE2\x82\xAC");
    }
}

TEST_CASE("bytes that make up no character are shown as bytes", "[tokenizer]") {
    for (const Parts& family : {kLettersOfBytes, kMarksAndBytes}) {
        CHECK(words_of(family, {2}) == "<0xE2>");
        CHECK(words_of(family, {2, 3}) == "<0xE2><0x82>");  // cut off behind
        CHECK(words_of(family, {4, 1}) == "<0xAC> you");    // and before
        CHECK(words_of(family, {2, 7, 3}) == "<0xE2><id 7><0x82>");
        CHECK(words_of(family, {1, 5, 1}) == " you\\n you");
        CHECK(words_of(family, {4'000'000'000}) == "<id 4000000000>");
        CHECK(words_of(family, {}).empty());
    }
    // A mark that turns the line around (U+202E) is not obeyed.
    CHECK(
        words_of({{"model.vocab", R"({"a\u202Eb":0,"<s>":6})"}, {"decoder", R"({"type":"Fuse"})"}},
                 {0}) == "a<0xE2><0x80><0xAE>b");
}

TEST_CASE("a file whose way in is not understood is read for its way back", "[tokenizer]") {
    const Parts unknown{{"normalizer", R"({"type":"Lowercase"})"},
                        {"pre_tokenizer", R"({"type":"BertPreTokenizer"})"},
                        {"post_processor", R"({"type":"RobertaProcessing"})"},
                        {"model.merges", ""},
                        {"model.dropout", "0.1"}};
    CHECK_FALSE(refusal_with(unknown).empty());
    CHECK(words_of(unknown, {6, 4, 5, 0}) == "<s>abc a");
}

TEST_CASE("what is no byte-pair encoding is refused by its name, in one sentence", "[tokenizer]") {
    const auto check = [](const Parts& changes, const char* part) {
        const std::string said = words_refusal(changes);
        CHECK_THAT(said, ContainsSubstring(part));
        CHECK(said.find('\n') == std::string::npos);
    };
    check({{"model.type", R"("WordPiece")"}}, "WordPiece");
    check({{"model.type", R"("WordLevel")"}}, "WordLevel");
    check({{"model.type", R"("Unigram")"}, {"model.vocab", R"([["a",-1.5]])"}}, "Unigram");
    CHECK_THAT(words_refusal({{"model.vocab", R"([["a",-1.5]])"}}),
               !ContainsSubstring("as it was published"));
    check({{"decoder", R"({"type":"BPEDecoder","suffix":"</w>"})"}}, "BPEDecoder");
    check({{"model.end_of_word_suffix", R"("</w>")"}}, "end_of_word_suffix");
    check({{"model.vocab", ""}}, "model.vocab is missing");
    check({{"model", ""}}, "model is missing");
}

TEST_CASE("a file is refused with its path", "[tokenizer]") {
    CHECK_THROWS_WITH(read_token_words("/nowhere/tokenizer.json"),
                      ContainsSubstring("/nowhere/tokenizer.json"));
}
