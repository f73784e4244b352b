#pragma once
// What the painting parts of one side of a comparison share: the run, the plan, and where it lies
// on the screen.

#include "app/panels/pair.hpp"
#include "app/panels/pair_side_plan.hpp"
#include "app/panels/run_facts.hpp"
#include "app/widgets/paint.hpp"

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
    PairSidePlan plan;
    Vec2 origin;

    const RunView& run() const { return pair.of(side); }
    Rect on_screen(const Rect& r) const { return {r.x + origin.x, r.y + origin.y, r.w, r.h}; }
    Hue hue() const { return request_hue(ui.colors, tag_index(now.name, request)); }
    const Table* table() const { return table_of(run().now, request); }
};

inline std::uint32_t blocks_held(const Table* table) {
    return table == nullptr ? 0 : static_cast<std::uint32_t>(table->size());
}

void paint_pair_stored(const SidePicture& s);
void draw_pair_predictions(const SidePicture& s);

}  // namespace kv
