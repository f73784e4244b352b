#include "core/lesson/course/prediction.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/random.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/code/shown_code.hpp"
#include "core/lesson/course/player.hpp"

namespace kv {
namespace {

class PredictionFiller {
public:
    PredictionFiller(const Lesson& lesson, const Prediction& prediction)
        : lesson_(lesson), p_(prediction) {}

    ShownPrediction filled(const Evaluator& opens, const Evaluator& ends) const {
        ShownPrediction out;
        out.question = p_.question, out.unit = p_.unit;
        for (const PredictionGiven& given : p_.givens)
            out.givens.push_back(
                {given.label, plain_line(shown_prose(lesson_, opens, given.value))});
        out.answer = text_of(p_.answer, lesson_value(lesson_, ends, p_.answer));
        for (const LessonExpression& choice : p_.choices)
            out.choices.push_back(text_of(choice, lesson_value(lesson_, ends, choice)));
        if (p_.accepts) out.also_right = accepted(ends);
        out.hint = shown_prose(lesson_, opens, p_.hint);
        out.why = shown_prose(lesson_, ends, p_.why);
        check_choices(out);
        return out;
    }

private:
    [[noreturn]] void refuse(std::uint32_t line, const std::string& sentence) const {
        refuse_lesson(lesson_, line, sentence);
    }

    std::string text_of(const LessonExpression& e, const LessonValue& value) const {
        const auto text = value_shown(value, p_.format);
        if (!text)
            refuse(e.line,
                   "the format of the prediction does not go with its answer; change one of them.");
        return *text;
    }

    std::vector<std::string> accepted(const Evaluator& ends) const {
        const LessonValue all = lesson_value(lesson_, ends, *p_.accepts);
        const auto* list = all.shared<LessonList>();
        if (list == nullptr) refuse(p_.accepts->line, "accept wants a list; write one.");
        std::vector<std::string> texts;
        for (const LessonValue& value : *list) texts.push_back(text_of(*p_.accepts, value));
        return texts;
    }

    void check_choices(const ShownPrediction& p) const {
        const auto count = [&p](const std::string& choice) {
            return std::count(p.choices.begin(), p.choices.end(), choice);
        };
        if (!p.choices.empty() && count(p.answer) != 1)
            refuse(p_.line, "the answer of the prediction, \"" + shown(p.answer) +
                                "\", is not exactly one of its choices; add it.");
        for (const std::string& choice : p.choices)
            if (count(choice) > 1)
                refuse(p_.line, "the prediction has the choice \"" + shown(choice) +
                                    "\" twice; change one of them.");
    }

    const Lesson& lesson_;
    const Prediction& p_;
};

// An author writes the right choice first. Fisher and Yates.
void shuffle(std::vector<std::string>& choices, std::uint64_t seed) {
    const Random random(seed, 0);
    for (std::size_t n = choices.size(); n > 1; --n)
        std::swap(choices[n - 1], choices[random.below(n, static_cast<std::uint32_t>(n))]);
}

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

ShownPrediction shown_prediction(const Lesson& lesson, const Prediction& prediction,
                                 const Evaluator& opens, const Evaluator& ends,
                                 std::uint64_t seed) {
    ShownPrediction shown = PredictionFiller(lesson, prediction).filled(opens, ends);
    shuffle(shown.choices, seed);
    return shown;
}

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
