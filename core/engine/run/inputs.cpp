#include "core/engine/run/inputs.hpp"

#include <numeric>

namespace kv {

SequenceWork SequenceInputs::work() {
    SequenceWork work;
    work.tokens = tokens;
    work.positions = cache_positions.empty() ? token_indices : cache_positions;
    work.token_indices = token_indices;
    work.tables = &tables;
    work.logit_rows = logit_rows;
    work.one_by_one = one_by_one;
    work.residual = residual;
    if (visible) work.visible = &*visible;
    if (reads) work.reads = &*reads;
    return work;
}

SequenceInputs inputs_of(const Planned& step, std::span<const std::uint32_t> proposed,
                         const RunPool& pool, Keepers& keepers) {
    const SeqId id = step.request;
    const std::uint32_t first = step.first, count = step.count;
    const Cache& cache = pool.cache();
    const LaneShape lanes = pool.lanes();
    SequenceInputs inputs;
    const auto known = cache.tokens(id);
    inputs.tokens.assign(known.begin() + first, known.begin() + first + count);
    inputs.tokens.insert(inputs.tokens.end(), proposed.begin(), proposed.end());
    inputs.token_indices.resize(step.rows());
    std::iota(inputs.token_indices.begin(), inputs.token_indices.end(), first);
    // Logits are asked for only where the pass has the newest known token: of that token, and of a
    // draft behind it.
    if (first + count == known.size())
        for (std::uint32_t row = count - 1; row < step.rows(); ++row)
            inputs.logit_rows.push_back(row);
    inputs.one_by_one = !step.has_no_draft();

    inputs.tables = {lanes.scope, lanes.n_kv_heads, {}};
    inputs.tables.tables.resize(lanes.n_lanes());
    const BlockId hole(pool.backend().layout().n_blocks);
    for (std::uint32_t lane = 0; lane < lanes.n_lanes(); ++lane)
        for (const std::optional<BlockId>& block : cache.table(id, LaneId(lane)))
            inputs.tables.tables[lane].push_back(block.value_or(hole));

    if (chooses_reads(keepers.policy())) {
        inputs.reads = keepers.reads_of(step);
    } else if (keepers.has_policy() || keepers.key_rotation() != KeyRotation::WhenStored) {
        inputs.visible = keepers.visible_of(step);
        if (keepers.shifts_keys()) inputs.cache_positions = keepers.cache_positions_of(step);
    }
    return inputs;
}

}  // namespace kv
