// Tokenizers that must be refused, each for its own reason and by the name of its field.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "core/base/error.hpp"
#include "tests/model/tokenizer/text.hpp"
#include "tests/scratch.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

namespace {

void check_said(const std::string& said, const std::string& part) {
    CHECK_THAT(said, ContainsSubstring(part));
    CHECK(said.find('\n') == std::string::npos);
    CHECK((said.empty() || said.back() != '.'));
}

void check_tokenizer_refused(const std::string& field, const std::string& text,
                             const std::string& part) {
    CAPTURE(field, text);
    const std::string said = refusal_with({{field, text}});
    CHECK_THAT(said, ContainsSubstring(field));
    check_said(said, part);
}

std::string added_token(const std::string& id, const std::string& content,
                        const std::string& special = "true") {
    return R"({"id":)" + id + R"(,"content":)" + content +
           R"(,"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":)" +
           special + "}";
}

std::string split(const std::string& pattern) {
    return R"({"type":"Split","pattern":)" + pattern + R"(,"behavior":"Isolated","invert":false})";
}

std::string template_of(const std::string& single, const std::string& special) {
    return R"({"type":"TemplateProcessing","single":)" + single +
           R"(,"pair":[],"special_tokens":)" + special + "}";
}

const std::string kText = R"({"Sequence":{"id":"A","type_id":0}})";

}  // namespace

TEST_CASE("the tiny tokenizer is fine as it stands", "[tokenizer]") {
    CHECK(refusal_with({}).empty());
    CHECK(refusal_with({{"truncation", R"({"max_length":3})"}, {"padding", "{}"}}).empty());
}

TEST_CASE("a text that is no tokenizer at all is refused", "[tokenizer]") {
    for (const char* text : {"", " ", "{", "{}", "[]", "null", "7", "{\"model\":", "\xFF\xFE"}) {
        CAPTURE(text);
        CHECK_FALSE(refusal_of(text).empty());
    }
    check_said(refusal_of("[]"), "a list where an object belongs");
    check_said(refusal_of("{}"), "model is missing");
    check_said(refusal_of(std::string(10000, '[')), "nested deeper than 8 levels");
    check_said(refusal_of(R"({"version":"1.0","version":"1.0"})"),
               "names the key \"version\" twice");
    check_said(refusal_of(tokenizer_text() + "x"), "is not JSON");
    check_said(refusal_of("[" + std::string(2200000, '0').replace(1, 2, "0,") + "]"), "near byte");
}

TEST_CASE("a million values besides the two lists are the limit", "[tokenizer]") {
    std::string many = "[";
    for (int i = 0; i < 1000000; ++i) many += "0,";
    check_said(refusal_with({{"padding", many + "0]"}}), "more than 1,000,000 values");
}

