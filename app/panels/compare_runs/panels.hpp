#pragma once
// The panels of Compare when a run has a second one beside it: what differs, both sides, how well
// each predicts, and how much memory each holds.

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/compare_runs/log_rows.hpp"
#include "app/panels/stage/plan/facts.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/pair/pair.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"
#include "app/widgets/tags.hpp"

namespace kv {

// Around which token both strips are unfolded: one that a person chose. Another run or another
// request ends it.
struct PairUnfold {
    std::optional<std::uint32_t> at;
    std::uint64_t run = 0;
    SeqId request{0};
};

struct PairUi {
    PairDifference difference;
    StageFacts left, right;
    RunHistory right_history;  // the left one is the window's own
    PairUnfold unfold;
    PairLog log;
};

// Both runs, and what follows from them; lives for one panel of one frame.
struct PairView {
    const RunView& left;
    const RunView& right;
    const PairUi& own;
    PairUnfold* unfold = nullptr;  // of `own`, where the sides are drawn
    bool alone = false;            // nothing stands beside the run yet: both are the left one

    const RunView& of(CompareSide side) const { return side == CompareSide::Left ? left : right; }
    const StageFacts& facts(CompareSide side) const {
        return side == CompareSide::Left ? own.left : own.right;
    }
};
// Called before each panel of a pair; works when a run has grown or the focus has moved.
void follow_pair(PairUi& own, const RunView& left, const RunView& right, const RunFocus& focus);

void draw_pair_summary(const Ui& ui, const PairView& pair);
void draw_pair_side(const Ui& ui, const PairView& pair, CompareSide side, RunFocus& focus);
void draw_pair_quality(const Ui& ui, const PairView& pair);
void draw_pair_memory(const Ui& ui, const PairView& pair);
void draw_pair_pools(const Ui& ui, const PairView& pair, RunFocus& focus);
// `left`: the history of the left run; `log`: what the panel remembers.
void draw_pair_log(const Ui& ui, const PairView& pair, const RunHistory& left, PairLog& log);
Text pair_log_caption(const Ui& ui, const PairLog& log);

// While only one run is there: what it is, and what it can be held against.
PairView alone_view(PairUi& own, const RunView& run, const RunFocus& focus);
void draw_alone_summary(const Ui& ui, const RunView& run);
void draw_alone_choices(const Ui& ui, const RunView& run, const RunFocus& focus);
void draw_alone_message(const Ui& ui, const RunView& run);
Text quality_caption(const Ui& ui, const PairView& pair, const RunFocus& focus);

}  // namespace kv
