// Which policy is asked what, and when.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/eviction/recency.hpp"
#include "core/cache/eviction/tova.hpp"
#include "core/engine/policy/token_keeper.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {
namespace {

std::uint32_t count_of(const std::vector<std::uint32_t>& positions) {
    return static_cast<std::uint32_t>(positions.size());
}

}  // namespace

std::vector<TokensDropped> TokenKeeper::before_append() {
    std::vector<TokensDropped> all;
    if (eviction_time(spec_) != EvictionTime::BeforeAppend) return all;
    for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
        const std::uint32_t n = count_of(lanes_[l].positions);
        const Selection selection = evict_for_space(n, 1, spec_.sinks, spec_.recent);
        if (!selection.dropped.empty()) all.push_back(note_dropped(LaneId(l), selection));
    }
    return all;
}

std::vector<TokensDropped> TokenKeeper::after_step(const ReadStored& read) {
    std::vector<TokensDropped> all;
    const bool once = eviction_time(spec_) == EvictionTime::PrefillEnd;
    if (spec_.policy == EvictionPolicy::None || (once && !is_prompt_end())) return all;
    const std::vector<Selection> observed =
        observes() ? choose_observed() : std::vector<Selection>{};
    for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
        const Selection selection = observes() ? observed[l] : choose(LaneId(l), read);
        if (!selection.dropped.empty()) all.push_back(note_dropped(LaneId(l), selection));
    }
    return all;
}

Selection TokenKeeper::choose(LaneId id, const ReadStored& read) {
    Lane& lane = lanes_[id.index()];
    const std::uint32_t n = count_of(lane.positions);
    const auto layer = request_.lanes.layer_of(id);
    if (layer && layer->value < spec_.skip) return keep_all(n);
    const auto keys = [&] { return attended(id, Side::K, read); };
    const auto values = [&] { return attended(id, Side::V, read); };
    switch (spec_.policy) {
        case EvictionPolicy::Window:
        case EvictionPolicy::Streaming:
            return keep_recent(n, spec_.sinks, spec_.recent);
        case EvictionPolicy::H2o:
            return choose_heavy(lane);
        case EvictionPolicy::Tova:
            return keep_attended(reduce_heads(lane.scores, spec_.reduce), spec_.budget,
                                 spec_.protect_last);
        case EvictionPolicy::Knorm:
            return keep_lowest(norms_of(keys()), {0, n}, kept_of(n, spec_.ratio));
        case EvictionPolicy::KeyDiff:
            return keep_different(keys(), kept_of(n, spec_.ratio), spec_.block);
        case EvictionPolicy::LagKv:
            return keep_unlike_next(keys(), values(), spec_.lag, most_kept(spec_, n));
        case EvictionPolicy::Expected:
            return choose_expected(lane, keys(), values());
        case EvictionPolicy::Random: {
            if (n <= spec_.budget) return keep_all(n);
            const RandomKey key{request_.seed, request_.number, layer->value,
                                request_.lanes.head_of(id)->value};
            return keep_highest(random_scores(lane.positions, key), {0, n - spec_.spared},
                                spec_.budget - spec_.spared);
        }
        default:
            return keep_all(n);
    }
}

// Keys or values of a lane as attention sees them. Only policies that run behind the prompt ask,
// when nothing is dropped yet: a key stands at its own index, whatever the convention, and has been
// rotated there when it was stored or is rotated there now.
Vectors TokenKeeper::attended(LaneId id, Side side, const ReadStored& read) const {
    const LayerId layer = *request_.lanes.layer_of(id);
    const HeadId head = *request_.lanes.head_of(id);
    const bool rotate = side == Side::K && !request_.rotated_when_stored;
    Vectors all;
    for (const std::uint32_t position : lanes_[id.index()].positions) {
        all.push_back(read(side, layer, head, position));
        if (rotate) rotate_head(all.back().data(), request_.frequencies, position);
    }
    return all;
}

// H2O: adds this step's weights to the sums and chooses by them. The sums of dropped tokens leave
// the list at once; keys that are kept stay in their slots until Evictor::compact moves them.
Selection TokenKeeper::choose_heavy(Lane& lane) const {
    if (planted(PlantedBug::DroppedBeforeScored) || planted(PlantedBug::ScoresNotCompacted))
        return choose_heavy_wrongly(lane);
    add_step(lane);  // what take_weights() has put into lane.step since begin_step() emptied it
    Selection selection =
        keep_heavy(reduce_heads(lane.scores, spec_.reduce), lane.positions, spec_.heavy);
    for (std::vector<float>& scores : lane.scores) {
        for (std::size_t i = 0; i < selection.kept.size(); ++i)
            scores[i] = scores[selection.kept[i]];
        scores.resize(selection.kept.size());
    }
    return selection;
}

