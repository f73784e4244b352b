#include "app/panels/bill/calculator/growth.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/real.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

constexpr int kGrowthIntervals = 4;
constexpr double kHeadroom = 1.25;
constexpr double kMostAboveOwn = 2.5;  // a steeper line leaves through the top
constexpr double kCrowded = 0.14;      // marks closer than this share of the axis would touch

u64 largest_window(const CacheShape& shape) {
    u64 largest = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        if (const auto* window = std::get_if<WindowCache>(&group.cache))
            largest = std::max(largest, window->window);
    }
    return largest;
}

// Tokens of each request at the right edge: beyond now, beyond the crossover, beyond the bend.
u64 length_in_view(const BillView& view) {
    const u64 crossover = crossover_tokens(view.budget.weight_bytes, view.whole("bytes_per_token"));
    const u64 bend = largest_window(view.shape.cache);
    u64 length = std::max(view.in.tokens, bend);
    if (bend == 0) length = std::max(length, ceil_div(crossover, view.in.batch));
    return static_cast<u64>(std::ceil(real(length) * kHeadroom));
}

GrowthLine line_of(const BillView& view, const AttentionOption& option, u64 length,
                   const Texts& text) {
    GrowthLine line;
    line.label = attention_label(option, text);
    line.slope = fill(text["growth.slope"_t], {{"bytes", view.bytes(option.per_token)}});
    line.current = option.current;
    for (const GrowthPoint& p : growth_curve(option.cache, view.codecs, view.in.batch, length)) {
        line.tokens.push_back(real(p.resident_tokens));
        line.bytes.push_back(real(p.bytes));
    }
    return line;
}

List<AxisMark> token_marks(const GrowthPlan& plan) {
    List<AxisMark> marks;
    const double now = real(plan.now.resident_tokens);
    for (const double at : round_ticks(plan.max_tokens, kGrowthIntervals, true)) {
        if (at > plan.max_tokens) continue;
        if (std::abs(at - now) < kCrowded * plan.max_tokens) continue;
        marks.push_back({at, with_commas(static_cast<u64>(at))});
    }
    marks.push_back({now, with_commas(plan.now.resident_tokens), true});
    return marks;
}

GrowthPlan plan_of(const BillView& view, const Texts& text) {
    GrowthPlan plan;
    const u64 length = length_in_view(view);
    const CacheShape& cache = view.shape.cache;
    const auto own = growth_curve(cache, view.codecs, view.in.batch, length);
    plan.now = growth_curve(cache, view.codecs, view.in.batch, view.in.tokens).back();
    plan.weights = view.budget.weight_bytes;
    plan.crossover = tokens_at_bytes(own, plan.weights);
    double steepest = 0;
    for (const AttentionOption& option : view.attention) {
        plan.lines.push_back(line_of(view, option, length, text));
        steepest = std::max(steepest, plan.lines.back().bytes.back());
    }
    const double shown = std::max(real(own.back().bytes), real(plan.weights)) * 1.1;
    const bool binary = view.in.units == UnitSystem::Binary;
    const auto ticks = round_ticks(std::min(std::max(steepest, shown), shown * kMostAboveOwn),
                                   kGrowthIntervals, binary);
    for (const double at : ticks) plan.byte_marks.push_back({at, view.bytes(static_cast<u64>(at))});
    plan.max_bytes = ticks.back();
    plan.max_tokens = real(own.back().resident_tokens);
    plan.token_marks = token_marks(plan);
    return plan;
}

}  // namespace

std::optional<GrowthPlan> plan_growth(const BillView& view, const Texts& text) {
    try {
        return plan_of(view, text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace kv
