#pragma once
// Two runs of one step side by side: what each is called, who runs and who waits, and its pool.

#include "app/panels/stage/ui.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Left and right, of equal width. Pure.
struct SidesPlan {
    struct Side {
        Rect name, counts, picture;
    };
    Side left, right;
    float divide_x = 0;
};
SidesPlan plan_sides(const Rect& room, float unit);

struct SidesInput {
    const RunView& left;
    const RunView& right;
    const RunFocus& focus;
    StageUi& left_ui;
    StageUi& right_ui;
};
// A unit of `ui` is a pixel of the design.
void draw_sides(const Ui& ui, const SidesInput& in, const Rect& room);

}  // namespace kv