TEST_CASE("every kind of model but byte-pair encoding is refused", "[tokenizer]") {
    check_tokenizer_refused("model", "[]", "not an object");
    check_tokenizer_refused("model", "null", "missing");
    check_tokenizer_refused("model.type", R"("Unigram")", "known are BPE");
    check_tokenizer_refused("model.vocab", "", "missing");
    check_tokenizer_refused("model.merges", "", "missing");
    check_tokenizer_refused("model.dropout", "0.1", "random");
    check_tokenizer_refused("model.continuing_subword_prefix", R"("##")", "not read here");
    check_tokenizer_refused("model.end_of_word_suffix", R"("</w>")", "not read here");
    check_tokenizer_refused("model.byte_fallback", "1", "neither true nor false");
    check_tokenizer_refused("model.unk_token", R"("<unk>")", "no entry");
    check_tokenizer_refused("model.new_option", "true", "not known");
    CHECK(refusal_with(
              {{"model.type", ""}, {"model.dropout", "0.0"}, {"model.end_of_word_suffix", R"("")"}})
              .empty());
}

TEST_CASE("entries of the vocabulary are refused by their text", "[tokenizer]") {
    const auto vocab = [](const std::string& entries, const std::string& part) {
        CAPTURE(entries);
        const std::string said = refusal_with({{"model.vocab", entries}});
        CHECK_THAT(said, ContainsSubstring("model.vocab"));
        check_said(said, part);
    };
    vocab(R"({"a":0,"b":1,"c":1})", "gives the id 1 to both \"b\" and \"c\"");
    vocab(R"({"a":0,"a":1})", "names the entry \"a\" twice");
    vocab(R"({"":0})", "is empty");
    vocab("{\"" + std::string(1U << 20U, 'x') + "\":0}", "1,048,576 bytes, and the limit is 4,096");
    vocab(R"({"<0x-1>":0})", "\"<0x-1>\" in model.vocab, which is no byte");
    vocab(R"({"<0xZZ>":0})", "no byte");
    vocab(R"({"<0x>":0})", "no byte");
    vocab(R"({"<0xab>":0})", "in capitals");
    vocab(R"({"<0x100>":0})", "no byte");
    vocab(R"({"a":-1})", "the id -1, which is not a whole number below 1,048,576");
    vocab(R"({"a":1048576})", "the id 1048576");
    vocab(R"({"a":1.5})", "the id 1.5");
    vocab(R"({"a":1e3})", "whole number");
    vocab(R"({"a":"0"})", "the id \"0\"");
    vocab(R"({"a":null})", "the id null");
    vocab(R"({"a":18446744073709551616})", "whole number");
    vocab(R"({"a":[0]})", "a list or an object");
    vocab(R"(["a"])", "a list");
    check_said(refusal_with({{"model.vocab", "{\"\xFF\":0}"}}), "is not JSON");
    check_said(refusal_with({{"model.vocab", R"({"\ud800":0})"}}), "is not JSON");
    check_said(refusal_with({{"model.vocab", "7"}}), "not an object");
}

TEST_CASE("merges name entries, and their outcome is one", "[tokenizer]") {
    const auto merges = [](const std::string& list, const std::string& part) {
        CAPTURE(list);
        check_said(refusal_with({{"model.merges", list}}), part);
    };
    merges(R"(["a z"])",
           "model.merges[0] joins \"a\" and \"z\", and model.vocab has no entry \"z\"");
    merges(R"(["a b","b c"])",
           "model.merges[1] joins \"b\" and \"c\", and model.vocab has no entry \"bc\"");
    merges(R"(["ab"])", "\"ab\" at model.merges[0], which is not two entries");
    merges(R"(["a b","a b c"])", "model.merges[1]");
    merges(R"([["a"]])", "fewer than two texts at model.merges[0]");
    merges(R"([["a","b"],["a","b","c"]])", "more than two texts at model.merges[1]");
    merges(R"([["a",1]])", "has 1 at model.merges[0], where a text belongs");
    merges(R"([7])", "has 7 at model.merges[0]");
    merges(R"([[["a"]]])", "a list inside the list at model.merges[0]");
    merges(R"({"a":"b"})", "an object in model.merges");
    merges(R"([{"a":"b"}])", "an object in model.merges");
    merges(R"([" a"])", "no entry \"\"");
    merges("\"a b\"", "not a list");
    CHECK(refusal_with({{"model.merges", R"(["#version: 0.2","a b",["ab","c"]])"}}).empty());
}

TEST_CASE("added tokens have whole descriptions and the ids that everybody gives them",
          "[tokenizer]") {
    const auto added = [](const std::string& list, const std::string& part) {
        CAPTURE(list);
        const std::string said = refusal_with({{"added_tokens", "[" + list + "]"}});
        CHECK_THAT(said, ContainsSubstring("added_tokens"));
        check_said(said, part);
    };
    added("7", "[0] is not an object");
    added("{}", "[0].id is missing");
    added(R"({"id":7,"content":"x"})", "[0].single_word is missing");
    added(added_token("-1", R"("x")"), "[0].id is -1");
    added(added_token("1048576", R"("x")"), "outside 0 to 1,048,575");
    added(added_token("7", R"("")"), "is empty");
    added(added_token("7", "7"), "not a text");
    added(added_token("7", "\"" + std::string(300, 'x') + "\""), "longer than 256 bytes");
    added(added_token("7", R"("<0x-1>")"), "no byte");
    added(added_token("7", R"("x")", "1"), "neither true nor false");
    added(added_token("5", R"("<s>")"), "is not 6, the id that model.vocab has");
    added(added_token("8", R"("x")"), "is not 7, the next id");
    added(added_token("7", R"("x")") + "," + added_token("7", R"("y")"),
          "[1].id is 7, which is not 8");
    added(added_token("7", R"("x")") + "," + added_token("7", R"("x")"),
          "an added token before it has");
    CHECK(refusal_with({{"added_tokens", "[" + added_token("7", R"("x")") + "," +
                                             added_token("3", R"("ab")") + "]"}})
              .empty());
    check_said(refusal_with({{"model.vocab", R"({"a":1,"b":2})"},
                             {"model.merges", "[]"},
                             {"added_tokens", "[" + added_token("2", R"("x")") + "]"}}),
               "added_tokens[0].id is 2, which model.vocab has for \"b\"");
    check_tokenizer_refused("added_tokens", "{}", "not a list");
}

TEST_CASE("steps that are not known are refused by name", "[tokenizer]") {
    check_tokenizer_refused("normalizer", R"({"type":"NFKC"})", "normalizer.type is \"NFKC\"");
    check_tokenizer_refused("normalizer", R"({"type":"NFC","fast":true})",
                            "normalizer.fast is true");
    check_tokenizer_refused(
        "normalizer", R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]})",
        "normalizer.normalizers[1].type is \"Lowercase\"");
    check_tokenizer_refused("normalizer",
                            R"({"type":"Replace","pattern":{"Regex":" +"},"content":" "})",
                            "normalizer.pattern.Regex is \" +\"");
    check_tokenizer_refused(
        "normalizer", R"({"type":"Replace","pattern":{"String":""},"content":" "})", "is empty");
    check_tokenizer_refused("normalizer", "[]", "not an object");
    check_tokenizer_refused("pre_tokenizer", R"({"type":"Whitespace"})",
                            "pre_tokenizer.type is \"Whitespace\"");
    check_tokenizer_refused("pre_tokenizer", R"({"type":"ByteLevel"})",
                            "pre_tokenizer.add_prefix_space is missing");
    check_tokenizer_refused("pre_tokenizer", R"({"type":"Sequence"})",
                            "pre_tokenizer.pretokenizers is missing");
    check_tokenizer_refused("pre_tokenizer", R"({"type":"Sequence","pretokenizers":[7]})",
                            "pretokenizers[0] is 7");
    check_tokenizer_refused("pre_tokenizer", R"({"type":"Metaspace","replacement":"__"})",
                            "not one character");
    check_tokenizer_refused("pre_tokenizer",
                            R"({"type":"Metaspace","replacement":"_","prepend_scheme":"last"})",
                            "not known");
    check_tokenizer_refused(
        "pre_tokenizer",
        R"({"type":"Metaspace","replacement":"_","prepend_scheme":"first","add_prefix_space":false})",
        "does not agree");
    check_tokenizer_refused(
        "pre_tokenizer",
        R"({"type":"Split","pattern":{"String":"a"},"behavior":"Kept","invert":false})",
        "pre_tokenizer.behavior is \"Kept\"");
    check_tokenizer_refused("decoder", R"({"type":"WordPiece"})", "decoder.type is \"WordPiece\"");
    check_tokenizer_refused(
        "decoder", R"({"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"ByteFallback"}]})",
        "decoder.decoders[1].type is \"ByteFallback\", which stands after a step that joins");
    check_tokenizer_refused("decoder", R"({"type":"Strip","content":" ","start":-1,"stop":0})",
                            "decoder.start is -1");
    check_tokenizer_refused("post_processor", R"({"type":"Other"})",
                            "post_processor.type is \"Other\"");
    check_tokenizer_refused("version", R"("2.0")", "known is 1.0");
    check_tokenizer_refused("extra", "1", "not known");
}

