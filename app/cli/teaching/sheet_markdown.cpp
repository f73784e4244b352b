#include "app/cli/teaching/exercise_sheet.hpp"
#include "app/cli/teaching/markdown.hpp"

namespace kv {
namespace {

// A new page for those who print the sheet by way of HTML; elsewhere nothing is seen of it.
constexpr const char* kNewPage = "\n<div style=\"break-after: page\"></div>\n\n";

std::string markdown_heading(const ExerciseSheet& sheet, const SheetCopy& copy, const char* what) {
    return "# " + std::to_string(sheet.lesson) + ". " + markdown_words(sheet.title) + ": " + what +
           "\n\n" + (copy.seed ? "Seed " + std::to_string(*copy.seed) : "Printed numbers") + ".";
}

std::string markdown_question(const Exercise& exercise) {
    std::string text = "**" + exercise.id + "** " + markdown_words(exercise.text) + "\n\n";
    for (const std::string& choice : exercise.choices)
        text += "- [ ] " + markdown_words(choice) + "\n";
    if (exercise.choices.empty())
        for (const ExercisePart& part : exercise.parts)
            text +=
                "- " + markdown_words(label_of_part(part)) + ": \\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\n";
    return text + "\n";
}

std::string markdown_answer(const Exercise& exercise) {
    std::string text =
        "**" + exercise.id + "** " + markdown_words(expected_answer(exercise)) + "\n\n";
    for (const ExercisePart& part : exercise.parts) {
        text += "- " + markdown_words(part.name + " = " + expected_value(part));
        const std::string slips = known_slips(part);
        text += slips.empty() ? "\n" : ". Slips: " + markdown_words(slips) + "\n";
    }
    return text + "- How: " + markdown_words(exercise.hint) + "\n\n";
}

}  // namespace

std::string sheet_markdown(const ExerciseSheet& sheet) {
    std::string text;
    for (const SheetCopy& copy : sheet.copies) {
        if (!text.empty()) text += kNewPage;
        text += markdown_heading(sheet, copy, "exercises") +
                " Name: " + "\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\n\n";
        for (const Exercise& exercise : copy.exercises) text += markdown_question(exercise);
    }
    if (!sheet.with_key) return text;
    for (const SheetCopy& copy : sheet.copies) {
        text += kNewPage + markdown_heading(sheet, copy, "key") + "\n\n";
        for (const Exercise& exercise : copy.exercises) text += markdown_answer(exercise);
    }
    return text;
}

}  // namespace kv
