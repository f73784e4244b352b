#pragma once
// The race as a time series: a line of CSV for every iteration, or every n-th. Columns that a vLLM
// server would export have its names.

#include <string>

#include "core/sim/race.hpp"

namespace kv {

class SimSeries {
public:
    explicit SimSeries(u64 every);

    void add(AllocatorKind kind, const RaceSpan& span);  // kv::Error (Usage) when it gets too long
    const std::string& text() const { return text_; }

private:
    u64 every_, rows_ = 0;
    std::string text_;
};

}  // namespace kv
