// The part of a run that has a policy: what each pass sees, what is dropped behind it, and what is
// moved together. The policy speaks of positions; here they become slots, and drops become events.

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/engine/reference/hadamard.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {
namespace {

// Hands the softmax weights of a pass, or its queries, to the keepers of its requests.
class PolicyTaps : public TapSink {
public:
    PolicyTaps(Tap wanted, std::vector<TokenKeeper*> keepers)
        : wanted_(wanted), keepers_(std::move(keepers)) {}
    bool wants(Tap tap, LayerId /*layer*/) const override { return tap == wanted_; }
    void take(const TapPlace& place, std::span<const float> values) override {
        TokenKeeper& keeper = *keepers_[place.sequence];
        if (wanted_ == Tap::Q)
            keeper.take_query(place.layer, place.row, place.head, values);
        else
            keeper.take_weights(place.layer, place.row, place.head, values);
    }

private:
    Tap wanted_;
    std::vector<TokenKeeper*> keepers_;  // by sequence of the batch
};

}  // namespace

bool Engine::has_policy() const {
    return eviction_.policy != EvictionPolicy::None;
}

KeyRotation Engine::key_rotation() const {
    switch (positions_of(settings_)) {
        case KeyPositions::True:
            return KeyRotation::WhenStored;
        case KeyPositions::Cache:
        case KeyPositions::Shift:
            return KeyRotation::ByRank;
        case KeyPositions::Original:
            break;
    }
    return eviction_.short_gaps ? KeyRotation::ByShortGaps : KeyRotation::ByPosition;
}

TokenKeeper& Engine::keeper_of(SeqId id) {
    auto& keeper = keepers_[id.index()];
    if (keeper == nullptr) {
        const Request& r = request(id);
        TokenKeeper::Request what{sight_lanes(),
                                  static_cast<std::uint32_t>(parts_.config.n_heads),
                                  static_cast<std::uint32_t>(r.prompt.size()),
                                  r.spec.sampling.seed,
                                  id.value,
                                  parts_.keep_seen};
        if (needs_queries(eviction_)) what.frequencies = rope_frequencies(parts_.config);
        what.rotated_when_stored = key_rotation() == KeyRotation::WhenStored;
        keeper = std::make_unique<TokenKeeper>(eviction_, what);
    }
    if (keeper->life() != cache_->times_let_go(id)) keeper->start_over(cache_->times_let_go(id));
    return *keeper;
}

// Slots and sight of the tokens that come next.
VisibleKeys Engine::look_of(const Planned& step) {
    TokenKeeper& keeper = keeper_of(step.request);
    keeper.begin_step(step.first, step.count);
    return keeper.visible(
        [&](LaneId lane, std::uint32_t position) {
            return cache_->slots(step.request, lane).slot_of(position);
        },
        shifts_keys() ? KeyRotation::WhenStored : key_rotation());
}

ForwardResult Engine::run_pass(const Batch& batch, const std::vector<Planned>& plan) {
    const bool looks = needs_weights(eviction_) || needs_queries(eviction_);
    const bool reads_prompt = std::any_of(plan.begin(), plan.end(), [&](const Planned& step) {
        return step.first < request(step.request).prompt.size();
    });
    const bool too_late = eviction_time(eviction_) == EvictionTime::PrefillEnd && !reads_prompt;
    if (!looks || too_late) return backend_->forward(batch);
    std::vector<TokenKeeper*> keepers;
    keepers.reserve(plan.size());
    for (const Planned& step : plan) keepers.push_back(&keeper_of(step.request));
    PolicyTaps taps(needs_queries(eviction_) ? Tap::Q : Tap::Weights, std::move(keepers));
    return backend_->forward(batch, &taps);
}

void Engine::make_space(SeqId id) {
    if (!has_policy() || cache_->stored(id) == 0) return;
    for (const TokensDropped& what : keeper_of(id).before_append()) drop(id, what);
}

void Engine::drop(SeqId id, const TokensDropped& what) {
    const Reason reason = drop_reason(eviction_, what, keeper_of(id).n_tokens());
    cache_->drop(id, what, reason);
    request(id).repeats_steps = true;
    if (shifts_keys()) shift_keys(id, what.positions);
}

void Engine::drop_after_step(const Planned& step) {
    if (!has_policy()) return;
    TokenKeeper& keeper = keeper_of(step.request);
    Request& r = request(step.request);
    const std::uint32_t end = step.first + step.count;
    if (r.steps.empty() || end > r.steps.back()) r.steps.push_back(end);
    const bool by_scores = !first_query_that_misses(eviction_);
    if (by_scores) r.repeats_steps = true;
    const auto read = [&](Side side, LayerId layer, HeadId head, std::uint32_t position) {
        return read_stored(step.request, side, layer, head, position);
    };
    const std::vector<TokensDropped> all = keeper.after_step(read);
    for (const TokensDropped& what : all) drop(step.request, what);
    if (!settings_.compact || !by_scores) return;
    const bool at_once = eviction_time(eviction_) == EvictionTime::PrefillEnd;
    for (std::uint32_t l = 0; l < lanes_.n_lanes(); ++l) {
        const std::uint32_t holes = cache_->holes(step.request, LaneId(l));
        const bool dropped_now = std::any_of(
            all.begin(), all.end(), [&](const TokensDropped& d) { return d.lane == LaneId(l); });
        // Without room they stay where they are until there is some.
        if (holes >= settings_.block_size || (at_once && dropped_now))
            cache_->compact(step.request, LaneId(l));
    }
}

std::vector<float> Engine::read_stored(SeqId id, Side side, LayerId layer, HeadId head,
                                       std::uint32_t position) const {
    const LaneId lane = lanes_.lane_of(layer, head);
    const std::uint32_t slot = cache_->slots(id, lane).slot_of(position);
    const KvLayout& layout = backend_->layout();
    const BlockId block = *cache_->table(id, lane)[slot / layout.block_size];
    std::vector<std::byte> bytes(layout.vector(side).bytes);
    backend_->read_pool(
        layout.vector_offset(layer, side, head, block, Slot(slot % layout.block_size)), bytes);
    std::vector<float> values(layout.vector(side).dim);
    const PoolSpec spec = pool_spec_of(settings_, layout.n_blocks);
    decode_vector(spec.codec(side), bytes.data(), layout.vector(side).dim, values.data(),
                  backend_->shared_scale(layer, side));
    if (spec.rotation == Rotation::Hadamard) hadamard_heads(values.data(), 1, values.size());
    return values;
}

// Blocks of a lane that a request is sure to get along with, when so many tokens come at a time and
// nobody else is there. Dropped slots stay until their blocks are empty, or until the survivors of
// a full block's worth of holes are moved into new blocks.
std::uint64_t Engine::blocks_with_policy(std::uint32_t per_step) const {
    const EvictionSpec spec = eviction_of(settings_);
    const auto budget = budget_of(spec);
    const std::uint64_t size = settings_.block_size;
    if (!budget) return std::numeric_limits<std::uint64_t>::max();
    if (first_query_that_misses(spec))
        return ceil_div(spec.sinks, size) +
               ceil_div(std::uint64_t{spec.recent} + per_step + size - 1, size);
    if (!settings_.compact) return std::numeric_limits<std::uint64_t>::max();
    return ceil_div(std::uint64_t{*budget} + per_step + size - 1, size) + ceil_div(*budget, size);
}

// A request that fits the pool as it is may take all the tokens that an iteration has.
void Engine::plan_steps(Request& r) const {
    r.most_per_step.reset();
    if (shifts_keys()) {
        // What is hidden inside a step would stand between keys that are not rotated on yet.
        r.most_per_step = 1;
        return;
    }
    const std::uint64_t blocks = cache_->spec().n_blocks;
    const std::uint64_t all =
        ceil_div(most_stored(r.spec, r.prompt.size() - r.spec.prompt.size()), settings_.block_size);
    if (all <= blocks || blocks_with_policy(1) > blocks) return;
    const std::uint64_t most = 1 + (blocks - blocks_with_policy(1)) * settings_.block_size;
    r.most_per_step =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(most, settings_.max_batch_tokens));
}

void Engine::note_end(Request& r, SeqId id) {
    r.stored = cache_->stored(id);
    r.tables.clear();
    r.kept.clear();
    bool dropped = false;
    for (std::uint32_t l = 0; l < lanes_.n_lanes(); ++l) {
        const SlotMap& slots = cache_->slots(id, LaneId(l));
        r.tables.push_back(cache_->table(id, LaneId(l)));
        r.kept.push_back(slots.kept(r.stored));
        dropped = dropped || !slots.is_plain();
    }
    if (!dropped) r.kept.clear();
    keepers_[id.index()].reset();
}

}  // namespace kv
