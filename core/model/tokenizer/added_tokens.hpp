#pragma once
// Tokens that are found in the text as they stand, before anything is cut: the added_tokens of a
// tokenizer.json, special ones among them. At each place the longest counts.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/tokenizer/text_normalizer.hpp"
#include "core/model/tokenizer/vocabulary.hpp"

namespace kv {

struct AddedToken {
    TokenId id = 0;
    std::string content;
    bool single_word = false;  // not beside a word character
    bool lstrip = false;       // takes the white space before it along
    bool rstrip = false;       // and after it
    bool normalized = true;    // is looked for in the normalized text, in its normalized form
    bool special = false;

    std::string found_as;  // content, or its normalized form; decoding writes this one
};

// One set of texts to look for.
class TokenFinder {
public:
    TokenFinder() = default;
    // `why` names a text that two tokens have.
    static std::optional<TokenFinder> make(std::vector<AddedToken> tokens, std::string& why);

    using TakeText = std::function<bool(std::string_view text, bool at_start)>;
    using TakeToken = std::function<void(TokenId id)>;
    // Hands over texts and tokens in turn; a text that returns false ends it with false.
    bool cut(std::string_view text, bool at_start, const TakeText& take_text,
             const TakeToken& take_token) const;

private:
    const AddedToken* longest_at(std::string_view text, std::size_t at) const;

    std::vector<AddedToken> tokens_;  // by found_as
    std::vector<bool> starts_ = std::vector<bool>(256, false);
};

class AddedTokens {
public:
    AddedTokens() = default;
    // Fills in found_as. `why` says which two tokens cannot be told apart.
    static std::optional<AddedTokens> make(std::vector<AddedToken> tokens,
                                           const TextNormalizer& normalizer, std::string& why);

    const AddedToken* find(std::string_view content) const;
    const AddedToken* find(TokenId id) const;
    bool is_skipped(TokenId id) const;  // a special token, when special tokens are to be left out
    const std::vector<AddedToken>& all() const { return tokens_; }  // by id
    const TokenFinder& in_raw_text() const { return raw_; }
    const TokenFinder& in_normalized_text() const { return normalized_; }

private:
    std::vector<AddedToken> tokens_;
    TokenFinder raw_, normalized_;
};

}  // namespace kv
