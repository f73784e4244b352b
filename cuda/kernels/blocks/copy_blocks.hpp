#pragma once
// Blocks of the pool onto others, in all layers, keys and values: what copy-on-write asks for.
// grid (moves x layers x 2), block 256 threads; reads and writes each block once.

#include "core/cache/kv_layout.hpp"
#include "cuda/block.hpp"

namespace kv::gpu {

struct CopyBlocks {
    static constexpr const char* kName = "copy_blocks";
    KvLayout layout;
    View<std::byte> pool;
    View<const u32> from, to;  // block ids, one move each; no block is in both

    LaunchShape shape() const { return {from.size * layout.n_layers * 2, 256}; }
    u64 bytes() const {
        return 2 * from.size * layout.n_layers *
               (layout.block_bytes(KvSide::K) + layout.block_bytes(KvSide::V));
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const auto side = block.index() % 2 == 0 ? KvSide::K : KvSide::V;
        const LayerId layer(static_cast<u32>(block.index() / 2 % layout.n_layers));
        const u64 move = block.index() / 2 / layout.n_layers, n = layout.block_bytes(side);
        const std::byte* source = pool.range(at(layer, side, from[move]), n);
        std::byte* target = pool.range(at(layer, side, to[move]), n);
#ifdef KVARIUM_PLANTED_BUGS
        if (planted(PlantedBug::KernelMovesBackwards)) {
            source = target;
            target = pool.range(at(layer, side, from[move]), n);
        }
#endif
        block.each([&](u32 t) {
            for (u64 i = t; i < n; i += block.size()) target[i] = source[i];
        });
    }

private:
    KV_HD u64 at(LayerId layer, KvSide side, u32 id) const {
        return layout.vector_offset(layer, side, HeadId(0), BlockId(id), Slot(0));
    }
};

}  // namespace kv::gpu
