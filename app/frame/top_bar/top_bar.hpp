#pragma once
// The bar that all layouts share: name, menus, the five layouts with their keys, what is priced,
// and the proof badge. Pieces that do not fit are dropped in a fixed order; none is ever cut in
// half.

#include "app/frame/state/app_state.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// `run`: null while nothing runs; the bar then names what is priced.
void draw_top_bar(const Ui& ui, const AppState& state, const RunView* run);

// How much of the bar fits: pure, tested without a window. Widths in pixels.
struct TopBarWidths {
    float fixed = 0;     // name, menus and the menu that the layouts can be
    float name = 0;      // its part of that, which goes first in a very narrow window
    float tabs = 0;      // what the layouts add as tabs without key caps
    float key_caps = 0;  // what the key caps of the tabs add
    float readout = 0;
    float badge_text = 0;  // the badge's second half
    float badge = 0;
};
struct TopBarPlan {
    bool name = false;
    bool tabs = false;  // else the layouts are a menu
    bool key_caps = false, readout = false, badge_text = false, badge = false;
};
TopBarPlan plan_top_bar(const TopBarWidths& widths, float room);

}  // namespace kv
