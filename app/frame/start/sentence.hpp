#pragma once
// What the field of the page says of a sentence while it is typed: its tokens, which words the
// model knows whole, and why it cannot be run. Pure; the tokenizer is that of the model.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/stage/plan/word_pieces.hpp"
#include "app/shell/texts/said.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

struct SentenceFacts {
    std::uint32_t n_tokens = 0;  // those that the file puts around a text among them
    std::vector<WordPieces> words;
    std::string dropped;  // what the vocabulary has nothing for
};
SentenceFacts facts_of(const Tokenizer& tokenizer, std::string_view sentence);

// What each token stands for; empty for one that stands for no text.
std::vector<std::string> bytes_of(const Tokenizer& tokenizer, std::span<const TokenId> tokens);

// Whether there is nothing to read at all.
bool is_blank(std::string_view sentence);

// Why it is not run. `most`: prompt tokens that leave room for an answer; 0 where no bound is
// known.
std::optional<Said> problem_of(const SentenceFacts& facts, std::string_view sentence,
                               std::uint64_t most);

// Some words that the model knows whole, from the vocabulary; `from` moves on through them.
std::vector<std::string> known_words(const Tokenizer& tokenizer, std::size_t from,
                                     std::size_t count);

}  // namespace kv
