#pragma once
// The open lesson as the page's reader has it: prose, questions with their fields, verdicts. What
// is not revealed yet is left out.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/panels/lesson/view.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

// "Lesson 8 of 18, step 3 of 15"; empty where none is open.
std::string lesson_place(const Texts& text, const LessonView& lesson);
nlohmann::ordered_json lesson_words(const Texts& text, const LessonView& lesson);  // null: none
// All lessons, each with its number.
nlohmann::ordered_json shelf_words(const Texts& text, const LessonView& lesson);

}  // namespace kv
