#include "app/panels/bill/calculator/fit.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/real.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/fit.hpp"
#include "core/cost/groups.hpp"

namespace kv {
namespace {

constexpr double kPointsPerDoubling = 4;
constexpr u64 kLeastSpan = 8;  // from the left edge to the right one, as a ratio

struct FitCase {
    const CacheShape& cache;
    Split split;
    u64 budget;  // of each card
};

double requests_at(const BillView& view, const FitCase& of, u64 tokens) {
    return real(of.budget) / real(rank_sequence_bytes(of.cache, view.codecs, tokens, of.split));
}

// Down to where not one request fits.
FitLine line_of(const BillView& view, const FitCase& of, double max_tokens) {
    FitLine line;
    const double doublings = math::log2(max_tokens / kLeastFitTokens);
    const int points = static_cast<int>(std::ceil(doublings * kPointsPerDoubling));
    for (int i = 0; i <= points; ++i) {
        const double at = kLeastFitTokens * math::exp2(doublings * i / points);
        const u64 tokens = static_cast<u64>(std::llround(at));
        const double requests = requests_at(view, of, tokens);
        line.tokens.push_back(real(tokens));
        line.requests.push_back(requests);
        if (requests < 1) break;
    }
    return line;
}

u64 card_budget(const BillView& view) {
    if (view.split.cards() > 1) return view.whole("card_kv_budget_bytes");
    return device_budget(view.budget).kv;
}

u64 longest_in_view(const BillView& view, std::optional<u64> longest) {
    u64 tokens = std::max(view.own.max_positions, 2 * view.in.tokens);
    if (longest) tokens = std::max(tokens, *longest + *longest / 4);
    return std::clamp(tokens, static_cast<u64>(kLeastFitTokens) * kLeastSpan, 2 * kMostBillTokens);
}

void add_marks(FitPlan& plan) {
    for (const double at : power_ticks(kLeastFitTokens, plan.max_tokens, 4)) {
        plan.token_marks.push_back({at, with_commas(static_cast<u64>(at))});
    }
    for (const double at : power_ticks(1, plan.max_requests, 10)) {
        plan.request_marks.push_back({at, with_commas(static_cast<u64>(at))});
    }
}

bool some_layer_stops(const CacheShape& cache, const CodecPair& codecs) {
    const std::vector<CacheGroup> groups = cache_groups(cache);
    return std::any_of(groups.begin(), groups.end(), [&](const CacheGroup& group) {
        return group_ceiling(cache, group, codecs).has_value();
    });
}

void add_line(const BillView& view, const Texts& text, const FitCase& of, TextId label,
              FitPlan& plan) {
    FitLine line = line_of(view, of, plan.max_tokens);
    line.label = text[label];
    line.value =
        fill(text["fit.now"_t],
             {{"n", with_commas(static_cast<u64>(requests_at(view, of, view.in.tokens)))}});
    plan.max_requests = std::max(plan.max_requests, line.requests.front());
    plan.lines.push_back(std::move(line));
}

std::optional<FitPlan> fit_of(const BillView& view, const Texts& text) {
    const CacheShape& cache = view.shape.cache;
    const FitCase own{cache, view.split, card_budget(view)};
    if (requests_at(view, own, static_cast<u64>(kLeastFitTokens)) < 1) return std::nullopt;
    const auto longest = longest_text(cache, view.codecs, own.budget, view.in.batch, view.split);
    FitPlan plan;
    plan.max_tokens = real(longest_in_view(view, longest));
    add_line(view, text, own, "fit.own"_t, plan);
    plan.lines.back().current = true;
    const CacheShape full = all_layers_full(cache);
    if (some_layer_stops(cache, view.codecs)) {
        add_line(view, text, {full, view.split, own.budget}, "fit.all_full"_t, plan);
    }
    if (view.split.cards() > 1 && view.whole("ranks_total_bytes") > view.whole("kv_bytes")) {
        add_line(view, text, {cache, {}, device_budget(view.budget).kv}, "fit.together"_t, plan);
    }
    plan.max_requests *= 2;
    const double fit = std::floor(requests_at(view, own, view.in.tokens));
    plan.now = {real(view.in.tokens), fit,
                fill(text["fit.now"_t], {{"n", with_commas(static_cast<u64>(fit))}})};
    if (longest && real(*longest) >= kLeastFitTokens && real(*longest) <= plan.max_tokens) {
        plan.longest = {real(*longest), real(view.in.batch),
                        fill(text["fit.longest"_t], {{"n", with_commas(*longest)}})};
    }
    add_marks(plan);
    return plan;
}

}  // namespace

std::optional<FitPlan> plan_fit(const BillView& view, const Texts& text) {
    try {
        return fit_of(view, text);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace kv
