#include "core/engine/policy/token_keeper.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {
namespace {

// Adds a run behind those of a list; one that begins where the last one ends makes that one longer.
void add_run(std::vector<KeyRange>& runs, const KeyRange& run) {
    if (!runs.empty() && runs.back().end == run.begin)
        runs.back().end = run.end;
    else
        runs.push_back(run);
}

}  // namespace

TokenKeeper::TokenKeeper(const EvictionSpec& spec, const Request& request)
    : spec_(spec), request_(request), lanes_(request.lanes.n_lanes()) {}

std::uint32_t TokenKeeper::heads_of_lane() const {
    return request_.lanes.scope == TableScope::Layer
               ? request_.n_heads
               : group_size(request_.n_heads, request_.lanes.n_kv_heads);
}

bool TokenKeeper::observes() const {
    const bool by_window = spec_.policy == EvictionPolicy::SnapKv ||
                           spec_.policy == EvictionPolicy::PyramidKv ||
                           spec_.policy == EvictionPolicy::AdaKv;
    return by_window && request_.n_prompt >= spec_.observed.capacity;
}

void TokenKeeper::start_over(std::uint32_t life) {
    life_ = life;
    lanes_.assign(lanes_.size(), {});
    n_tokens_ = 0;
    has_dropped_ = false;
}

void TokenKeeper::begin_step(std::uint32_t first, std::uint32_t count) {
    KV_ASSERT(first == n_tokens_ || n_tokens_ == 0);
    const std::uint32_t known = n_tokens_;
    first_ = first;
    count_ = count;
    n_tokens_ = first + count;
    if (chooses_reads(spec_)) return;
    for (Lane& lane : lanes_) {
        for (std::uint32_t p = known; p < n_tokens_; ++p) lane.positions.push_back(p);
        make_room(lane);
    }
    const auto misses = first_query_that_misses(spec_);
    if (misses && n_tokens_ > *misses) has_dropped_ = true;
    if (request_.keeps_log) log_rows();
}

// Makes room for what the policy is told in this step: softmax weights, or queries.
void TokenKeeper::make_room(Lane& lane) const {
    const std::size_t heads = heads_of_lane();
    if (spec_.policy == EvictionPolicy::H2o) {
        lane.scores.resize(heads);
        lane.step.assign(heads, std::vector<float>(lane.positions.size()));
        for (auto& scores : lane.scores) scores.resize(lane.positions.size());
    } else if (spec_.policy == EvictionPolicy::Tova) {
        lane.scores.assign(heads, {});
    } else if (needs_queries(spec_) && first_ < request_.n_prompt) {
        lane.queries.resize(heads);
    } else if (observes() && lane.scores.empty()) {
        const std::size_t before = request_.n_prompt - spec_.observed.window;
        lane.scores.assign(heads, std::vector<float>(before));
    }
}

// Places of the keys that the query at `position` sees. What is far away is hidden from it as it
// would have been had the tokens come one by one. Window makes room before the token comes, so the
// query is one of the `recent` newest; StreamingLLM drops after the step, so the query comes on top
// of them.
std::vector<KeyRange> TokenKeeper::sees(const Lane& lane, std::uint32_t position) const {
    const auto place_of = [&](std::uint32_t p) {
        return static_cast<std::uint32_t>(
            std::lower_bound(lane.positions.begin(), lane.positions.end(), p) -
            lane.positions.begin());
    };
    const std::uint32_t end = place_of(position) + 1;
    const auto misses = first_query_that_misses(spec_);
    if (!misses || position < *misses) return {{0, end}};
    const std::uint32_t back =
        spec_.policy == EvictionPolicy::Window ? spec_.recent - 1 : spec_.recent;
    const std::uint32_t begin = place_of(position - back), sinks = place_of(spec_.sinks);
    if (sinks == 0) return {{begin, end}};
    if (sinks == begin) return {{0, end}};
    return {{0, sinks}, {begin, end}};
}

VisibleKeys TokenKeeper::visible(const SlotOf& slot_of, KeyRotation key_rotation) const {
    VisibleKeys visible{request_.lanes, key_rotation, {}};
    for (std::uint32_t l = 0; l < lanes_.size(); ++l) {
        LaneKeys keys;
        keys.positions = lanes_[l].positions;
        for (const std::uint32_t position : keys.positions)
            keys.slots.push_back(slot_of(LaneId(l), position));
        for (std::uint32_t row = 0; row < count_; ++row)
            keys.rows.push_back(sees(lanes_[l], first_ + row));
        visible.lanes.push_back(std::move(keys));
    }
    return visible;
}

