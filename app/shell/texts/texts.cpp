#include "app/shell/texts/texts.hpp"

#include <algorithm>
#include <array>
#include <set>

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

// A vowel becomes its accented self; everything but the names of places is stretched.
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

void Texts::translate(std::string_view file_text, std::string_view name) {
    if (const std::size_t good = valid_utf8_prefix(file_text); good != file_text.size())
        refuse(name,
               1 + static_cast<std::size_t>(
                       std::count(file_text.begin(),
                                  file_text.begin() + static_cast<std::ptrdiff_t>(good), '\n')),
               "has bytes that are no UTF-8; save the file as UTF-8.");
    refuse_control_characters(file_text, name);
    Texts changed = *this;
    std::vector<bool> seen(kTextIds.size(), false);
    std::set<std::string> given;
    std::size_t line_number = 0;
    while (!file_text.empty()) {
        const std::size_t end = std::min(file_text.find('\n'), file_text.size());
        const std::string_view line = trimmed(file_text.substr(0, end));
        file_text.remove_prefix(std::min(end + 1, file_text.size()));
        ++line_number;
        if (line.empty() || line.front() == '#') continue;

        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) refuse(name, line_number, "expected `id = text`.");
        const std::string_view id = trimmed(line.substr(0, equals));
        const std::string_view text = trimmed(line.substr(equals + 1));
        const auto needs_places = [&](std::string_view english_text) {
            for (const std::string_view place : places_of(english_text))
                if (!has_place(text, place))
                    refuse(
                        name, line_number,
                        "`" + std::string(id) + "` needs the place {" + std::string(place) + "}.");
        };
        if (id.starts_with(kPhrase)) {
            const std::string english(trimmed(id.substr(kPhrase.size())));
            if (!given.insert(english).second)
                refuse(name, line_number, "`" + std::string(id) + "` is given twice.");
            needs_places(english);
            changed.phrases_.insert_or_assign(english, std::string(text));
            continue;
        }
        const auto found = std::find(kTextIds.begin(), kTextIds.end(), id);
        if (found == kTextIds.end())
            refuse(name, line_number, "no text is called `" + std::string(id) + "`.");
        const auto index = static_cast<std::size_t>(found - kTextIds.begin());
        if (seen[index]) refuse(name, line_number, "`" + std::string(id) + "` is given twice.");
        seen[index] = true;
        needs_places(english(TextId{index}));
        changed.texts_[index] = text;
    }
    *this = std::move(changed);
}

void Texts::pseudo() {
    for (std::string& text : texts_) text = stretched(text);
    is_pseudo_ = true;
}

Text Texts::phrase(std::string_view english) const {
    const auto translated = phrases_.find(english);
    const std::string_view text = translated == phrases_.end() ? english : translated->second;
    return is_pseudo_ && !text.empty() ? Text(stretched(text)) : Text(text);
}

}  // namespace kv
