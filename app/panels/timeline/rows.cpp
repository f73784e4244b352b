#include "app/panels/timeline/rows.hpp"

#include <algorithm>

namespace kv {

void EventRows::follow(const RunHistory& history, const HiddenMarks& hidden, std::uint64_t moment) {
    const std::vector<RunMark>& marks = history.marks();
    if (run_ != history.run() || hidden_ != hidden || taken_ > marks.size()) {
        shown_.clear();
        taken_ = 0;
        run_ = history.run(), hidden_ = hidden;
    }
    for (; taken_ < marks.size(); ++taken_)
        if (!hidden[static_cast<std::size_t>(marks[taken_].mark)])
            shown_.push_back(static_cast<std::uint32_t>(taken_));
    const auto later = std::partition_point(marks.begin(), marks.end(),
                                            [&](const RunMark& m) { return m.event < moment; });
    all_ = static_cast<std::size_t>(later - marks.begin());
    size_ = static_cast<std::size_t>(std::lower_bound(shown_.begin(), shown_.end(), all_) -
                                     shown_.begin());
}

}  // namespace kv
