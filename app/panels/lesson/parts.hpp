#pragma once
// The parts that the Lesson panel is put together of. Internal to it.

#include "app/panels/lesson/view.hpp"
#include "app/panels/view/focus.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// All lessons, and how far each was read.
void draw_lesson_shelf(const Ui& ui, const LessonView& view);
// What is asked, and behind the reveal what was said and what is real.
void draw_lesson_prediction(const Ui& ui, const LessonView& view, std::size_t i, RunFocus& focus);
// Reveal, or Show where nothing was asked.
void draw_lesson_reveal(const Ui& ui, const LessonView& view);
void draw_lesson_exercise(const Ui& ui, const AskedExercise& asked);
void draw_lesson_task(const Ui& ui, const LessonView& view, const TaskCard& card);

// What is allowed, in one line: "You may change: set pool, add".
Text allowed_words(const Ui& ui, const ShownTask& task);
// When it is done, or what is counted.
Text task_rule(const Ui& ui, const ShownTask& task);

}  // namespace kv
