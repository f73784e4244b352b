// tokenizer.json, a NUL byte, and a text for it. The parser never throws; a tokenizer that it
// accepts gives ids that exist and text that is UTF-8, at once and bit by bit alike. A text of any
// bytes comes back from a vocabulary that has all of them.

#include "core/model/tokenizer/tokenizer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/token_words.hpp"
#include "core/model/tokenizer/unicode/byte_letters.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

constexpr std::size_t kMaxText = 4096;

void check_refusal(const kv::TokenizerRefusal& refusal) {
    expect(!refusal.rule.empty() && !refusal.advice.empty(), "a refusal has a rule and an advice");
    expect(refusal.rule.find('\n') == std::string::npos, "a refusal is one line");
}

std::string streamed(const kv::Tokenizer& tokenizer, const std::vector<kv::TokenId>& ids,
                     kv::SpecialTokens special) {
    kv::TextStream stream{tokenizer, special};
    std::string all;
    for (const kv::TokenId id : ids) {
        const std::string part = stream.feed(id);
        expect(kv::valid_utf8_prefix(part) == part.size(), "every part is UTF-8");
        all += part;
    }
    return all + stream.finish();
}

void check_text(const kv::Tokenizer& tokenizer, std::string_view text) {
    const auto encoded = tokenizer.encode(text, kv::Additions::OfFile);
    for (const kv::TokenId id : encoded.ids) {
        expect(id < tokenizer.id_limit() && tokenizer.token_text(id), "every id has an entry");
        expect(tokenizer.token_bytes(id).has_value(), "every id stands for something");
    }
    expect(tokenizer.encode(text, kv::Additions::OfFile).ids == encoded.ids, "the same twice");
    for (const auto special : {kv::SpecialTokens::Written, kv::SpecialTokens::Skipped}) {
        const std::string decoded = tokenizer.decode(encoded.ids, special);
        expect(kv::valid_utf8_prefix(decoded) == decoded.size(), "decoded text is UTF-8");
        expect(streamed(tokenizer, encoded.ids, special) == decoded, "a stream says the same");
    }
}

// Every byte, some merges, the steps of Llama 3.
kv::Tokenizer whole_alphabet() {
    std::string vocabulary, letters;
    for (unsigned byte = 0; byte < 256; ++byte) {
        letters.clear();
        kv::append_letters(letters, std::string(1, static_cast<char>(byte)));
        if (letters == "\"" || letters == "\\") letters.insert(0, "\\");
        vocabulary += "\"" + letters + "\":" + std::to_string(byte) + ",";
    }
    const std::string json =
        R"({"model":{"type":"BPE","vocab":{)" + vocabulary +
        R"("he":256,"th":257,"the":258,"\u0120t":259,"in":260},"merges":["h e","t h","t he","\u0120 t","i n"]},
        "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},
        {"type":"ByteLevel","add_prefix_space":false}]},"decoder":{"type":"ByteLevel"}})";
    return std::get<kv::Tokenizer>(kv::parse_tokenizer(json));
}

void check_round_trip(const kv::Tokenizer& tokenizer, std::string_view bytes) {
    const auto encoded = tokenizer.encode(bytes, kv::Additions::None);
    std::string back;
    for (const kv::TokenId id : encoded.ids) back += *tokenizer.token_bytes(id);
    expect(back == bytes && encoded.dropped.empty(), "all bytes come back");
    kv::Utf8Repair repair;
    std::string text = repair.feed(bytes);
    text += repair.finish();
    expect(tokenizer.decode(encoded.ids, kv::SpecialTokens::Written) == text,
           "decoding is the text, repaired");
}

// What is read for the way back alone: one line of UTF-8 for any ids, and for ids that a whole
// tokenizer has as well the same bytes.
void check_words(std::string_view json, std::string_view text, const kv::Tokenizer* whole) {
    const auto parsed = kv::parse_token_words(json);
    if (const auto* refusal = std::get_if<kv::TokenizerRefusal>(&parsed)) {
        check_refusal(*refusal);
        expect(whole == nullptr, "what can be read whole can be read back");
        return;
    }
    const auto& words = *std::get<std::shared_ptr<const kv::TokenWords>>(parsed);
    std::vector<kv::TokenId> ids;
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
    const std::string line = words.text(ids);
    expect(kv::valid_utf8_prefix(line) == line.size(), "words are UTF-8");
    expect(std::none_of(line.begin(), line.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
           "words are one line");
    if (whole == nullptr) return;
    for (const kv::TokenId id : ids)
        expect(words.bytes(id).has_value() == whole->token_bytes(id).has_value(), "the same ids");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const kv::Tokenizer alphabet = whole_alphabet();
    const std::string_view input = kv::fuzz::text_of(data, size);
    const std::size_t end = std::min(input.find('\0'), input.size());
    const std::string_view text = input.substr(std::min(end + 1, input.size())).substr(0, kMaxText);
    check_round_trip(alphabet, text);
    const auto parsed = kv::parse_tokenizer(input.substr(0, end));
    check_words(input.substr(0, end), text, std::get_if<kv::Tokenizer>(&parsed));
    if (const auto* refusal = std::get_if<kv::TokenizerRefusal>(&parsed)) {
        check_refusal(*refusal);
        return 0;
    }
    try {
        check_text(std::get<kv::Tokenizer>(parsed), text);
    } catch (const kv::Error& error) {
        expect(error.code() == kv::ErrorCode::World, "only a split pattern may give up");
    }
    return 0;
}
