// The part of a run whose policy drops nothing and chooses which blocks each query looks at.

#include "core/base/numbers/checked.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {

LaneShape Engine::sight_lanes() const {
    if (!chooses_reads(eviction_)) return lanes_;
    return {TableScope::Head, lanes_.n_layers, static_cast<std::uint32_t>(parts_.config.n_heads)};
}

// A prompt is read as a whole; whoever comes after it chooses.
HeadReads Engine::reads_of(const Planned& step) {
    keeper_of(step.request).begin_step(step.first, step.count);
    HeadReads reads;
    reads.block_size = settings_.block_size;
    reads.n_blocks = blocks_read(eviction_, settings_.block_size);
    reads.n_newest_tokens = eviction_.spared;
    reads.n_whole_layers = eviction_.skip;
    reads.first = static_cast<std::uint32_t>(request(step.request).prompt.size());
    reads.n_layers = lanes_.n_layers;
    reads.n_heads = static_cast<std::uint32_t>(parts_.config.n_heads);
    reads.n_kv_heads = lanes_.n_kv_heads;
    reads.entries.resize(std::size_t{step.count} * reads.n_layers * reads.n_heads);
    return reads;
}

void Engine::note_reads(const Planned& step, const HeadReads& reads) {
    if (!chooses_reads(eviction_)) return;
    keeper_of(step.request).take_reads(reads);
    const LayerId top(reads.n_layers - 1);
    for (std::uint32_t row = 0; row < step.count; ++row) {
        const std::uint32_t slot = step.first + row;
        if (!reads.chooses(top, slot)) continue;
        BlocksRead read;
        read.position = slot;
        read.of = slot / reads.block_size + 1;
        for (std::uint32_t layer = 0; layer < reads.n_layers; ++layer)
            for (std::uint32_t head = 0; head < reads.n_kv_heads; ++head) {
                const auto entries = reads.of_group(row, LayerId(layer), HeadId(head));
                read.counts.push_back(static_cast<std::uint32_t>(entries.size()));
                read.entries.insert(read.entries.end(), entries.begin(), entries.end());
            }
        tell(step.request, Reason::highest_bounds(reads.n_blocks, read.of), std::move(read));
    }
}

}  // namespace kv
