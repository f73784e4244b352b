#include "app/cli/teaching/exercise_sheet.hpp"
#include "core/lesson/exercises/shelf.hpp"

namespace kv {

SheetCopy sheet_copy(unsigned lesson, std::optional<u64> seed) {
    SheetCopy copy{seed, {}};
    for (const std::string& id : exercises_of(lesson))
        copy.exercises.push_back(seed ? ask(id, *seed) : fixed_exercise(id));
    return copy;
}

std::string name_of_copy(const SheetCopy& copy) {
    return copy.seed ? "seed " + std::to_string(*copy.seed) : "printed numbers";
}

std::string label_of_part(const ExercisePart& part) {
    const std::string unit = part.quantity == Quantity::Bytes ? "bytes" : part.unit;
    const bool said = unit.empty() || part.name.find(unit) != std::string::npos;
    return said ? part.name : part.name + " (" + unit + ")";
}

std::string known_slips(const ExercisePart& part) {
    std::string text;
    for (const Slip& slip : part.slips)
        text += (text.empty() ? "" : "; ") + slip_value(part, slip) + ": " + slip.name;
    return text;
}

}  // namespace kv
