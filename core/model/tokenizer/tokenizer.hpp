#pragma once
// The text side of a model: a Hugging Face tokenizer.json with byte-pair encoding, byte-level
// (GPT-2, SmolLM2, Llama 3, Qwen) or SentencePiece style (Llama 2, TinyLlama, Mistral). The same
// ids and the same text as PyPI `tokenizers` 0.23, as far as Unicode 14 goes. What would change an
// id and is not understood is refused by the name of its field. truncation and padding are for
// batches of training data and are passed over.
//
// Text that is not UTF-8: every byte that is part of no character is cut out like a special token
// and becomes the token of that byte, if there is one; what stands before and after it is encoded
// on its own.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/config/config.hpp"
#include "core/model/tokenizer/vocabulary.hpp"

namespace kv {

using TokenizerRefusal = ConfigRefusal;

enum class Additions { None, OfFile };  // what the post-processor puts around a text, as BOS
enum class SpecialTokens { Written, Skipped };  // in decoded text

// A byte or a character that the vocabulary has nothing for, and how often it was left out.
struct DroppedText {
    std::string bytes;
    u64 times;
};

struct EncodedText {
    std::vector<TokenId> ids;
    std::vector<DroppedText> dropped;  // in order of first appearance; mostly empty
};

struct TokenizerParts;

// Immutable, and cheap to copy: copies share their tables.
class Tokenizer {
public:
    explicit Tokenizer(std::shared_ptr<const TokenizerParts> parts) : parts_(std::move(parts)) {}

    // Added tokens written in the text are read as such. Throws kv::Error: Usage above 64 MiB,
    // World when the file's split pattern does not come to an end on this text.
    EncodedText encode(std::string_view text, Additions additions) const;
    // Ids that have no entry are passed over: models have more rows than their tokenizers entries.
    std::string decode(const std::vector<TokenId>& ids, SpecialTokens special) const;

    u64 vocab_size() const;  // entries, added ones included
    u64 id_limit() const;    // every id is below; there may be gaps
    std::optional<TokenId> find(std::string_view token) const;
    std::optional<std::string> token_text(TokenId id) const;  // the entry, as the file has it
    // What it stands for; may be no UTF-8.
    std::optional<std::string> token_bytes(TokenId id) const;
    bool is_special(TokenId id) const;

private:
    friend class TextStream;
    std::shared_ptr<const TokenizerParts> parts_;
};

// Decodes token by token. Everything fed and finished, put together, is decode() of the same ids.
// Each part is valid UTF-8 and final: a character that is not complete is held back, one that can
// no longer become complete is replaced by U+FFFD. A run of byte tokens of a SentencePiece
// vocabulary is held back to its end, because only there is known whether it is text.
class TextStream {
public:
    TextStream(const Tokenizer& tokenizer, SpecialTokens special);
    TextStream(TextStream&&) noexcept;
    TextStream& operator=(TextStream&&) noexcept;
    ~TextStream();

    std::string feed(TokenId id);
    std::string finish();  // afterwards a new text begins

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The bytes of the file. Never throws for what they say.
std::variant<Tokenizer, TokenizerRefusal> parse_tokenizer(std::string_view json);

// Reads the file (at most 64 MiB); throws kv::Error (World) with a sentence that names path, field
// and value.
Tokenizer read_tokenizer(const std::string& path);

}  // namespace kv
