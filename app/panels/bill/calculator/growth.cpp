#include "app/panels/bill/calculator/growth.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/real.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/groups.hpp"
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

GrowthLine curve_of(const BillView& view, const CacheShape& cache, u64 length) {
    GrowthLine line;
    for (const GrowthPoint& p : growth_curve(cache, view.codecs, view.in.batch, length)) {
        line.tokens.push_back(real(p.resident_tokens));
        line.bytes.push_back(real(p.bytes));
    }
    return line;
}

// The same model with the layers of some groups only: what the others keep is left out.
CacheShape without(CacheShape cache, const CacheGroup& group) {
    for (const u64 layer : group.layers) {
        if (group.state_bytes > 0) {
            cache.state_bytes[layer] = 0;
        } else {
            cache.layers[layer] = NoCache{};
        }
    }
    return cache;
}

Text group_label(const CacheGroup& group, const Texts& text) {
    const std::string_view kind = group.kind();
    const TextId id = kind == "full"     ? "growth.group_full"_t
                      : kind == "window" ? "growth.group_window"_t
                      : kind == "chunk"  ? "growth.group_chunk"_t
                      : kind == "latent" ? "growth.group_latent"_t
                      : kind == "state"  ? "growth.group_state"_t
                                         : "growth.group_shared"_t;
    return fill(text[id], {{"n", with_commas(group.n_layers())}});
}

// The lines from the top: the ghost, the whole cache, then the cache with one group after another
// taken away. What grows without end is taken away first, so that the lines below are the flat
// ones.
std::vector<GrowthLine> group_lines(const BillView& view, u64 length, const Texts& text) {
    const CacheShape& cache = view.shape.cache;
    std::vector<CacheGroup> groups = cache_groups(cache);
    std::erase_if(groups, [](const CacheGroup& g) { return g.kind() == "shared"; });
    std::stable_sort(groups.begin(), groups.end(), [&](const CacheGroup& a, const CacheGroup& b) {
        return !group_ceiling(cache, a, view.codecs) && group_ceiling(cache, b, view.codecs);
    });
    std::vector<GrowthLine> lines{curve_of(view, all_layers_full(cache), length)};
    lines[0].label = text["growth.all_full"_t];
    lines[0].slope =
        fill(text["growth.slope"_t],
             {{"bytes", view.bytes(bytes_per_token(all_layers_full(cache), view.codecs))}});
    lines[0].ghost = true;
    CacheShape left = cache;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        lines.push_back(curve_of(view, left, length));
        lines.back().current = i == 0;
        lines.back().label = group_label(groups[i], text);
        const auto ceiling = group_ceiling(cache, groups[i], view.codecs);
        lines.back().slope =
            ceiling ? fill(text["growth.ceiling"_t], {{"bytes", view.bytes(*ceiling)}})
                    : fill(text["growth.slope"_t],
                           {{"bytes",
                             view.bytes(group_bytes_per_token(cache, groups[i], view.codecs))}});
        left = without(std::move(left), groups[i]);
    }
    return lines;
}

bool has_groups(const CacheShape& cache) {
    return cache_groups(cache).size() > 1;
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
    if (has_groups(cache)) {
        plan.lines = group_lines(view, length, text);
    } else {
        for (const AttentionOption& option : view.attention) {
            plan.lines.push_back(line_of(view, option, length, text));
        }
    }
    for (const GrowthLine& line : plan.lines) steepest = std::max(steepest, line.bytes.back());
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
