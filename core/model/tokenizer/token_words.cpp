#include "core/model/tokenizer/token_words.hpp"

#include <algorithm>
#include <utility>

#include "core/base/files/utf8.hpp"

namespace kv {
namespace {

void append_byte(std::string& out, unsigned char byte) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    out += "<0x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
    out += '>';
}

// Turns the line around, or cannot be seen: it would show other words than there are.
bool is_unseen(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

// What the bytes are, on one line.
void append_seen(std::string& out, std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t n = utf8_length(bytes, at);
        if (bytes[at] == '\n') {
            out += "\\n";
        } else if (n == 0 || is_unseen(code_point_at(bytes, at).value)) {
            for (std::size_t i = 0; i < std::max<std::size_t>(1, n); ++i)
                append_byte(out, static_cast<unsigned char>(bytes[at + i]));
        } else {
            out.append(bytes, at, n);
        }
        at += std::max<std::size_t>(1, n);
    }
}

}  // namespace

TokenWords::TokenWords(Vocabulary vocabulary, AddedTokens added, TokenDecoder decoder)
    : vocabulary_(std::move(vocabulary)), added_(std::move(added)), decoder_(std::move(decoder)) {}

std::optional<std::string> TokenWords::bytes(TokenId id) const {
    if (const AddedToken* added = added_.find(id)) return decoder_.bytes_of(added->found_as);
    const auto text = vocabulary_.text(id);
    return text ? std::optional(decoder_.bytes_of(*text)) : std::nullopt;
}

std::string TokenWords::text(std::span<const TokenId> ids) const {
    std::string out, known;
    for (const TokenId id : ids) {
        if (const auto more = bytes(id)) {
            known += *more;
            continue;
        }
        append_seen(out, std::exchange(known, {}));
        out += "<id " + std::to_string(id) + ">";
    }
    append_seen(out, known);
    return out;
}

}  // namespace kv
