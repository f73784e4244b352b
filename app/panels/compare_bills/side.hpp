#pragma once
// One side of Compare while it is drawn, and its first row.

#include "app/panels/bill/ui.hpp"
#include "app/panels/compare_bills/layout.hpp"
#include "app/panels/compare_bills/view.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct SidePanel {
    const Ui& ui;
    const CompareView& both;
    BillSide side;
    BillFocus& focus;

    const BillView& view() const { return both.of(side); }
    // The same setting has one command for each side.
    CommandId command(CommandId left, CommandId right) const {
        return side == BillSide::Left ? left : right;
    }
};

// Which side, which model, and the formats of K and V.
void draw_side_head(const SidePanel& panel, const SidePlan& plan, Vec2 origin);
float side_formats_width(const Ui& ui, const CodecPair& codecs);

// A rectangle of the plan on the screen.
inline Rect placed(const Rect& r, Vec2 origin) {
    return snap({r.x + origin.x, r.y + origin.y, r.w, r.h});
}

}  // namespace kv
