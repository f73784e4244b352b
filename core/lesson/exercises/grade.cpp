#include "core/lesson/exercises/grade.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/letters.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/lesson/exercises/answer_text.hpp"
#include "core/lesson/exercises/answer_value.hpp"
#include "core/lesson/exercises/exercise_writer.hpp"

namespace kv {
namespace {

constexpr double kRounded = 0.01;  // as far off as a rounded number may be

bool same_words(std::string_view a, std::string_view b) {
    return lower_case(trimmed(a)) == lower_case(trimmed(b));
}

bool matches(const ExercisePart& part, const AnswerValue& value) {
    if (part.quantity != Quantity::Word) return is_right(part, value.number);
    return std::any_of(part.words.begin(), part.words.end(),
                       [&](const std::string& word) { return same_words(word, value.word); });
}

bool matches(const ExercisePart& part, const Slip& slip, const AnswerValue& value) {
    if (part.quantity == Quantity::Word) return same_words(slip.word, value.word);
    return std::abs(value.number - slip.value) <= part.tolerance * std::abs(slip.value);
}

struct UnitPair {
    std::string_view decimal, binary;
    int thousands;  // the power of 1,000 or 1,024 that they stand for
};
constexpr std::array<UnitPair, 4> kUnitPairs{
    {{"kB", "KiB", 1}, {"MB", "MiB", 2}, {"GB", "GiB", 3}, {"TB", "TiB", 4}}};

// "1.2 GB" is said and "1.2 GiB" would be right, or the other way round. A GiB is 1.024^3 GB, so a
// number with the wrong unit is right once that ratio is taken out.
std::optional<std::string> unit_slip(const ExercisePart& part, const AnswerValue& value) {
    if (part.quantity != Quantity::Bytes) return std::nullopt;
    for (const UnitPair& pair : kUnitPairs) {
        const double ratio = math::pow(1.024, pair.thousands);
        // The ratio is no whole number, so what would be exact is off by a fraction of a byte.
        const auto is = [&](double bytes) {
            return std::abs(bytes - part.value) < 0.5 || is_right(part, bytes);
        };
        if (value.unit == pair.decimal && is(value.number * ratio)) return kDecimal;
        if (value.unit == pair.binary && is(value.number / ratio)) return kBinary;
    }
    return std::nullopt;
}

std::optional<std::string> common_slip(const ExercisePart& part, double value) {
    const double right = part.value;
    const auto would_be_right = [&](double other) { return is_right(part, other); };
    if (part.quantity == Quantity::Word || right == 0) return std::nullopt;
    if (part.quantity == Quantity::Bytes && would_be_right(value / 8)) return "bits for bytes";
    if (part.quantity == Quantity::Percent) {
        if (would_be_right(100 * value)) return "a fraction for a percentage";
        if (would_be_right(100 - value)) return "the other part of the whole";
    }
    if (part.quantity == Quantity::Seconds)
        if (would_be_right(value * 1000) || would_be_right(value / 1000))
            return "a unit of time off by 1,000";
    if (part.tolerance == 0 && std::abs(value - right) <= kRounded * std::abs(right))
        return "rounded where the exact number is asked";
    return std::nullopt;
}

// What the question itself knows of comes first, then a unit, then what happens with any number.
std::optional<std::string> slip_of(const ExercisePart& part, const AnswerValue& value) {
    for (const Slip& slip : part.slips)
        if (matches(part, slip, value)) return slip.name;
    if (auto slip = unit_slip(part, value)) return slip;
    return common_slip(part, value.number);
}

// Whether every value of the answer is right, but for another part of the exercise.
bool is_shuffled(const Exercise& exercise, const std::vector<AnswerValue>& values) {
    std::vector<bool> taken(values.size(), false);
    for (const ExercisePart& part : exercise.parts) {
        std::size_t i = 0;
        while (i < values.size() && (taken[i] || !matches(part, values[i]))) ++i;
        if (i == values.size()) return false;
        taken[i] = true;
    }
    return true;
}

}  // namespace

Graded grade(const Exercise& exercise, std::string_view answer) {
    Graded graded;
    const auto values = read_answer(exercise, answer, graded.note);
    if (!values) return graded;
    graded.ok = true;
    for (std::size_t i = 0; i < values->size(); ++i) {
        const ExercisePart& part = exercise.parts[i];
        graded.right.push_back(matches(part, (*values)[i]));
        if (graded.right.back()) continue;
        graded.ok = false;
        if (!graded.slip) graded.slip = slip_of(part, (*values)[i]);
    }
    // Comes before any slip of a single value.
    if (!graded.ok && values->size() > 1 && is_shuffled(exercise, *values))
        graded.slip = "the right values in another order";
    return graded;
}

}  // namespace kv
