#pragma once
// Which events the log lists: those of the kinds that are switched on, up to the cursor. A growing
// run is read on from where it stopped, so a frame costs what is new. Pure.

#include <array>
#include <cstdint>
#include <vector>

#include "app/panels/view/history.hpp"

namespace kv {

using HiddenMarks = std::array<bool, kEventMarks>;

class EventRows {
public:
    void follow(const RunHistory& history, const HiddenMarks& hidden, std::uint64_t moment);

    // What lies after the cursor is not listed, because it has not happened yet.
    std::size_t size() const { return size_; }
    std::size_t all() const { return all_; }  // hidden ones, too
    const RunMark& newest(const RunHistory& history, std::size_t i) const {
        return history.marks()[shown_[size_ - 1 - i]];
    }

private:
    std::uint64_t run_ = 0;
    HiddenMarks hidden_{};
    std::size_t taken_ = 0;  // of the marks
    std::vector<std::uint32_t> shown_;
    std::size_t size_ = 0, all_ = 0;
};

}  // namespace kv
