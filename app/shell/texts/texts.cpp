#include "app/shell/texts/texts.hpp"

#include <algorithm>
#include <array>

#include "app/shell/texts/english.hpp"
#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/letters.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::string_view kPhrase = "phrase:";

bool has_place(std::string_view text, std::string_view place) {
    const auto places = places_of(text);
    return std::find(places.begin(), places.end(), place) != places.end();
}

[[noreturn]] void refuse(std::string_view name, std::size_t line, const std::string& rule) {
    throw Error(ErrorCode::World, shown(name) + ", line " + std::to_string(line) + ": " + rule);
}

// A vowel with an accent; nothing for any other letter.
std::string_view accented(char c) {
    switch (c) {
        case 'a':
            return "à";
        case 'e':
            return "é";
        case 'i':
            return "î";
        case 'o':
            return "ö";
        case 'u':
            return "ü";
        case 'A':
            return "Å";
        case 'E':
            return "É";
        case 'O':
            return "Ø";
        default:
            return {};
    }
}

// As Texts::pseudo says. The name of a place stays as it is, {n}; what may stand behind its colon,
// {n:token|tokens}, is words again.
std::string stretched(std::string_view text) {
    std::string out = "[";
    bool in_place = false;
    for (char c : text) {
        if (c == '{') in_place = true;
        const std::string_view other = in_place ? std::string_view{} : accented(c);
        if (other.empty())
            out += c;
        else
            out += other;
        if (c == '}' || c == ':') in_place = false;
    }
    out.append((text.size() + 3) / 4, '~');
    return out + "]";
}

void refuse_other_bytes(std::string_view text, std::string_view name) {
    const std::size_t good = valid_utf8_prefix(text);
    if (good == text.size()) return;
    const auto broken = text.begin() + static_cast<std::ptrdiff_t>(good);
    refuse(name, 1 + static_cast<std::size_t>(std::count(text.begin(), broken, '\n')),
           "has bytes that are no UTF-8; save the file as UTF-8.");
}

// Refuses control characters, which no font has and no terminal shows.
void refuse_control_characters(std::string_view text, std::string_view name) {
    const auto is_control = [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') ||
               c == 0x7F;
    };
    const auto found = std::find_if(text.begin(), text.end(), is_control);
    if (found == text.end()) return;
    refuse(name, 1 + static_cast<std::size_t>(std::count(text.begin(), found, '\n')),
           "has the control character " + shown(std::string_view(&*found, 1)) + "; leave it out.");
}

// Takes the first line off the text; without the blanks at its ends.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

}  // namespace

static_assert(kEnglish.size() == kTextIds.size(),
              "A table of words is not joined in english.hpp, or a row of it is not one line.");

std::string_view english(TextId id) {
    // The English words by TextId: the ids are in order, the words as english.hpp joins them.
    static const std::array<std::string_view, kTextIds.size()> words = [] {
        std::map<std::string_view, std::string_view> by_id;
        for (const EnglishText& row : kEnglish) by_id.emplace(row.id, row.text);
        std::array<std::string_view, kTextIds.size()> found;
        for (std::size_t i = 0; i < found.size(); ++i) found[i] = by_id.at(kTextIds[i]);
        return found;
    }();
    return words[id.index];
}

Texts::Texts() {
    texts_.reserve(kTextIds.size());
    for (std::size_t i = 0; i < kTextIds.size(); ++i) texts_.emplace_back(english(TextId{i}));
}

// One line of a translation, `id = text`, and where it stands.
struct Texts::Line {
    std::string_view file;
    std::size_t number;
    std::string_view id, text;

    [[noreturn]] void refuse(const std::string& rule) const { kv::refuse(file, number, rule); }
    [[noreturn]] void refuse_twice() const { refuse("`" + std::string(id) + "` is given twice."); }
    void refuse_lost_places(std::string_view english_words) const {
        for (const std::string_view place : places_of(english_words))
            if (!has_place(text, place))
                refuse("`" + std::string(id) + "` needs the place {" + std::string(place) + "}.");
    }
};

void Texts::translate(std::string_view file_text, std::string_view name) {
    refuse_other_bytes(file_text, name);
    refuse_control_characters(file_text, name);
    Texts changed = *this;  // a line that is refused leaves the table as it was
    std::vector<bool> given_texts(kTextIds.size(), false);
    std::set<std::string> given_phrases;
    for (std::size_t number = 1; !file_text.empty(); ++number) {
        const std::string_view line = take_line(file_text);
        if (line.empty() || line.front() == '#') continue;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) refuse(name, number, "expected `id = text`.");
        const Line row{name, number, trimmed(line.substr(0, equals)),
                       trimmed(line.substr(equals + 1))};
        if (row.id.starts_with(kPhrase))
            changed.translate_phrase(row, given_phrases);
        else
            changed.translate_text(row, given_texts);
    }
    *this = std::move(changed);
}

void Texts::translate_phrase(const Line& row, std::set<std::string>& given) {
    const std::string words(trimmed(row.id.substr(kPhrase.size())));
    if (!given.insert(words).second) row.refuse_twice();
    row.refuse_lost_places(words);
    phrases_.insert_or_assign(words, std::string(row.text));
}

void Texts::translate_text(const Line& row, std::vector<bool>& given) {
    const auto found = std::find(kTextIds.begin(), kTextIds.end(), row.id);
    if (found == kTextIds.end()) row.refuse("no text is called `" + std::string(row.id) + "`.");
    const auto index = static_cast<std::size_t>(found - kTextIds.begin());
    if (given[index]) row.refuse_twice();
    given[index] = true;
    row.refuse_lost_places(english(TextId{index}));
    texts_[index] = row.text;
}

void Texts::pseudo() {
    for (std::string& text : texts_) text = stretched(text);
    is_pseudo_ = true;
}

Text Texts::phrase(std::string_view english_words) const {
    const auto translated = phrases_.find(english_words);
    const std::string_view text = translated == phrases_.end() ? english_words : translated->second;
    return is_pseudo_ && !text.empty() ? Text(stretched(text)) : Text(text);
}

}  // namespace kv
