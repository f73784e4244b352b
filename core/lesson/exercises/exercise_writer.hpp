#pragma once
// How an exercise is written down: the story, then each value that is asked for, each followed by
// its slips. The closing sentence, which lists the values with their units and tolerances, is made
// from the parts, so that it cannot disagree with how they are graded.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/lesson/exercises/exercise.hpp"

namespace kv {

// Slips that several lessons know.
inline constexpr const char* kKeysOnly = "K only: the values are missing";
inline constexpr const char* kQueryHeads = "n_heads for n_kv_heads";
inline constexpr const char* kGroupSize = "group size for group count";
inline constexpr const char* kDecimal = "decimal for binary";
inline constexpr const char* kBinary = "binary for decimal";
inline constexpr const char* kOneLayer = "one layer only";

class ExerciseWriter {
public:
    explicit ExerciseWriter(std::string story) { exercise_.text = std::move(story); }

    // Exact.
    ExerciseWriter& count(const char* name, const char* unit, u64 value);
    ExerciseWriter& number(const char* name, double value);  // signed, no unit
    ExerciseWriter& bytes(const char* name, u64 value);
    // Within a tolerance, of 1 % unless it is given; times in seconds.
    ExerciseWriter& seconds(const char* name, const char* unit, double value);
    ExerciseWriter& percent(const char* name, double value);
    ExerciseWriter& times(const char* name, double value);
    ExerciseWriter& flop(const char* name, double value);
    ExerciseWriter& real(const char* name, const char* unit, double value);
    ExerciseWriter& within(double tolerance);  // of the last part
    // One of a few words; `others` are right as well.
    ExerciseWriter& word(const char* name, std::string right, std::vector<std::string> others = {});

    ExerciseWriter& any_value();  // of the last part: 0, 1 and repetitions are fine
    template <class Real>
    ExerciseWriter& slip(const char* name, Real value) {
        return add_slip(name, static_cast<double>(value));
    }
    ExerciseWriter& slip_word(const char* name, std::string word);
    // A slip only where its value differs from the right one, with which some slips often agree.
    template <class Real>
    ExerciseWriter& slip_if_wrong(const char* name, Real value) {
        return is_right(last(), static_cast<double>(value)) ? *this : slip(name, value);
    }
    ExerciseWriter& hint(std::string text);

    Exercise done();

private:
    ExerciseWriter& add_slip(const char* name, double value);
    ExercisePart& last() { return exercise_.parts.back(); }
    ExerciseWriter& add(const char* name, Quantity quantity, const char* unit, double value);
    std::string closing() const;

    Exercise exercise_;
};

// A question with one right statement and several wrong ones, each with the name of its slip. The
// choices come in the order in which they are given.
struct Choice {
    std::string text;
    const char* slip = nullptr;  // none: the right one
};
Exercise choice_exercise(std::string question, const std::vector<Choice>& choices,
                         std::string hint);

}  // namespace kv
