#pragma once
// What Unicode says of a code point, as far as the tokenizer asks: classes of Unicode 14, canonical
// mappings of Unicode 9 (see unicode_tables.py for why). Code points assigned later are no letters,
// numbers or marks here.

#include <cstdint>
#include <optional>

namespace kv {

bool is_letter(char32_t c);       // general category L
bool is_number(char32_t c);       // general category N
bool is_white_space(char32_t c);  // the property White_Space; not U+180E
bool is_word(char32_t c);         // letters, marks, digits, connectors: \w of a regex

struct Decomposition {
    char32_t first;
    std::optional<char32_t> second;
};
std::uint8_t combining_class(char32_t c);
std::optional<Decomposition> decomposition(char32_t whole);  // one step; Hangul included
std::optional<char32_t> composition(char32_t first, char32_t second);

}  // namespace kv
