#pragma once
// Every word the window shows, by id. `"calc.tokens"_t` is checked at compile time against the ids
// of the English table (english.hpp gathers the parts of it), from which cmake/text_ids.cmake makes
// ids.hpp in the build folder; a translation is one file of `id = text` lines that replaces what it
// names. Sentences are never glued together: a text has {named} places and fill() of
// core/base/fill.hpp puts numbers there.

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell/texts/ids.hpp"
#include "core/base/fill.hpp"

namespace kv {

struct TextId {
    std::size_t index;
    friend bool operator==(TextId, TextId) = default;
};

// The text called prefix + name + suffix; not compiling when there is none.
consteval TextId text_id(std::string_view prefix, std::string_view name, std::string_view suffix) {
    constexpr std::size_t kLongestId = 96;
    std::array<char, kLongestId> letters{};
    std::size_t n = 0;
    for (const std::string_view part : {prefix, name, suffix})
        for (const char letter : part) letters[n++] = letter;
    const std::string_view id(letters.data(), n);
    const auto* const found = std::lower_bound(kTextIds.begin(), kTextIds.end(), id);
    if (found == kTextIds.end() || *found != id)
        throw "no such text id: add it to app/shell/texts/english.hpp or a file that it joins";
    return {static_cast<std::size_t>(found - kTextIds.begin())};
}

consteval TextId operator""_t(const char* id, std::size_t length) {
    return text_id("", std::string_view(id, length), "");
}

// The English words of a text.
std::string_view english(TextId id);

class Texts {
public:
    Texts();  // English

    // Reads `id = text` lines; unknown ids, doubled ids and places that the English text has and
    // the translation lacks are refused with `name` and the line.
    void translate(std::string_view file_text, std::string_view name);
    // Accents, two brackets and a quarter more letters, which is at least a third more up to 27 of
    // them, to see what a translation would break.
    void pseudo();

    const char* operator[](TextId id) const { return texts_[id.index].c_str(); }

    // What the arithmetic itself says in English, such as the meaning of an operand: core knows no
    // table, so a translation names it by its English words, `phrase:query heads = Abfrageköpfe`,
    // with the places that these have.
    Text phrase(std::string_view english_words) const;

private:
    struct Line;
    // Each refuses a line whose like was given before.
    void translate_phrase(const Line& row, std::set<std::string>& given);
    void translate_text(const Line& row, std::vector<bool>& given);

    std::vector<std::string> texts_;
    std::map<std::string, std::string, std::less<>> phrases_;
    bool is_pseudo_ = false;
};

}  // namespace kv
