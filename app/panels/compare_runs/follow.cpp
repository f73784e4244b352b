// What all panels of a pair know of both runs, looked at once for a frame.

#include "app/panels/compare_runs/panels.hpp"

namespace kv {

void follow_pair(PairUi& own, const RunView& left, const RunView& right, const RunFocus& focus) {
    own.left.follow(left);
    own.right.follow(right);
    own.difference.follow(left, right, focus.request);
    own.right_history.catch_up(right);
}

}  // namespace kv
