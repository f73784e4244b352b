#include "core/engine/pool/count_seen.hpp"

#include <algorithm>
#include <vector>

#include "core/base/kv_head.hpp"
#include "core/engine/pool/seen_keys.hpp"

namespace kv {

u64 count_seen_keys(const ModelConfig& config, const SequenceWork& work, LayerId layer, HeadId head,
                    std::size_t row) {
    if (work.reads != nullptr && work.reads->chooses(layer, work.token_indices[row]))
        return work.reads->slots_of_group(row, layer, head, work.token_indices[row]);
    if (work.visible == nullptr)
        return work.token_indices[row] + 1 - first_visible(config, layer, work.token_indices[row]);
    u64 n = 0;
    for (const KeyRange& range : work.visible->of(layer, head).rows[row])
        n += range.end - range.begin;
    return n;
}

u64 count_pairs(const ModelConfig& config, const SequenceWork& work, LayerId layer, HeadId head,
                std::size_t row) {
    if (work.reads != nullptr && work.reads->chooses(layer, work.token_indices[row]))
        return work.reads->pairs_of_group(row, layer, head, work.token_indices[row]);
    return group_size(config.n_heads, config.n_kv_heads) *
           count_seen_keys(config, work, layer, head, row);
}

u64 count_fresh_keys(const ModelConfig& config, const SequenceWork& work, LayerId layer,
                     HeadId head, std::size_t row) {
    if (!work.one_by_one || row == 0) return count_seen_keys(config, work, layer, head, row);
    // What a token sees ends at itself and begins where the token before it began, or later.
    const std::uint32_t own = work.token_indices[row];
    if (work.reads == nullptr || !work.reads->chooses(layer, own)) return 1;
    // Counts in each chosen block the slots behind the tokens of this pass that chose it before.
    u64 fresh = 0;
    const std::uint32_t size = work.reads->block_size;
    for (const std::uint32_t entry : work.reads->of_group(row, layer, head)) {
        std::uint32_t begin = entry * size;
        for (std::size_t before = 0; before < row; ++before) {
            const auto chosen = work.reads->of_group(before, layer, head);
            if (!work.reads->chooses(layer, work.token_indices[before]) ||
                std::binary_search(chosen.begin(), chosen.end(), entry))
                begin = std::max(begin, work.token_indices[before] + 1);
        }
        const std::uint32_t end = std::min(own + 1, (entry + 1) * size);
        fresh += end > begin ? end - begin : 0;
    }
    return fresh;
}

u64 count_judged_blocks(const SequenceWork& work, LayerId layer, std::size_t row) {
    if (work.reads == nullptr || !work.reads->chooses(layer, work.token_indices[row])) return 0;
    return work.token_indices[row] / work.reads->block_size + 1;
}

u64 count_seen_tokens(const ModelConfig& config, const SequenceWork& work, std::size_t row) {
    const LayerId top(static_cast<std::uint32_t>(config.n_layers - 1));
    if (work.reads != nullptr && work.reads->chooses(top, work.token_indices[row]))
        return work.reads->slots_anywhere(row, work.token_indices[row]);
    if (work.visible == nullptr) {
        u64 widest = 0;
        for (std::uint32_t layer = 0; layer < config.n_layers; ++layer)
            widest =
                std::max(widest, count_seen_keys(config, work, LayerId(layer), HeadId(0), row));
        return widest;
    }
    std::uint32_t last = 0;
    for (const LaneKeys& keys : work.visible->lanes) last = std::max(last, keys.positions.back());
    std::vector<bool> seen(last + std::size_t{1});
    for (const LaneKeys& keys : work.visible->lanes)
        for (const KeyRange& range : keys.rows[row])
            for (std::uint32_t place = range.begin; place < range.end; ++place)
                seen[keys.positions[place]] = true;
    return static_cast<u64>(std::count(seen.begin(), seen.end(), true));
}

}  // namespace kv
