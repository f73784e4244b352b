#include "app/frame/start/sentence.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::size_t kShortestWord = 3, kMostDropped = 5;

bool is_plain_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A whole word as it stands inside a text, behind a space.
bool is_known_word(const std::string& bytes) {
    return bytes.size() > kShortestWord && bytes.front() == ' ' &&
           std::all_of(bytes.begin() + 1, bytes.end(), is_plain_letter);
}

}  // namespace

bool is_blank(std::string_view sentence) {
    return sentence.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::vector<std::string> bytes_of(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
    std::vector<std::string> bytes;
    for (const TokenId id : tokens)
        bytes.push_back(tokenizer.is_special(id) ? std::string()
                                                 : tokenizer.token_bytes(id).value_or(""));
    return bytes;
}

SentenceFacts facts_of(const Tokenizer& tokenizer, std::string_view sentence) {
    const EncodedText encoded = tokenizer.encode(sentence, Additions::OfFile);
    SentenceFacts facts{.n_tokens = static_cast<std::uint32_t>(encoded.ids.size()),
                        .words = words_of(bytes_of(tokenizer, encoded.ids)),
                        .dropped = {}};
    for (std::size_t i = 0; i < std::min(encoded.dropped.size(), kMostDropped); ++i)
        facts.dropped += (i == 0 ? "" : " ") + shown(encoded.dropped[i].bytes);
    return facts;
}

std::optional<Said> problem_of(const SentenceFacts& facts, std::string_view sentence,
                               std::uint64_t most) {
    if (is_blank(sentence)) return Said("refused.sentence.empty"_t);
    if (!facts.dropped.empty())
        return Said("refused.sentence.unknown"_t, {{"text", facts.dropped}});
    if (most > 0 && facts.n_tokens > most)
        return Said("refused.sentence.long"_t,
                    {{"tokens", with_commas(facts.n_tokens)}, {"most", with_commas(most)}});
    return std::nullopt;
}

std::vector<std::string> known_words(const Tokenizer& tokenizer, std::size_t from,
                                     std::size_t count) {
    std::vector<std::string> known;
    for (TokenId id = 0; id < tokenizer.id_limit(); ++id)
        if (const auto bytes = tokenizer.token_bytes(id); bytes && is_known_word(*bytes))
            known.push_back(bytes->substr(1));
    if (known.empty()) return known;
    std::rotate(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(from % known.size()),
                known.end());
    known.resize(std::min(known.size(), count));
    return known;
}

}  // namespace kv