TEST_CASE("steps that would let a short file make long work are refused", "[tokenizer]") {
    const auto normalizers = [](int n, const std::string& step) {
        std::string list;
        for (int i = 0; i < n; ++i) list += (i > 0 ? "," : "") + step;
        return R"({"type":"Sequence","normalizers":[)" + list + "]}";
    };
    const std::string doubles = R"({"type":"Replace","pattern":{"String":"a"},"content":"aa"})";
    CHECK(refusal_with({{"normalizer", normalizers(4, doubles)}}).empty());
    check_tokenizer_refused("normalizer", normalizers(5, doubles), "more than 16 times as long");
    CHECK(refusal_with({{"normalizer", normalizers(32, R"({"type":"NFC"})")}}).empty());
    check_tokenizer_refused("normalizer", normalizers(33, R"({"type":"NFC"})"),
                            "more than 32 steps");
    check_tokenizer_refused("normalizer", normalizers(4, normalizers(9, R"({"type":"NFC"})")),
                            "more than 32 steps");
    check_tokenizer_refused("normalizer",
                            R"({"type":"Prepend","prepend":")" + std::string(65, 'x') + "\"}",
                            "longer than 64 bytes");
}

TEST_CASE("split patterns that mean something else elsewhere are refused", "[tokenizer]") {
    const auto pattern = [](const std::string& regex, const std::string& part) {
        CAPTURE(regex);
        const std::string said =
            refusal_with({{"pre_tokenizer", split(R"({"Regex":")" + regex + "\"}")}});
        CHECK_THAT(said, ContainsSubstring("pre_tokenizer.pattern.Regex"));
        check_said(said, part);
    };
    pattern("", "is empty");
    pattern(R"(\\w+)", "uses \\w");
    pattern(R"(a\\b)", "uses \\b");
    pattern("^a", "uses ^");
    pattern("a$", "uses $");
    pattern("(?i)a", "the group (?i)");
    pattern("(?<name>a)", "the group (?<n");
    pattern("(*LIMIT_MATCH=1)a", "the group (*LI");
    pattern("a{1,3}+", "a + after a count");
    pattern("a{,3}", "no plain count");
    pattern("[a[b]]", "a class inside a class");
    pattern("[a&&b]", "uses &&");
    pattern("[]a]", "a ] first");
    pattern(R"([\\s-z])", "a hyphen beside");
    pattern("(a", "does not compile (missing closing parenthesis)");
    pattern(R"(\\p{Nonsense})", "does not compile");
    pattern(R"(\\pL)", "without a name in braces");
    pattern("a\\\\", "ends with a backslash");
    pattern(std::string(5000, 'a'), "longer than 4,096 bytes");
}

