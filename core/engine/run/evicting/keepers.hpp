#pragma once
// The policy of a run: a keeper for each request, which knows what is kept and what each query
// sees. Here a pass is told what the policy lets it see, and the policy is told what the pass found
// out: softmax weights, queries, blocks that were chosen. What is dropped is the Evictor's.

#include <cstdint>
#include <map>
#include <vector>

#include "core/engine/policy/token_keeper.hpp"
#include "core/engine/run/memory/run_pool.hpp"
#include "core/engine/run/request/request.hpp"

namespace kv {

class Keepers {
public:
    Keepers(const EngineParts& parts, const EngineSettings& settings,
            const std::vector<Request>& requests, RunPool& pool)
        : parts_(parts), settings_(settings), requests_(requests), pool_(pool) {}

    // Takes the policy from the settings; from here on nobody has kept anything.
    void start();
    const EvictionSpec& policy() const { return policy_; }
    bool has_policy() const { return policy_.policy != EvictionPolicy::None; }
    bool goes_by_scores() const { return has_policy() && !first_query_that_misses(policy_); }
    KeyRotation key_rotation() const { return key_rotation_of(positions_of(settings_), policy_); }
    bool shifts_keys() const { return positions_of(settings_) == KeyPositions::CacheInPlace; }
    // The lanes of the pool, or one for each query head where those choose what they read.
    LaneShape sight_lanes() const;

    const TokenKeeper* find(SeqId id) const;
    TokenKeeper& of(SeqId id);
    void forget(SeqId id) { keepers_.erase(id.value); }

    // What the queries of a step see. With a draft nothing is noted yet: note() is told of each
    // token that is accepted.
    HeadReads reads_of(const Planned& step);
    VisibleKeys visible_of(const Planned& step);
    // Tokens that may be ahead of the next one: at the last of them, and not before, the policy may
    // drop something.
    std::uint32_t most_ahead(SeqId id);
    // Where a step's new tokens stand in the cache: how many kept tokens come before each.
    std::vector<std::uint32_t> cache_positions_of(const Planned& step);

    // The pass, with a sink for what the policy goes by.
    ForwardResult forward(const Batch& batch, const std::vector<Planned>& plan);
    // A token of a pass with tokens ahead, which was row number `row` of it, as if it had come by
    // itself.
    void note(SeqId id, std::uint32_t token, std::uint32_t row);

private:
    struct Weights {  // of a query head, as it attended in a pass with tokens ahead
        std::uint32_t row;
        LayerId layer;
        std::uint32_t head;
        std::vector<float> values;
    };
    friend class PolicyTaps;

    const Request& request(SeqId id) const { return requests_[id.index()]; }
    bool looks_at(const std::vector<Planned>& plan) const;

    const EngineParts& parts_;
    const EngineSettings& settings_;
    const std::vector<Request>& requests_;
    RunPool& pool_;
    EvictionSpec policy_;
    std::map<std::uint32_t, TokenKeeper> keepers_;        // by SeqId
    std::map<std::uint32_t, std::vector<Weights>> held_;  // by SeqId, until the verdict
};

}  // namespace kv
