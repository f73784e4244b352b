// A prediction of a step with everything computed, its choices shuffled.

#include <algorithm>

#include "core/base/random.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/course/player.hpp"

namespace kv {
namespace {

class PredictionFiller {
public:
    PredictionFiller(const Lesson& lesson, const Prediction& prediction)
        : lesson_(lesson), p_(prediction) {}

    // `opens` computes where the step opens and `ends` where it ends. Givens and hint, which are
    // read before an answer, know nothing of the end.
    ShownPrediction filled(const Evaluator& opens, const Evaluator& ends) const {
        ShownPrediction out;
        out.question = p_.question;
        out.unit = p_.unit;
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

}  // namespace

ShownPrediction shown_prediction(const Lesson& lesson, const Prediction& prediction,
                                 const Evaluator& opens, const Evaluator& ends,
                                 std::uint64_t seed) {
    ShownPrediction shown = PredictionFiller(lesson, prediction).filled(opens, ends);
    shuffle(shown.choices, seed);
    return shown;
}

}  // namespace kv
