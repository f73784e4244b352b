#pragma once
// Notes: what somebody wants to remember beside this scene, saved with it, or beside a page of a
// lesson. They stand in their panel and in the window for the speaker, and never in Present, which
// the audience sees.

#include <map>
#include <string>

#include "app/panels/lesson/view.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

struct NotesUi {
    std::string text;  // in the field: words of the scene, or own ones about the page
    std::map<std::string, std::string> of_pages = {};  // own words about pages of lessons: "8:walk"
    std::string page = {};                             // of `text`; empty: it belongs to the scene
    std::string given = {};  // what the scene of that page brought along: no own words

    // Moves own words about the page to `of_pages`. Once a frame, so that none are lost.
    void keep();
    // To another page, whose scene has put its words into `text`: own words take their place.
    void turn_to(const std::string& next);
};

void draw_notes(const Ui& ui, NotesUi& own, const LessonView* lesson = nullptr);

// The same for the speaker, over a whole window: the page that is in front and what comes next,
// what the audience reads in Present, and the notes in large type. `run`: null while none is open.
struct NotesPage {
    const RunView* run = nullptr;
    const RunFocus& focus;
    const LessonView* lesson = nullptr;
    bool frozen = false;     // the large screen stands still
    std::string clock = {};  // "14:05"
};
void draw_notes_page(const Ui& ui, NotesUi& own, const NotesPage& page, const Rect& room);

// What comes when the speaker goes on. Pure.
Text next_page(const LessonView& lesson, const Texts& text);

}  // namespace kv
