// The same ids and the same text as PyPI `tokenizers`, on fixtures that fixtures.py made.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/files/json.hpp"
#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/tokenizer.hpp"
#include "tests/places.hpp"

using namespace kv;
using Json = nlohmann::json;

namespace {

const std::string kFolder = kv::test::source_dir() + "/tests/model/fixtures/tokenizers/";

constexpr const char* kKinds[] = {"gpt2",   "roberta",        "smollm2",       "llama3",
                                  "qwen",   "llama2",         "metaspace_old", "added",
                                  "recipe", "metaspace_first"};

Json read_json(const std::string& name) {
    std::ifstream in(kFolder + name);
    REQUIRE(in);
    return Json::parse(in);
}

using Ids = std::vector<TokenId>;

std::string streamed(const Tokenizer& tokenizer, const Ids& ids, SpecialTokens special) {
    TextStream stream{tokenizer, special};
    std::string all;
    for (const TokenId id : ids) {
        const std::string part = stream.feed(id);
        CHECK(valid_utf8_prefix(part) == part.size());
        all += part;
    }
    return all + stream.finish();
}

}  // namespace

TEST_CASE("every kind of tokenizer gives the ids of the reference", "[tokenizer]") {
    const Json texts = read_json("texts.json");
    REQUIRE(texts.size() > 60);
    for (const std::string kind : kKinds) {
        const Tokenizer tokenizer = read_tokenizer(kFolder + kind + ".json");
        const Json expected = read_json(kind + ".expected.json");
        REQUIRE(expected["plain"].size() == texts.size());
        CHECK(tokenizer.vocab_size() == expected["vocab_size"]);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const std::string text = texts[i];
            CAPTURE(kind, text);
            const Json& other = expected["whole_if_other"][i];
            const Ids plain = expected["plain"][i];
            const Ids whole = other.is_null() ? plain : other.get<Ids>();
            CHECK(tokenizer.encode(text, Additions::None).ids == plain);
            CHECK(tokenizer.encode(text, Additions::OfFile).ids == whole);
            CHECK(tokenizer.decode(whole, SpecialTokens::Written) == expected["decoded"][i]);
            CHECK(tokenizer.decode(whole, SpecialTokens::Skipped) == expected["skipped"][i]);
        }
    }
}

TEST_CASE("ids in any order decode as the reference decodes them", "[tokenizer]") {
    for (const std::string kind : kKinds) {
        const Tokenizer tokenizer = read_tokenizer(kFolder + kind + ".json");
        const Json expected = read_json(kind + ".expected.json");
        const auto& lists = expected["id_lists"];
        REQUIRE(lists.size() == 25);
        for (std::size_t i = 0; i < lists.size(); ++i) {
            const Ids ids = lists[i];
            CAPTURE(kind, ids);
            CHECK(tokenizer.decode(ids, SpecialTokens::Written) == expected["decoded_lists"][i]);
            CHECK(tokenizer.decode(ids, SpecialTokens::Skipped) == expected["skipped_lists"][i]);
        }
    }
}

TEST_CASE("a stream says the same as decoding at once, in parts that are valid and final",
          "[tokenizer]") {
    for (const std::string kind : kKinds) {
        const Tokenizer tokenizer = read_tokenizer(kFolder + kind + ".json");
        const Json expected = read_json(kind + ".expected.json");
        for (const Json& list : expected["id_lists"]) {
            const Ids ids = list;
            CAPTURE(kind, ids);
            for (const auto special : {SpecialTokens::Written, SpecialTokens::Skipped}) {
                CHECK(streamed(tokenizer, ids, special) == tokenizer.decode(ids, special));
            }
        }
    }
}

TEST_CASE("byte-level tokenizers give every text back", "[tokenizer]") {
    for (const std::string kind : {"gpt2", "llama3", "recipe"}) {
        const Tokenizer tokenizer = read_tokenizer(kFolder + kind + ".json");
        for (const Json& each : read_json("texts.json")) {
            const std::string text = each;
            CAPTURE(kind, text);
            const auto encoded = tokenizer.encode(text, Additions::None);
            CHECK(encoded.dropped.empty());
            CHECK(tokenizer.decode(encoded.ids, SpecialTokens::Written) == text);
        }
    }
}
