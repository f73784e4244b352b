#include "core/engine/run/evicting/reads.hpp"

#include <utility>

#include "core/trace/event/block_events.hpp"

namespace kv {

HeadReads reads_to_choose(const EvictionSpec& policy, std::uint32_t block_size,
                          std::uint32_t n_prompt) {
    HeadReads reads;
    reads.block_size = block_size;
    reads.n_blocks = blocks_read(policy, block_size);
    reads.n_newest_tokens = policy.spared;
    reads.n_whole_layers = policy.skip;
    reads.first_choosing_slot = n_prompt;
    return reads;
}

std::vector<BlocksRead> blocks_read_by(const HeadReads& reads, std::uint32_t first,
                                       std::uint32_t count) {
    std::vector<BlocksRead> all;
    const LayerId top(reads.n_layers - 1);
    for (std::uint32_t row = 0; row < count; ++row) {
        const std::uint32_t slot = first + row;
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
        all.push_back(std::move(read));
    }
    return all;
}

}  // namespace kv
