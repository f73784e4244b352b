#include "core/lesson/exercises/exercise_writer.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kTolerance = 0.01;

bool has_word(std::string_view text, std::string_view word) {
    const auto is_letter = [&](std::size_t i) {
        return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]));
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1))
        if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
    return false;
}

std::string with_unit(const ExercisePart& part) {
    const std::string unit = part.quantity == Quantity::Bytes ? "bytes" : part.unit;
    if (unit.empty()) return part.name;
    // "the blocks (blocks)" says one word twice.
    return has_word(part.name, unit) ? part.name : part.name + " (" + unit + ")";
}

std::string listed(const std::vector<ExercisePart>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char* before = i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        text += before + with_unit(parts[i]);
    }
    return text;
}

}  // namespace

ExerciseWriter& ExerciseWriter::add(const char* name, Quantity quantity, const char* unit,
                                    double value) {
    ExercisePart part;
    part.name = name;
    part.quantity = quantity;
    part.unit = unit;
    part.value = value;
    exercise_.parts.push_back(std::move(part));
    return *this;
}

ExerciseWriter& ExerciseWriter::count(const char* name, const char* unit, u64 value) {
    return add(name, Quantity::Count, unit, static_cast<double>(value));
}
ExerciseWriter& ExerciseWriter::number(const char* name, double value) {
    return add(name, Quantity::Number, "", value);
}
ExerciseWriter& ExerciseWriter::bytes(const char* name, u64 value) {
    return add(name, Quantity::Bytes, "B", static_cast<double>(value));
}
ExerciseWriter& ExerciseWriter::seconds(const char* name, const char* unit, double value) {
    return add(name, Quantity::Seconds, unit, value).within(kTolerance);
}
ExerciseWriter& ExerciseWriter::percent(const char* name, double value) {
    return add(name, Quantity::Percent, "%", value).within(kTolerance);
}
ExerciseWriter& ExerciseWriter::times(const char* name, double value) {
    return add(name, Quantity::Times, "x", value).within(kTolerance);
}
ExerciseWriter& ExerciseWriter::flop(const char* name, double value) {
    return add(name, Quantity::Flop, "FLOP", value).within(kTolerance);
}
ExerciseWriter& ExerciseWriter::real(const char* name, const char* unit, double value) {
    return add(name, Quantity::Number, unit, value).within(kTolerance);
}
ExerciseWriter& ExerciseWriter::within(double tolerance) {
    last().tolerance = tolerance;
    return *this;
}

ExerciseWriter& ExerciseWriter::word(const char* name, std::string right,
                                     std::vector<std::string> others) {
    add(name, Quantity::Word, "", 0);
    last().words.push_back(std::move(right));
    last().words.insert(last().words.end(), others.begin(), others.end());
    return *this;
}

ExerciseWriter& ExerciseWriter::any_value() {
    last().any_value = true;
    return *this;
}
ExerciseWriter& ExerciseWriter::add_slip(const char* name, double value) {
    last().slips.push_back({name, value});
    return *this;
}
ExerciseWriter& ExerciseWriter::slip_word(const char* name, std::string word) {
    last().slips.push_back({name, 0, std::move(word)});
    return *this;
}
ExerciseWriter& ExerciseWriter::hint(std::string text) {
    exercise_.hint = std::move(text);
    return *this;
}

std::string ExerciseWriter::closing() const {
    double tolerance = 0;
    bool exact = false;
    for (const ExercisePart& part : exercise_.parts) {
        tolerance = std::max(tolerance, part.tolerance);
        exact = exact || (part.tolerance == 0 && part.quantity != Quantity::Word);
    }
    std::string text = " Give " + listed(exercise_.parts);
    if (exercise_.parts.size() > 1) text += ", in this order";
    const std::string about = "within " + significant(100 * tolerance, 1) + " %";
    if (exact && tolerance > 0) return text + "; whole numbers exactly, the rest " + about + ".";
    if (exact) return text + "; exactly.";
    return text + (tolerance > 0 ? "; " + about + "." : ".");
}

Exercise ExerciseWriter::done() {
    KV_ASSERT(!exercise_.parts.empty());
    exercise_.text += closing();
    return std::move(exercise_);
}

Exercise choice_exercise(std::string question, const std::vector<Choice>& choices,
                         std::string hint) {
    Exercise exercise;
    exercise.text = std::move(question);
    exercise.hint = std::move(hint);
    ExercisePart part;
    part.name = "the answer";
    part.quantity = Quantity::Word;
    for (const Choice& choice : choices) {
        exercise.choices.push_back(choice.text);
        if (choice.slip == nullptr)
            part.words.push_back(choice.text);
        else
            part.slips.push_back({choice.slip, 0, choice.text});
    }
    KV_ASSERT(part.words.size() == 1);
    exercise.parts.push_back(std::move(part));
    return exercise;
}

}  // namespace kv
