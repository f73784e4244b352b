#pragma once
// v5: keys and values come as the pool has them, by asynchronous copies, a tile ahead.
// In v4 a block asks for a tile, waits, computes, and only then asks for the next one, so the
// memory rests while it computes. Here tile t + 1 is on its way while tile t is computed, and the
// block numbers of tile t + 2 are read meanwhile. The splits are merged by v4's MergeSplits. grid
// (rows x n_kv_heads x splits), block 128 threads; reads K and V once. A group of more heads than a
// tile has pairs takes several blocks, each of which reads K and V.

#include "cuda/kernels/attention_decode/staged.hpp"

namespace kv::gpu {

// Coded: how an element is read. launch_rung() launches this rung with AnyCoded, which looks at the
// codec at run time.
template <class Coded>
struct DecodeStaged {
    static constexpr const char* kName = "attention_decode v5";
    Attended a;
    HeadGroups groups;
    Partials partials;

    LaunchShape shape() const {
        return {groups.units(a) * groups.n_splits, kTileThreads, staged_shared(a, groups.at_once)};
    }
    u64 bytes(u64 kv_tokens) const { return split_bytes(a, partials, kv_tokens); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index());
        TileWork<Block> work(block, {g.n_heads, a.dim(Side::K), a.dim(Side::V)}, a.scale());
        attend_staged<Coded>(work, a, groups, g);
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            partials.put(groups, g, p, c, a.dim(Side::V), out, state);
        });
    }
};

}  // namespace kv::gpu
