#pragma once
// Prose of a lesson on the screen: paragraphs, bullets, tables and command lines whose words light
// what they name, and open it when they are pressed.

#include <string>
#include <vector>

#include "app/panels/view/focus.hpp"
#include "app/shell/ui.hpp"
#include "core/lesson/course/shown_step.hpp"

namespace kv {

struct LessonProseLook {
    float size = 15, pitch = 23;  // logical pixels
    bool quiet = false;           // text 2 instead of text
};
void draw_lesson_prose(const Ui& ui, const char* id, const ShownProse& prose, RunFocus& focus,
                       const LessonProseLook& look = {});

// The height that it takes in that width, pixels.
float lesson_prose_height(const Ui& ui, const ShownProse& prose, float width,
                          const LessonProseLook& look = {});

// The commands that a press on a link stands for; none when there is nothing to open. Pure.
std::vector<std::string> commands_of(const ShownLink& link);

}  // namespace kv
