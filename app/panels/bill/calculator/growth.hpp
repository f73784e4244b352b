#pragma once
// The growth curve: bytes of the cache over resident tokens, for the model as it is and for other
// numbers of KV heads. Straight lines whose slope is the bytes per token; a window bends them. The
// weights are level, and where the model's line crosses them the cache is the larger one. Pure: no
// imgui.h. Where layers keep different things, the other numbers of KV heads give way to lines of
// the groups, one upon the other, which flatten one by one, and to a ghost: all layers full.

#include <optional>
#include <string>
#include <vector>

#include "app/panels/bill/view.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct GrowthLine {
    std::string label, slope;  // "GQA 8", "128 KiB / token"
    std::vector<double> tokens, bytes;
    bool current = false;
    bool ghost = false;  // what it would be, were all layers full
};

struct GrowthPlan {
    std::vector<GrowthLine> lines;  // steepest first
    double max_tokens = 1, max_bytes = 1;
    List<AxisMark> token_marks, byte_marks;
    GrowthPoint now;
    u64 weights = 0;
    // Resident tokens; nothing when the lines do not meet in the picture.
    std::optional<u64> crossover;
};

// The plan of the chart; nothing when the numbers are too large to draw.
std::optional<GrowthPlan> plan_growth(const BillView& view, const Texts& text);

}  // namespace kv