void TokenKeeper::log_rows() {
    seen_.resize(n_tokens_);
    for (std::uint32_t row = 0; row < count_; ++row) {
        auto& by_lane = seen_[first_ + row];
        by_lane.assign(lanes_.size(), {});
        for (std::size_t l = 0; l < lanes_.size(); ++l)
            for (const KeyRange& range : sees(lanes_[l], first_ + row))
                for (std::uint32_t place = range.begin; place < range.end; ++place) {
                    const std::uint32_t position = lanes_[l].positions[place];
                    add_run(by_lane[l], {position, position + 1});
                }
    }
}

// A row that looked at everything has no record in the log.
void TokenKeeper::take_reads(const HeadReads& reads) {
    if (request_.keeps_log) seen_.resize(n_tokens_);
    for (std::uint32_t row = 0; row < count_; ++row) {
        const std::uint32_t own = first_ + row;
        if (!reads.chooses(LayerId(reads.n_layers - 1), own)) continue;
        has_dropped_ = true;
        if (!request_.keeps_log) continue;
        auto& by_lane = seen_[own];
        by_lane.assign(lanes_.size(), {{0, own + 1}});
        for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
            const auto& entries =
                reads.of(row, LayerId(lane / reads.n_heads), lane % reads.n_heads);
            if (!entries.empty()) by_lane[lane].clear();
            for (const std::uint32_t entry : entries) {
                const std::uint32_t begin = entry * reads.block_size;
                add_run(by_lane[lane], {begin, std::min(own + 1, begin + reads.block_size)});
            }
        }
    }
}

TokenKeeper::Lane& TokenKeeper::lane_of(LayerId layer, std::uint32_t query_head) {
    const HeadId kv_head = kv_head_of(query_head, request_.n_heads, request_.lanes.n_kv_heads);
    return lanes_[request_.lanes.lane_of(layer, kv_head).index()];
}

void TokenKeeper::take_weights(LayerId layer, std::uint32_t row, std::uint32_t head,
                               std::span<const float> weights) {
    Lane& lane = lane_of(layer, head);
    const std::uint32_t local = head % heads_of_lane(), position = first_ + row;
    if (spec_.policy == EvictionPolicy::H2o) {
        // weights[j] is of place j of the lane: where weights are asked for, a row sees the lane
        // from its first place to its own, without a gap.
        std::vector<float>& step = lane.step[local];
        for (std::size_t j = 0; j < weights.size(); ++j) step[j] += weights[j];
    } else if (spec_.policy == EvictionPolicy::Tova) {
        if (row + 1 == count_) lane.scores[local].assign(weights.begin(), weights.end());
    } else if (observes() && position < request_.n_prompt &&
               position + spec_.observed.window >= request_.n_prompt) {
        std::vector<float>& sums = lane.scores[local];
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += weights[j];
    }
}

// Takes queries of the prompt behind its sinks, rotated back to what they were before RoPE.
void TokenKeeper::take_query(LayerId layer, std::uint32_t row, std::uint32_t head,
                             std::span<const float> query) {
    const std::uint32_t position = first_ + row;
    if (position < spec_.expected.sinks || position >= request_.n_prompt) return;
    Lane& lane = lane_of(layer, head);
    std::vector<double> before(query.begin(), query.end());
    if (request_.rotated_when_stored)
        rotate_head(before.data(), request_.frequencies, -std::int64_t{position});
    lane.queries[head % heads_of_lane()].add(before);
}

TokensDropped TokenKeeper::note_dropped(LaneId lane, const Selection& selection) {
    TokensDropped what;
    what.lane = lane;
    what.layer = request_.lanes.layer_of(lane);
    what.kv_head = request_.lanes.head_of(lane);
    what.policy = name_of(spec_.policy);
    what.threshold = selection.threshold;
    what.spared = selection.n_protected;
    Lane& kept = lanes_[lane.index()];
    for (const Drop& drop : selection.dropped) {
        what.positions.push_back(kept.positions[drop.place]);
        what.scores.push_back(drop.score);
        what.ranks.push_back(drop.rank);
    }
    for (std::size_t i = 0; i < selection.kept.size(); ++i)
        kept.positions[i] = kept.positions[selection.kept[i]];
    kept.positions.resize(selection.kept.size());
    has_dropped_ = has_dropped_ || !what.positions.empty();
    return what;
}

}  // namespace kv
