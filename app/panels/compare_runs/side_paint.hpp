#pragma once
// What the painting parts of one side of a comparison share: the run, the plan, and where it lies
// on the screen.

#include "app/panels/compare_runs/panels.hpp"
#include "app/panels/compare_runs/side_plan.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/paint/paint.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct SidePicture {
    const Ui& ui;
    const PairView& pair;
    CompareSide side;
    RunFocus& focus;
    SeqId request;                             // in this run
    const RequestView& now;                    // at the cursor
    const SharedArray<std::uint32_t>& tokens;  // recorded, those after the cursor too
    const TokenParting* parting;
    List<std::uint32_t> entries;  // of the table, that have a block
    PairSidePlan plan;
    Vec2 origin;

    const RunView& run() const { return pair.of(side); }
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Hue hue() const { return request_hue(ui.colors, tag_index(now.name, request)); }
    const Table* table() const { return run().lane().table(request); }
};

// Where the sides part, this one says what the full cache says.
inline bool says_as_full(const SidePicture& s) {
    const auto& own = s.side == CompareSide::Left ? s.parting->left : s.parting->right;
    return s.parting->full && s.parting->full == own;
}

// The entries of a table that have a block on the device: what was given up, or lies in the host
// tier, takes no room in the picture.
inline List<std::uint32_t> entries_held(const Table* table) {
    List<std::uint32_t> held;
    for (std::uint32_t i = 0; table != nullptr && i < table->size(); ++i)
        if ((*table)[i]) held.push_back(i);
    return held;
}

// How much stands before and after what is shown of rows that do not fit; no words where that is
// nothing.
struct PairRest {
    Rect at;
    Text words;
};
void paint_pair_rest(const SidePicture& s, const PairRest& before, const PairRest& after);
void paint_pair_stored(const SidePicture& s);
void draw_pair_predictions(const SidePicture& s);

struct MarkedBadge {
    float width = 0;  // of the room that it took
    bool pressed = false;
};
// "needle kept, 8 of 8" at the right end of the title.
MarkedBadge draw_marked_badge(const Ui& ui, const RunView& run, const RunFocus& focus,
                              SeqId request, const Rect& r);
// The rows of what is marked; where they are in view already, back to those of the cursor.
void turn_to_marked(const SidePicture& s, const MarkedTokens& marked, PairScroll& scroll);

}  // namespace kv
