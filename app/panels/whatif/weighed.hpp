#pragma once
// A recording that was weighed: plain data that never changes. Whoever holds recordings makes it
// (app/live/whatif).

#include <string>
#include <string_view>
#include <vector>

#include "core/whatif/study/choices.hpp"
#include "core/whatif/study/summary.hpp"

namespace kv {

struct WhatIfAsk {
    std::string file;  // empty: nothing is asked for
    std::optional<u64> today;
    Codec codec = Codec::Int8;  // of keys and values, beside what was recorded
    u64 host_bytes = u64{64} << 30;
    WhatIfModel model;
    friend bool operator==(const WhatIfAsk&, const WhatIfAsk&) = default;
};

// The choices over which the picture draws the hit rate.
enum class WhatIfView : std::uint8_t { Pool, BlockSize, Order };
inline constexpr std::array<std::string_view, 3> kWhatIfViewNames{"pool", "block_size", "order"};
using WhatIfChoices = std::vector<WhatIfChoice>;

// What is drawn beside what was recorded.
enum class WhatIfLine : std::uint8_t { Recorded, Codec, Host, BlockSize };
inline constexpr std::size_t kWhatIfLines = 4;

struct WhatIfCurve {
    WhatIfLine line = WhatIfLine::Recorded;
    std::vector<WhatIfPoint> points;  // rising by memory
    std::optional<WhatIfPoint> here;  // at the memory of the pool that all is held against
};

struct WhatIfRow {
    WhatIfLine line = WhatIfLine::Recorded;
    double factor = 1;  // of the pool that all is held against
    bool without_end = false;
    WhatIfPoint point;
};

struct WeighedRecording {
    WhatIfAsk ask;
    RecordingKind kind = RecordingKind::ServerEvents;
    std::string format;
    std::uint32_t block_size = 16;
    u64 batches = 0, ranks = 1;
    bool has_tokens = false;
    WhatIfSummary summary;
    std::vector<WhatIfCurve> curves;  // one for each line that could be weighed
    std::vector<WhatIfRow> rows;      // each replayed by itself
    u64 weight_bytes = 0;

    bool knows_today() const { return summary.at_today.has_value(); }
    // Today's pool, or where nobody knows it the knee.
    const WhatIfPoint& base() const { return summary.at_today ? *summary.at_today : summary.knee; }
    const WhatIfCurve* curve(WhatIfLine line) const {
        for (const WhatIfCurve& each : curves)
            if (each.line == line) return &each;
        return nullptr;
    }
    double per_second(u64 n) const {
        const auto all = static_cast<double>(n);
        return summary.seconds > 0 ? all / summary.seconds : all;
    }
};

}  // namespace kv
