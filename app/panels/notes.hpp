#pragma once
// Notes: what somebody wants to remember beside this scene. They are saved with it and stand
// nowhere else on the screen, least of all in Present.

#include <string>

#include "app/shell/ui.hpp"

namespace kv {

struct NotesUi {
    std::string text;
};

void draw_notes(const Ui& ui, NotesUi& own);

}  // namespace kv
