#pragma once
// What lies under a point of the Stage, by arithmetic on its plan. Pure.

#include <optional>
#include <span>
#include <vector>

#include "app/panels/stage/plan/chips.hpp"
#include "app/panels/stage/plan/plan.hpp"

namespace kv {

struct StageHit {
    std::optional<TokenAt> token;       // a chip, or a token of a strip
    std::optional<BlockId> block;       // of the pool, or an entry of the table
    std::optional<std::uint32_t> host;  // a place of the host tier
    std::optional<SeqId> tag;           // the name of a request
    bool in_pool = false, in_rows = false;
    friend bool operator==(const StageHit&, const StageHit&) = default;
};

struct StageTargets {
    LaneAt lane;
    const StagePlan& plan;
    Vec2 origin;  // of the room
    const PoolGrid& grid;
    const std::optional<PoolGrid>& host;
    SeqId focused;
    std::span<const SeqId> others;
};
StageHit stage_hit(const StageTargets& targets, Vec2 point);

}  // namespace kv
