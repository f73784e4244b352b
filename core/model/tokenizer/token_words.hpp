#pragma once
// The way back alone: ids to words. It needs a vocabulary, added tokens and a decoder, so a
// tokenizer.json is read here whose way in (normalizer, pre-tokenizer, merges, post-processor) is
// not understood; what it has instead of byte-pair encoding is refused by its name.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/model/tokenizer/added_tokens.hpp"
#include "core/model/tokenizer/token_decoder.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

class TokenWords {
public:
    TokenWords(Vocabulary vocabulary, AddedTokens added, TokenDecoder decoder);

    // What it stands for; may be no UTF-8. Nothing for an id without an entry.
    std::optional<std::string> bytes(TokenId id) const;
    // The text of the ids on one line, as valid UTF-8: characters that several tokens make up are
    // put together, bytes that make up none are written as <0xE2>, a line feed as \n, and an id
    // without an entry as <id 7>.
    std::string text(std::span<const TokenId> ids) const;

private:
    Vocabulary vocabulary_;
    AddedTokens added_;
    TokenDecoder decoder_;
};

// The bytes of the file. Never throws for what they say.
std::variant<std::shared_ptr<const TokenWords>, TokenizerRefusal> parse_token_words(
    std::string_view json);

// Reads the file (at most 64 MiB); throws kv::Error (World) with a sentence that names path, field
// and value.
std::shared_ptr<const TokenWords> read_token_words(const std::string& path);

}  // namespace kv
