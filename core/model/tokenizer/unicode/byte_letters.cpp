#include "core/model/tokenizer/unicode/byte_letters.hpp"

#include <array>

#include "core/base/files/utf8.hpp"

namespace kv {
namespace {

constexpr char32_t kFirstFree = 0x100;
constexpr std::size_t kHidden = 68;  // bytes that are not printable in Latin-1

constexpr bool printable(unsigned byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
}

struct Alphabet {
    std::array<char32_t, 256> letter{};
    std::array<unsigned char, kHidden> hidden{};  // by letter - kFirstFree
};

constexpr Alphabet make_alphabet() {
    Alphabet made;
    std::size_t n = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        made.letter[byte] = byte;
        if (printable(byte)) continue;
        made.letter[byte] = kFirstFree + static_cast<char32_t>(n);
        made.hidden[n++] = static_cast<unsigned char>(byte);
    }
    return made;
}
constexpr Alphabet kAlphabet = make_alphabet();
static_assert(kAlphabet.hidden[kHidden - 1] == 0xAD && kAlphabet.letter[' '] == 0x120);

}  // namespace

char32_t letter_of_byte(unsigned char byte) {
    return kAlphabet.letter[byte];
}

std::optional<unsigned char> byte_of_letter(char32_t letter) {
    if (letter < kFirstFree) {
        if (!printable(letter)) return std::nullopt;
        return static_cast<unsigned char>(letter);
    }
    if (letter - kFirstFree >= kHidden) return std::nullopt;
    return kAlphabet.hidden[letter - kFirstFree];
}

void append_letters(std::string& out, std::string_view bytes) {
    for (const char byte : bytes)
        append_utf8(out, letter_of_byte(static_cast<unsigned char>(byte)));
}

std::optional<std::string> bytes_of_letters(std::string_view letters) {
    std::string bytes;
    for (std::size_t at = 0; at < letters.size();) {
        const CodePoint c = code_point_at(letters, at);
        const auto byte = byte_of_letter(c.value);
        if (!byte) return std::nullopt;
        bytes += static_cast<char>(*byte);
        at += c.bytes;
    }
    return bytes;
}

}  // namespace kv
