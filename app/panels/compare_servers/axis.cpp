#include "app/panels/compare_servers/axis.hpp"

#include <algorithm>

namespace kv {
namespace {

// Two that have just been called may not have said anything at the same time yet.
constexpr double kStillTogether_s = 60;

}  // namespace

PairAxis pair_axis(const ServerView& left, const ServerView& right) {
    const double left_s = left.tank.start_s, right_s = right.tank.start_s;
    PairAxis axis;
    axis.one_clock =
        left_s <= right.newest_s + kStillTogether_s && right_s <= left.newest_s + kStillTogether_s;
    if (!axis.one_clock) axis.right_later_s = right_s - left_s;
    // Nothing has come from one of them: the other one has the axis for itself.
    const bool has_left = left.events > 0, has_right = right.events > 0;
    const StreamSpan of_left = stream_span(has_left ? left : right),
                     of_right = stream_span(has_right ? right : left);
    if (!has_left || !has_right) axis.one_clock = true, axis.right_later_s = 0;
    axis.left = {std::min(of_left.from_s, of_right.from_s - axis.right_later_s),
                 std::max(of_left.to_s, of_right.to_s - axis.right_later_s)};
    axis.right = {axis.left.from_s + axis.right_later_s, axis.left.to_s + axis.right_later_s};
    axis.zero_s =
        std::min(has_left ? left_s : right_s, has_right ? right_s - axis.right_later_s : left_s);
    return axis;
}

}  // namespace kv
