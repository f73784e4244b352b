#pragma once
// Notes: what somebody wants to remember beside this scene. They are saved with it. They stand in
// their panel and in the window for who speaks, and never in Present, which the audience sees.

#include <string>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct NotesUi {
    std::string text;
};

void draw_notes(const Ui& ui, NotesUi& own);

// The same for who speaks, over a whole window: where the run stands, what the audience reads in
// Present, and the notes in large type. `run`: null while none is open.
void draw_notes_page(const Ui& ui, NotesUi& own, const RunView* run, const RunFocus& focus,
                     const Rect& room);

}  // namespace kv