TEST_CASE("what a post-processor adds are tokens of the file", "[tokenizer]") {
    const std::string x = R"({"SpecialToken":{"id":"X","type_id":0}})";
    const auto post = [](const std::string& step, const std::string& part) {
        check_tokenizer_refused("post_processor", step, part);
    };
    post(template_of("[" + x + "," + kText + "]", "{}"),
         "post_processor.special_tokens.X is missing");
    post(template_of("[" + x + "," + kText + "]", R"({"X":{"ids":[99]}})"), "holds 99");
    post(template_of("[" + x + "," + kText + "]", R"({"X":{"ids":["a"]}})"), "holds \"a\"");
    post(template_of("[" + x + "]", R"({"X":{"ids":[6]}})"), "does not hold the text");
    post(template_of("[" + kText + "," + kText + "]", "{}"), "holds the text twice");
    post(template_of(R"([{"Sequence":{"id":"B","type_id":0}}])", "{}"), "neither the Sequence A");
    post(template_of(R"(["<s>"])", "{}"), "neither the Sequence A");
    post(R"({"type":"RobertaProcessing","cls":["<s>",6],"sep":["</s>",99]})",
         "post_processor.sep holds 99");
    post(R"({"type":"RobertaProcessing","cls":["<s>"],"sep":["</s>",6]})",
         "not a text with its id");
    std::string many = "[" + kText;
    for (int i = 0; i < 65; ++i) many += "," + x;
    post(template_of(many + "]", R"({"X":{"ids":[6]}})"), "more than 64 tokens");
}

TEST_CASE("added tokens that cannot be told apart are refused", "[tokenizer]") {
    const auto normalized = [](const std::string& id, const std::string& content) {
        return R"({"id":)" + id + R"(,"content":")" + content +
               R"(","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":false})";
    };
    check_said(refusal_with({{"normalizer", R"({"type":"NFC"})"},
                             {"added_tokens", "[" + normalized("7", "\\u00e9") + "," +
                                                  normalized("8", "e\\u0301") + "]"}}),
               "found as the same text");
    check_said(
        refusal_with({{"normalizer", R"({"type":"Replace","pattern":{"String":"x"},"content":""})"},
                      {"added_tokens", "[" + normalized("7", "x") + "]"}}),
        "nothing once normalized");
}

TEST_CASE("a tokenizer that cannot be used is a failure of the world that names its path",
          "[tokenizer]") {
    const ScratchFolder scratch;
    const auto said = [](const std::string& path) -> std::string {
        try {
            read_tokenizer(path);
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::World);
            return error.what();
        }
        return "";
    };
    const std::string path = scratch.file("tokenizer.json");
    CHECK_THAT(said(path), ContainsSubstring("tokenizer.json cannot be opened"));
    std::ofstream(path) << tokenizer_text({{"model.type", R"("Unigram")"}});
    CHECK_THAT(said(path), ContainsSubstring(path + ": model.type is \"Unigram\""));
    CHECK(said(path).back() == '.');
    std::ofstream(path) << tokenizer_text();
    CHECK(said(path).empty());
    CHECK_THAT(said("/dev/zero"), ContainsSubstring("is a device"));
    std::ofstream(path, std::ios::binary).seekp(std::streamoff{64} << 20).put(' ');
    CHECK_THAT(said(path), ContainsSubstring("the limit is 67,108,864"));
}
