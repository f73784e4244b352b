#pragma once
// The panels of Compare when a run has a second one beside it: what differs, both sides, how well
// each predicts, and how much memory each holds.

#include <string>

#include "app/panels/stage/plan/facts.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"
#include "app/widgets/tags.hpp"

namespace kv {

// How far the rows of both sides are moved from where they follow the cursor: both at once, so that
// the eye can go across. Another token at the cursor, or another request, ends it.
struct PairScroll {
    std::int64_t rows = 0, lines = 0;
    std::uint64_t run = 0;
    std::uint32_t anchor = 0;
    SeqId request{0};
};

struct PairUi {
    RunPair pair;
    StageFacts left, right;
    RunHistory right_history;  // the left one is the window's own
    PairScroll scroll;
};

// Both runs, and what follows from them; lives for one panel of one frame.
struct PairView {
    const RunView& left;
    const RunView& right;
    const PairUi& own;
    PairScroll* scroll = nullptr;  // of `own`, where the sides are drawn; null: they stand still

    const RunView& of(CompareSide side) const { return side == CompareSide::Left ? left : right; }
    const StageFacts& facts(CompareSide side) const {
        return side == CompareSide::Left ? own.left : own.right;
    }
};
// To be called once in each frame that shows one of the panels below.
void follow_pair(PairUi& own, const RunView& left, const RunView& right, const RunFocus& focus);

void draw_pair_summary(const Ui& ui, const PairView& pair);
void draw_pair_side(const Ui& ui, const PairView& pair, CompareSide side, RunFocus& focus);
void draw_pair_quality(const Ui& ui, const PairView& pair);
void draw_pair_memory(const Ui& ui, const PairView& pair);
// In the place of Quality while only one run is there.
void draw_pair_missing(const Ui& ui, const RunView& run);
// Which of several tables is shown: "layer 2, KV head 1 shown". Empty where one serves all.
Text table_caption(const Ui& ui, const RunView& run);
Text quality_caption(const Ui& ui, const PairView& pair, const RunFocus& focus);

}  // namespace kv
