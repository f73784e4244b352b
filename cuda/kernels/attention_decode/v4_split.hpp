#pragma once
// v4: the keys of a row are split over several blocks; a second launch merges their softmaxes
// (Flash-Decoding).
// Follows v3, whose one block for each KV head (eight in Llama 3) left most of a card idle where
// there is one sequence. Partial states are written and read once more: at 8,192 keys and
// 32 splits 520 KiB a layer of Llama 3 8B, against 32 MiB of keys and values.
// grid (rows x n_kv_heads x splits), block 128 threads; then (rows x n_kv_heads) blocks that merge.

#include "cuda/kernels/attention_decode/v3_grouped.hpp"

namespace kv::gpu {

struct DecodeSplit {
    static constexpr const char* kName = "attention_decode v4";
    Attended a;
    HeadGroups groups;
    Partials partials;

    LaunchShape shape() const {
        return {groups.units(a) * groups.n_splits, kTileThreads,
                float_tile_shared(a, groups.at_once)};
    }
    u64 bytes(u64 kv_tokens) const { return split_bytes(a, partials, kv_tokens); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index());
        TileWork<Block> work(block, {g.n_heads, a.dim(Side::K), a.dim(Side::V)}, a.scale());
        attend_share(work, a, g, groups.share(a.begin(g.row), a.end(g.row), g.split));
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            partials.put(groups, g, p, c, a.dim(Side::V), out, state);
        });
    }
};

struct MergeSplits {
    static constexpr const char* kName = "softmax_merge";
    Attended a;
    HeadGroups groups;
    Partials partials;

    LaunchShape shape() const { return {groups.units(a), kTileThreads}; }
    u64 bytes() const { return (partials.out.size + partials.states.size) * sizeof(float); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index() * groups.n_splits);
        const u32 v_dim = a.dim(Side::V);
        block.each([&](u32 t) { merge_heads(a, groups, g, partials, v_dim, t); });
    }
};

}  // namespace kv::gpu
