#include "core/model/tokenizer/tokenizer.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/model/tokenizer/parts.hpp"
#include "core/model/tokenizer/unicode/byte_letters.hpp"

namespace kv {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20U;

// One text on its way to ids.
class Encoder {
public:
    explicit Encoder(const TokenizerParts& parts) : parts_(parts) {}

    bool run(std::string_view text);
    EncodedText take(Additions additions);

private:
    // `at_start`: the text is the beginning of what the user wrote, where SentencePiece puts its
    // blank. False: the split pattern gave up.
    bool encode_raw(std::string_view text, bool at_start);
    bool normalize_and_encode(std::string_view text, bool at_start);
    bool encode_normalized(std::string_view text, bool at_start);
    void stray_byte(unsigned char byte);
    void drop(const std::string& bytes);
    void report_characters();

    const TokenizerParts& parts_;
    EncodedText out_;
    Bpe::Scratch scratch_;
    std::vector<char32_t> dropped_;                          // of the piece at hand
    std::unordered_map<std::string, std::size_t> reported_;  // index into out_.dropped
};

bool Encoder::run(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t valid = valid_utf8_prefix(text.substr(at));
        if (valid > 0 && !encode_raw(text.substr(at, valid), at == 0)) return false;
        at += valid;
        if (at < text.size()) stray_byte(static_cast<unsigned char>(text[at++]));
    }
    return true;
}

// Added tokens are cut out twice: those that are looked for as they stand before the text is
// normalized, the others behind it, in their own normalized form (AddedToken::normalized).
bool Encoder::encode_raw(std::string_view text, bool at_start) {
    return parts_.added.in_raw_text().cut(
        text, at_start,
        [this](std::string_view rest, bool first) { return normalize_and_encode(rest, first); },
        [this](TokenId id) { out_.ids.push_back(id); });
}

bool Encoder::normalize_and_encode(std::string_view text, bool at_start) {
    if (parts_.normalizer.does_nothing()) return encode_normalized(text, at_start);
    return encode_normalized(parts_.normalizer.apply(text), at_start);
}

bool Encoder::encode_normalized(std::string_view text, bool at_start) {
    return parts_.added.in_normalized_text().cut(
        text, at_start,
        [this](std::string_view rest, bool first) {
            return parts_.pre_tokenizer.run(rest, first, [this](std::string_view piece) {
                parts_.bpe.encode(piece, scratch_, out_.ids, dropped_);
                if (!dropped_.empty()) report_characters();
            });
        },
        [this](TokenId id) { out_.ids.push_back(id); });
}

// A byte that is no UTF-8: it becomes its own token (<0xE9>) or the token of its letter, where
// there is one.
void Encoder::stray_byte(unsigned char byte) {
    std::string letter;
    append_utf8(letter, letter_of_byte(byte));
    auto id = parts_.bpe.byte_token(byte);
    if (!id && parts_.pre_tokenizer.writes_letters()) id = parts_.bpe.vocabulary().find(letter);
    if (id) {
        out_.ids.push_back(*id);
    } else {
        drop({static_cast<char>(byte)});
    }
}

// What BPE has no id for, as the bytes of the text: byte-level pieces are letters that stand for
// bytes.
void Encoder::report_characters() {
    for (const char32_t c : dropped_) {
        const auto byte = parts_.pre_tokenizer.writes_letters() ? byte_of_letter(c) : std::nullopt;
        std::string bytes;
        if (byte)
            bytes = static_cast<char>(*byte);
        else
            append_utf8(bytes, c);
        drop(bytes);
    }
    dropped_.clear();
}

void Encoder::drop(const std::string& bytes) {
    const auto [known, is_new] = reported_.emplace(bytes, out_.dropped.size());
    if (is_new) out_.dropped.push_back({bytes, 0});
    ++out_.dropped[known->second].times;
}

EncodedText Encoder::take(Additions additions) {
    if (additions == Additions::OfFile) {
        out_.ids.insert(out_.ids.begin(), parts_.before.begin(), parts_.before.end());
        out_.ids.insert(out_.ids.end(), parts_.after.begin(), parts_.after.end());
    }
    return std::move(out_);
}

// The text of a token as decoding sees it.
std::optional<std::string_view> decoded_form(const TokenizerParts& parts, TokenId id) {
    if (const AddedToken* added = parts.added.find(id)) return added->found_as;
    return parts.bpe.vocabulary().text(id);
}

}  // namespace

EncodedText Tokenizer::encode(std::string_view text, Additions additions) const {
    if (text.size() > kMaxTextBytes) {
        throw Error{ErrorCode::Usage, "The text has " + with_commas(text.size()) +
                                          " bytes, and the limit is " + with_commas(kMaxTextBytes) +
                                          "; cut it into parts."};
    }
    Encoder encoder{*parts_};
    if (!encoder.run(text)) {
        throw Error{
            ErrorCode::World,
            "The split pattern of this tokenizer.json does not come to an end on this text; "
            "use the file as it was published, or another text."};
    }
    return encoder.take(additions);
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, SpecialTokens special) const {
    TextStream stream{*this, special};
    std::string text;
    for (const TokenId id : ids) text += stream.feed(id);
    return text + stream.finish();
}

u64 Tokenizer::vocab_size() const {
    const Vocabulary& vocabulary = parts_->bpe.vocabulary();
    const auto& added = parts_->added.all();
    const auto beyond = std::count_if(added.begin(), added.end(), [&](const AddedToken& token) {
        return !vocabulary.find(token.content);
    });
    return vocabulary.size() + static_cast<u64>(beyond);
}

u64 Tokenizer::id_limit() const {
    const auto& added = parts_->added.all();
    const u64 limit = added.empty() ? 0 : u64{added.back().id} + 1;
    return std::max(limit, parts_->bpe.vocabulary().id_limit());
}

std::optional<TokenId> Tokenizer::find(std::string_view token) const {
    if (const AddedToken* added = parts_->added.find(token)) return added->id;
    return parts_->bpe.vocabulary().find(token);
}

std::optional<std::string> Tokenizer::token_text(TokenId id) const {
    if (const AddedToken* added = parts_->added.find(id)) return added->content;
    const auto text = parts_->bpe.vocabulary().text(id);
    return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::optional<std::string> Tokenizer::token_bytes(TokenId id) const {
    const auto text = decoded_form(*parts_, id);
    return text ? std::optional(parts_->decoder.bytes_of(*text)) : std::nullopt;
}

bool Tokenizer::is_special(TokenId id) const {
    const AddedToken* added = parts_->added.find(id);
    return added && added->special;
}

struct TextStream::State {
    std::shared_ptr<const TokenizerParts> parts;
    SpecialTokens special;
    DecoderRun run;
};

TextStream::TextStream(const Tokenizer& tokenizer, SpecialTokens special)
    : state_(new State{tokenizer.parts_, special, DecoderRun{tokenizer.parts_->decoder}}) {}
TextStream::TextStream(TextStream&&) noexcept = default;
TextStream& TextStream::operator=(TextStream&&) noexcept = default;
TextStream::~TextStream() = default;

std::string TextStream::feed(TokenId id) {
    const auto text = decoded_form(*state_->parts, id);
    if (!text) return "";
    if (state_->special == SpecialTokens::Skipped && state_->parts->added.is_skipped(id)) return "";
    return state_->run.feed(*text);
}

std::string TextStream::finish() {
    std::string rest = state_->run.finish();
    state_->run = DecoderRun{state_->parts->decoder};
    return rest;
}

}  // namespace kv
