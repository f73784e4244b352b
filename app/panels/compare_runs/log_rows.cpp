#include "app/panels/compare_runs/log_rows.hpp"

#include <algorithm>
#include <span>

namespace kv {
namespace {

std::span<const RunMark> before(const RunHistory& history, std::uint64_t moment) {
    const std::vector<RunMark>& marks = history.marks();
    const auto end = std::partition_point(marks.begin(), marks.end(),
                                          [&](const RunMark& m) { return m.event < moment; });
    return {marks.data(), static_cast<std::size_t>(end - marks.begin())};
}

// Takes the marks of that step off the end; how many.
std::size_t take_step(std::span<const RunMark>& marks, std::uint32_t iteration) {
    std::size_t n = 0;
    while (n < marks.size() && marks[marks.size() - 1 - n].iteration == iteration) ++n;
    marks = marks.first(marks.size() - n);
    return n;
}

}  // namespace

void PairLog::follow(const RunHistory& left, std::uint64_t left_moment, const RunHistory& right,
                     std::uint64_t right_moment) {
    const Key key{.left = left.run(),
                  .right = right.run(),
                  .left_moment = left_moment,
                  .right_moment = right_moment};
    if (key_ == key) return;
    key_ = key;
    rows_.clear();
    auto ours = before(left, left_moment), theirs = before(right, right_moment);
    while (!ours.empty() || !theirs.empty()) {
        const std::uint32_t iteration = std::max(ours.empty() ? 0 : ours.back().iteration,
                                                 theirs.empty() ? 0 : theirs.back().iteration);
        const std::size_t n_left = take_step(ours, iteration),
                          n_right = take_step(theirs, iteration);
        for (std::size_t i = 0; i < std::max(n_left, n_right); ++i) {
            LogRow row{.iteration = iteration, .begins_step = i == 0, .left = {}, .right = {}};
            if (i < n_left) row.left = static_cast<std::uint32_t>(ours.size() + i);
            if (i < n_right) row.right = static_cast<std::uint32_t>(theirs.size() + i);
            rows_.push_back(row);
        }
    }
}

}  // namespace kv