void TokenKeeper::add_step(Lane& lane) const {
    for (std::size_t head = 0; head < lane.scores.size(); ++head)
        add_weights(lane.scores[head], lane.step[head], spec_.heavy.decay);
}

// Expected Attention: the queries to come are expected at the places behind the prompt.
Selection TokenKeeper::choose_expected(Lane& lane, const Vectors& keys,
                                       const Vectors& values) const {
    const std::uint32_t n = count_of(lane.positions), sinks = std::min(n, spec_.expected.sinks);
    const std::vector<QueryMoments> heads = std::exchange(lane.queries, {});
    const std::uint32_t n_keep = most_kept(spec_, n);
    if (n_keep == n) return keep_all(n);
    const ExpectedQueries queries{
        heads, mean_rotation(request_.frequencies, n, spec_.expected.horizon), spec_.reduce};
    return keep_highest(expected_scores(keys, values, queries, sinks), {sinks, n}, n_keep - sinks);
}

// AdaKV's score is the mean weight over the window, SnapKV's the sum. The number is what a drop
// tells; that one constant divides all of them changes no order.
std::vector<float> TokenKeeper::pooled(const Lane& lane) const {
    if (spec_.policy != EvictionPolicy::AdaKv) return window_scores(lane.scores, spec_.observed);
    std::vector<std::vector<float>> means = lane.scores;
    for (auto& head : means)
        for (float& score : head) score /= static_cast<float>(spec_.observed.window);
    return window_scores(means, spec_.observed);
}

// How many tokens a KV head of each layer keeps before the window. With SnapKV all keep the same;
// PyramidKV gives lower layers more. AdaKV deals a layer's sum out anew, in choose_observed().
std::vector<std::uint32_t> TokenKeeper::budgets_by_layer() const {
    const std::uint32_t n_layers = request_.lanes.n_layers;
    if (spec_.policy == EvictionPolicy::PyramidKv)
        return pyramid_budgets(request_.n_prompt, spec_.observed, spec_.beta, n_layers);
    return std::vector<std::uint32_t>(n_layers, spec_.observed.room());
}

// SnapKV, PyramidKV, AdaKV: the observation window's queries have looked at the whole prompt. Says
// how much each lane keeps, and what.
std::vector<Selection> TokenKeeper::choose_observed() {
    const ObservationWindow& rule = spec_.observed;
    const std::uint32_t heads = request_.lanes.n_kv_heads;
    const std::vector<std::uint32_t> by_layer = budgets_by_layer();
    std::vector<Selection> all;
    all.reserve(lanes_.size());
    for (std::uint32_t layer = 0; layer < request_.lanes.n_layers; ++layer) {
        std::vector<std::vector<float>> scores;
        scores.reserve(heads);
        for (std::uint32_t head = 0; head < heads; ++head)
            scores.push_back(pooled(lanes_[layer * heads + head]));
        std::vector<std::uint32_t> budgets(heads, by_layer[layer]);
        if (spec_.policy == EvictionPolicy::AdaKv)
            budgets = adaptive_budgets(scores, rule.room(), spec_.floor);
        for (std::uint32_t head = 0; head < heads; ++head)
            all.push_back(keep_observed(scores[head], budgets[head], rule.window));
    }
    return all;
}

Reason drop_reason(const EvictionSpec& spec, const TokensDropped& dropped, std::uint32_t n_tokens) {
    if (eviction_time(spec) == EvictionTime::PrefillEnd)
        return Reason::prompt_read(n_tokens, n_tokens - dropped.positions.size());
    if (first_query_that_misses(spec)) return Reason::out_of_sight(n_tokens);
    const std::uint32_t budget = budget_of(spec).value_or(0);
    return Reason::over_budget(budget, budget + dropped.positions.size());
}

// Planted bugs.

// The choice before this step's weights are added, or sums that stay where dropped keys were.
Selection TokenKeeper::choose_heavy_wrongly(Lane& lane) const {
    const bool late = planted(PlantedBug::DroppedBeforeScored);
    if (!late) add_step(lane);
    Selection selection =
        keep_heavy(reduce_heads(lane.scores, spec_.reduce), lane.positions, spec_.heavy);
    if (late) add_step(lane);
    for (std::vector<float>& scores : lane.scores) {
        for (std::size_t i = 0; late && i < selection.kept.size(); ++i)
            scores[i] = scores[selection.kept[i]];
        scores.resize(selection.kept.size());
    }
    return selection;
}

}  // namespace kv
