#include "core/model/tokenizer/unicode/nfc.hpp"

#include <algorithm>
#include <vector>

#include "core/base/files/utf8.hpp"
#include "core/model/tokenizer/unicode/unicode.hpp"

namespace kv {
namespace {

struct Character {
    char32_t value;
    std::uint8_t combining;
};

// Below U+0300 every character is its own normal form and combines with nothing before it.
bool surely_normal(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0xCCU; });
}

void append_decomposed(std::vector<Character>& out, char32_t c) {
    const auto parts = decomposition(c);
    if (!parts) {
        out.push_back({c, combining_class(c)});
        return;
    }
    append_decomposed(out, parts->first);
    if (parts->second) append_decomposed(out, *parts->second);
}

// Marks between two starters are put in the order of their classes; equal ones keep theirs.
void order_marks(std::vector<Character>& text) {
    auto begin = text.begin();
    while (begin != text.end()) {
        const auto end =
            std::find_if(begin, text.end(), [](Character c) { return c.combining == 0; });
        std::stable_sort(begin, end,
                         [](Character a, Character b) { return a.combining < b.combining; });
        begin = end == text.end() ? end : end + 1;
    }
}

// Each character joins the last starter unless one between them, of its class or a higher one,
// stands in the way. `text` shrinks in place.
void compose(std::vector<Character>& text) {
    std::size_t kept = 0, starter = 0;
    bool have_starter = false;
    for (const Character c : text) {
        const bool adjacent = have_starter && kept == starter + 1;
        const bool blocked = !adjacent && have_starter && text[kept - 1].combining >= c.combining;
        if (have_starter && !blocked) {
            if (const auto whole = composition(text[starter].value, c.value)) {
                text[starter].value = *whole;
                continue;
            }
        }
        if (c.combining == 0) {
            starter = kept;
            have_starter = true;
        }
        text[kept++] = c;
    }
    text.resize(kept);
}

}  // namespace

std::string nfc(std::string_view text) {
    if (surely_normal(text)) return std::string(text);
    std::vector<Character> characters;
    characters.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = code_point_at(text, at);
        append_decomposed(characters, c.value);
        at += c.bytes;
    }
    order_marks(characters);
    compose(characters);
    std::string out;
    out.reserve(text.size());
    for (const Character c : characters) append_utf8(out, c.value);
    return out;
}

}  // namespace kv
