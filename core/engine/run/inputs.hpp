#pragma once
// What a backend is told of one request in a pass. SequenceWork only points to numbers; these are
// the numbers.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/run/evicting/keepers.hpp"
#include "core/engine/run/memory/run_pool.hpp"
#include "core/engine/seam/batch.hpp"

namespace kv {

struct SequenceInputs {
    std::vector<std::uint32_t> tokens, token_indices, logit_rows;
    std::vector<std::uint32_t> cache_positions;  // of the new tokens; empty unless keys are shifted
    BlockTables tables;
    std::optional<VisibleKeys> visible;  // where queries do not simply see all before them
    std::optional<HeadReads> reads;      // where they choose
    bool one_by_one = false;             // a pass that checks a draft
    Residual residual;

    SequenceWork work();
};

SequenceInputs inputs_of(const Planned& step, std::span<const std::uint32_t> proposed,
                         const RunPool& pool, Keepers& keepers);

}  // namespace kv
