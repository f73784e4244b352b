#include "core/engine/run/evicting/keepers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/engine/reference/rope.hpp"
#include "core/engine/run/evicting/reads.hpp"

namespace kv {

// Hands the softmax weights of a pass, or its queries, to the keepers of its requests; of a pass
// that checks a draft they are held until the verdict.
class PolicyTaps : public TapSink {
public:
    struct Of {
        TokenKeeper* keeper;
        std::vector<Keepers::Weights>* held;  // null without tokens ahead
    };
    PolicyTaps(Tap wanted, std::vector<Of> sequences)
        : wanted_(wanted), sequences_(std::move(sequences)) {}
    bool wants(Tap tap, LayerId /*layer*/) const override { return tap == wanted_; }
    void take(const TapPlace& place, std::span<const float> values) override {
        const auto [keeper, held] = sequences_[place.sequence];
        const auto row = static_cast<std::uint32_t>(place.row);
        if (held != nullptr)
            held->push_back({row, place.layer, place.head, {values.begin(), values.end()}});
        else if (wanted_ == Tap::Q)
            keeper->take_query(place.layer, row, place.head, values);
        else
            keeper->take_weights(place.layer, row, place.head, values);
    }

private:
    Tap wanted_;
    std::vector<Of> sequences_;  // of the batch
};

void Keepers::start() {
    policy_ = eviction_of(settings_);
    keepers_.clear();
}

LaneShape Keepers::sight_lanes() const {
    const LaneShape lanes = pool_.lanes();
    if (!chooses_reads(policy_)) return lanes;
    return {TableScope::Head, lanes.n_layers, static_cast<std::uint32_t>(parts_.config.n_heads)};
}

const TokenKeeper* Keepers::find(SeqId id) const {
    const auto found = keepers_.find(id.value);
    return found == keepers_.end() ? nullptr : &found->second;
}

TokenKeeper& Keepers::of(SeqId id) {
    auto found = keepers_.find(id.value);
    if (found == keepers_.end()) {
        const Request& r = request(id);
        TokenKeeper::Request what{.lanes = sight_lanes(),
                                  .n_heads = static_cast<std::uint32_t>(parts_.config.n_heads),
                                  .n_prompt = static_cast<std::uint32_t>(r.prompt.size()),
                                  .seed = r.spec.sampling.seed,
                                  .number = id.value,
                                  .keeps_log = parts_.keep_seen};
        if (needs_keys(policy_)) what.frequencies = rope_frequencies(parts_.config);
        what.rotated_when_stored = key_rotation() == KeyRotation::WhenStored;
        found = keepers_.try_emplace(id.value, policy_, what).first;
    }
    TokenKeeper& keeper = found->second;
    const std::uint32_t life = pool_.cache().times_let_go(id);
    if (keeper.life() != life) keeper.start_over(life);
    return keeper;
}

HeadReads Keepers::reads_of(const Planned& step) {
    if (step.has_no_draft()) of(step.request).begin_step(step.first, step.count);
    const auto n_prompt = static_cast<std::uint32_t>(request(step.request).prompt.size());
    HeadReads reads = reads_to_choose(policy_, settings_.block_size, n_prompt);
    reads.n_layers = pool_.lanes().n_layers;
    reads.n_heads = static_cast<std::uint32_t>(parts_.config.n_heads);
    reads.n_kv_heads = pool_.lanes().n_kv_heads;
    reads.entries.resize(std::size_t{step.rows()} * reads.n_layers * reads.n_heads);
    return reads;
}

VisibleKeys Keepers::visible_of(const Planned& step) {
    const auto slot_of = [&](LaneId lane, std::uint32_t position) {
        return pool_.cache().slots(step.request, lane).slot_of(position);
    };
    TokenKeeper& keeper = of(step.request);
    if (!step.has_no_draft()) {
        TokenKeeper imagined = keeper;
        imagined.begin_step(step.first, step.rows());
        return imagined.visible(slot_of, key_rotation());
    }
    keeper.begin_step(step.first, step.count);
    return keeper.visible(slot_of, key_rotation());
}

std::uint32_t Keepers::most_ahead(SeqId id) {
    constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
    const bool drops_in_between = has_policy() && goes_by_scores() && !chooses_reads(policy_) &&
                                  eviction_time(policy_) != EvictionTime::PrefillEnd;
    if (!drops_in_between) return kAny;
    const std::uint32_t budget = *budget_of(policy_);
    std::uint32_t most = kAny;
    for (std::uint32_t lane = 0; lane < sight_lanes().n_lanes(); ++lane) {
        const auto kept = static_cast<std::uint32_t>(of(id).kept(LaneId(lane)).size());
        most = std::min(most, budget - std::min(budget, kept));
    }
    return most;
}

void Keepers::note(SeqId id, std::uint32_t token, std::uint32_t row) {
    TokenKeeper& keeper = of(id);
    keeper.begin_step(token, 1);
    for (const Weights& weights : held_[id.value])
        if (weights.row == row) keeper.take_weights(weights.layer, 0, weights.head, weights.values);
}

std::vector<std::uint32_t> Keepers::cache_positions_of(const Planned& step) {
    const auto end = static_cast<std::uint32_t>(of(step.request).kept(LaneId(0)).size());
    std::vector<std::uint32_t> positions;
    for (std::uint32_t at = end - step.count; at < end; ++at) positions.push_back(at);
    return positions;
}

bool Keepers::looks_at(const std::vector<Planned>& plan) const {
    if (!needs_weights(policy_) && !needs_queries(policy_)) return false;
    const bool reads_prompt = std::any_of(plan.begin(), plan.end(), [&](const Planned& step) {
        return step.first < request(step.request).prompt.size();
    });
    return reads_prompt || eviction_time(policy_) != EvictionTime::PrefillEnd;
}

ForwardResult Keepers::forward(const Batch& batch, const std::vector<Planned>& plan) {
    if (!looks_at(plan)) return pool_.backend().forward(batch);
    const Tap wanted = needs_queries(policy_) ? Tap::Q : Tap::Weights;
    std::vector<PolicyTaps::Of> sequences;
    sequences.reserve(plan.size());
    held_.clear();
    for (const Planned& step : plan)
        sequences.push_back(
            {&of(step.request), step.has_no_draft() ? nullptr : &held_[step.request.value]});
    PolicyTaps taps(wanted, std::move(sequences));
    return pool_.backend().forward(batch, &taps);
}

}  // namespace kv
