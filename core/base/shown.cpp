#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::size_t kLongest = 160;

bool continuation(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// Bytes of the well-formed UTF-8 sequence that starts here; 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80U                    ? 1
                               : lead >= 0xC2U && lead < 0xE0U ? 2
                               : lead >= 0xE0U && lead < 0xF0U ? 3
                               : lead >= 0xF0U && lead < 0xF5U ? 4
                                                               : 0;
    for (std::size_t next = 1; next < length; ++next) {
        if (!continuation(text, at + next)) return 0;
    }
    return length;
}

void append_escape(std::string& out, unsigned char byte) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (byte == '\n') {
        out += "\\n";
        return;
    }
    out += "\\x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
}

}  // namespace

std::string shown(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size() && out.size() < kLongest) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = sequence_length(text, at);
        if (length == 0 || byte < 0x20U || byte == 0x7FU) {
            append_escape(out, byte);
            ++at;
            continue;
        }
        out.append(text.substr(at, length));
        at += length;
    }
    return at < text.size() ? out + "..." : out;
}

}  // namespace kv
