#include "core/base/files/utf8.hpp"

#include "core/base/error.hpp"

namespace kv {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// Bytes of the sequence that this byte can start; 0 when it starts none.
std::size_t length_from_lead(unsigned char lead) {
    if (lead < 0x80U) return 1;
    if (lead < 0xC2U) return 0;
    if (lead < 0xE0U) return 2;
    if (lead < 0xF0U) return 3;
    return lead < 0xF5U ? 4 : 0;
}

// Whether the byte can go on a sequence that has begun. The second byte is where overlong forms,
// surrogates and too large numbers show.
bool fits(std::string_view begun, unsigned char byte) {
    const unsigned char lead = byte_at(begun, 0);
    if (begun.size() == 1) {
        if (lead == 0xE0U) return byte >= 0xA0U && byte <= 0xBFU;
        if (lead == 0xEDU) return byte >= 0x80U && byte <= 0x9FU;
        if (lead == 0xF0U) return byte >= 0x90U && byte <= 0xBFU;
        if (lead == 0xF4U) return byte >= 0x80U && byte <= 0x8FU;
    }
    return (byte & 0xC0U) == 0x80U;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
    const std::size_t length = length_from_lead(byte_at(text, at));
    if (length > text.size() - at) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!fits(text.substr(at, i), byte_at(text, at + i))) return 0;
    }
    return length;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const unsigned char lead = byte_at(text, at);
    if (lead < 0x80U) return {lead, 1};
    const std::size_t bytes = length_from_lead(lead);
    KV_ASSERT(bytes > 1 && bytes <= text.size() - at);
    char32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) value = value << 6U | (byte_at(text, at + i) & 0x3FU);
    return {value, bytes};
}

CodePoint code_point_before(std::string_view text, std::size_t at) {
    KV_ASSERT(at > 0 && at <= text.size());
    std::size_t start = at - 1;
    while (start > 0 && (byte_at(text, start) & 0xC0U) == 0x80U) --start;
    return code_point_at(text, start);
}

void append_utf8(std::string& out, char32_t c) {
    const auto continuation = [&](unsigned shift) {
        out += static_cast<char>(0x80U | (c >> shift & 0x3FU));
    };
    if (c < 0x80) {
        out += static_cast<char>(c);
        return;
    }
    if (c < 0x800) {
        out += static_cast<char>(0xC0U | c >> 6U);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0U | c >> 12U);
        continuation(6);
    } else {
        out += static_cast<char>(0xF0U | c >> 18U);
        continuation(12);
        continuation(6);
    }
    continuation(0);
}

std::size_t valid_utf8_prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) break;
        at += length;
    }
    return at;
}

std::string Utf8Repair::feed(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) take(static_cast<unsigned char>(byte), out);
    return out;
}

void Utf8Repair::take(unsigned char byte, std::string& out) {
    if (!held_.empty() && !fits(held_, byte)) {
        out += kReplacementCharacter;
        held_.clear();
    }
    if (held_.empty()) {
        wanted_ = length_from_lead(byte);
        if (wanted_ == 0) {
            out += kReplacementCharacter;
            return;
        }
    }
    held_ += static_cast<char>(byte);
    if (held_.size() < wanted_) return;
    out += held_;
    held_.clear();
}

std::string Utf8Repair::finish() {
    const bool cut = !held_.empty();
    held_.clear();
    return cut ? std::string(kReplacementCharacter) : std::string();
}

}  // namespace kv
