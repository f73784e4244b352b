#pragma once
// What fits beside the weights, as one curve that is read two ways: over a length, how many
// requests of it fit; beside a number of requests, how long their texts may be. Both axes are
// logarithmic, so that a cache whose layers all grow is a straight line and a window bends it.
// Pure: no imgui.h.

#include <optional>
#include <vector>

#include "app/panels/bill/view.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct FitLine {
    Text label, value;  // "the model", "53 requests" at the length of now
    std::vector<double> tokens, requests;
    bool current = false;
};

struct FitMark {
    double tokens = 0, requests = 0;
    Text label;
};

struct FitPlan {
    std::vector<FitLine> lines;  // the model first
    double max_tokens = 1, max_requests = 1;
    List<AxisMark> token_marks, request_marks;
    FitMark now;                     // requests of the length that is asked for
    std::optional<FitMark> longest;  // the longest text of as many requests as are asked for
};

constexpr double kLeastFitTokens = 1024;

// The plan of the chart; nothing when not one request of the least length fits, or the numbers are
// too large.
std::optional<FitPlan> plan_fit(const BillView& view, const Texts& text);

}  // namespace kv
