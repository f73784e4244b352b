#pragma once
// Byte-level BPE writes every byte as one printable letter: itself where it is printable in
// Latin-1, else the next free code point from U+0100 on. So a vocabulary is plain text, whatever
// bytes it stands for; the letter of the blank is U+0120.

#include <optional>
#include <string>
#include <string_view>

namespace kv {

char32_t letter_of_byte(unsigned char byte);
std::optional<unsigned char> byte_of_letter(char32_t letter);

void append_letters(std::string& out, std::string_view bytes);

// The bytes behind a text of letters; nothing when one of its characters is no such letter.
std::optional<std::string> bytes_of_letters(std::string_view letters);

}  // namespace kv
