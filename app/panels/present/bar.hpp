#pragma once
// The bar at the top edge of Present: the way out, where in the lesson, and the keys that a speaker
// needs. It leaves after three seconds without the mouse, but for the page.

#include <cstddef>
#include <string>

#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

constexpr double kBarSeconds = 3;
constexpr float kPresentBar = 40;  // logical pixels

struct PresentBarUi {
    bool shown = true;
    double since = -1;    // seconds; below 0: Present was not drawn yet
    bool called = false;  // by a command
};
// Whether it is to be seen now; a mouse that moves and a call bring it back.
void follow_bar(PresentBarUi& own, bool mouse_moved, double now);

struct PresentBarView {
    Text title, page;
    std::size_t n_pages = 0, at = 0;  // marks; none where nothing has pages
    bool can_freeze = false, frozen = false;
    bool has_code = false;  // of the step
};

// Which parts have room, from the left: marks and words yield before the way out does. Pure.
struct PresentBarPlan {
    Rect bar, leave, title, page, marks;
    float mark_pitch = 0;
    Rect keys;
    bool with_marks = false, with_keys = false, with_title = false;
};
struct PresentBarWidths {
    float leave = 0, title = 0, page = 0, keys = 0;
};
PresentBarPlan plan_present_bar(const Rect& room, float unit, const PresentBarWidths& widths,
                                std::size_t n_pages);

// Draws the bar over the window that is current. Its size of text follows the person's, up to
// twice.
void draw_present_bar(const Ui& ui, const PresentBarView& view, const PresentBarUi& own,
                      const Rect& room);

}  // namespace kv
