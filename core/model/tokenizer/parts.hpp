#pragma once
// What a tokenizer is made of, in the order in which a text meets it. Internal to the tokenizer.

#include <vector>

#include "core/model/tokenizer/added_tokens.hpp"
#include "core/model/tokenizer/bpe.hpp"
#include "core/model/tokenizer/pre_tokenizer.hpp"
#include "core/model/tokenizer/text_normalizer.hpp"
#include "core/model/tokenizer/token_decoder.hpp"

namespace kv {

struct TokenizerParts {
    AddedTokens added;
    TextNormalizer normalizer;
    PreTokenizer pre_tokenizer;
    Bpe bpe;
    std::vector<TokenId> before, after;  // what the post-processor puts around a text
    TokenDecoder decoder;
};

}  // namespace kv
