#pragma once
// A step of a lesson in front of an audience: its title, and as much of its words as the moment
// needs, as large as there is room for.

#include "app/panels/lesson/view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The words at this moment: what is asked, or the text where nothing is; after the reveal what was
// seen. Pure.
std::string present_lesson_words(const LessonView& lesson, const Texts& text);

void draw_present_lesson(const Ui& ui, const LessonView& lesson, const Rect& caption,
                         const Rect& prose);

}  // namespace kv
