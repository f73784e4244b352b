#include "core/lesson/course/given_away.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/shown.hpp"
#include "core/lesson/code/shown_code.hpp"

namespace kv {
namespace {

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Whether the text holds the words as a whole: neither 12 in 512, 12.5 or 12,000, nor "lock" in
// "block".
bool stands_in(const std::string& text, const std::string& wanted) {
    const auto goes_on = [&text](std::size_t at, int step) {
        if (at >= text.size()) return false;
        if (is_of_word(text[at])) return true;
        const std::size_t next = at + static_cast<std::size_t>(step);
        return (text[at] == '.' || text[at] == ',') && next < text.size() &&
               std::isdigit(static_cast<unsigned char>(text[next])) != 0;
    };
    for (std::size_t at = text.find(wanted); at != std::string::npos;
         at = text.find(wanted, at + 1))
        if (!goes_on(at - 1, -1) && !goes_on(at + wanted.size(), 1)) return true;
    return false;
}

// A number below twenty as a word; empty for all else.
std::string as_word(const std::string& number) {
    static constexpr const char* kWords[] = {
        "none",     "one",     "two",     "three",     "four",     "five",    "six",
        "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    if (number.empty() || number.size() > 2 ||
        !std::all_of(number.begin(), number.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
        return {};
    const std::size_t n = std::stoul(number);
    return n < std::size(kWords) ? kWords[n] : "";
}

// The ways in which an answer may be written. A bare number below twenty stands in every text, so
// it counts only with its unit.
std::vector<std::string> spellings(const std::string& answer, const std::string& unit) {
    const std::string said = lower(answer), word = as_word(said), what = lower(unit);
    const auto with_unit = [&what](const std::string& number) {
        return number + (what.starts_with('%') ? "" : " ") + what;
    };
    if (!word.empty())
        return what.empty() ? std::vector<std::string>{}
                            : std::vector<std::string>{with_unit(said), with_unit(word)};
    std::vector<std::string> all{said};
    std::string plain = said;
    std::erase(plain, ',');
    if (plain != said) all.push_back(plain);
    return all;
}

std::string visible_words(const ShownStep& step) {
    std::string words = step.title + "\n" + plain_text(step.text);
    for (const ShownPrediction& p : step.predictions)
        for (const ShownGiven& given : p.givens) words += "\n" + given.value;
    if (step.code != nullptr) words += "\n" + plain_text(shown_code(*step.code));
    return lower(words);
}

}  // namespace

std::vector<std::string> given_away(const ShownStep& step) {
    const std::string words = visible_words(step);
    const auto told = [&words](const std::string& answer, const std::string& unit) {
        const auto all = spellings(answer, unit);
        return std::any_of(all.begin(), all.end(),
                           [&](const auto& s) { return stands_in(words, s); });
    };
    std::vector<std::string> sentences;
    for (const ShownPrediction& p : step.predictions) {
        const bool other_too = std::any_of(
            p.choices.begin(), p.choices.end(),
            [&](const std::string& choice) { return choice != p.answer && told(choice, p.unit); });
        if (!other_too && told(p.answer, p.unit))
            sentences.push_back("the answer \"" + shown(p.answer) + "\" of \"" + shown(p.question) +
                                "\" stands before it is asked for; take it out of title, text and "
                                "what is given");
    }
    return sentences;
}

}  // namespace kv
