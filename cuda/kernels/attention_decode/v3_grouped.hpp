#pragma once
// v3: one block per row and KV head; the g query heads of the group share every key and value.
// Follows v2, one block per query head. Each element is fetched and decoded once for the group, by
// warps that read a vector's neighbouring elements together.
// grid (rows x n_kv_heads), block 128 threads; reads K and V once, writes out (n_heads, v_dim).
// A group of more heads than a tile has pairs takes several blocks, each of which reads K and V.

#include "cuda/kernels/attention/head_group.hpp"

namespace kv::gpu {

// What v3 and v4 have in common: tiles through floats over a share of the keys.
template <class Block>
KV_HD void attend_share(TileWork<Block>& work, const Attended& a, const HeadGroup& g,
                        HeadGroups::Range share) {
    const u32 wide = work.shape.k_dim > work.shape.v_dim ? work.shape.k_dim : work.shape.v_dim;
    const FloatTile shape{kTileKeys, wide};
    auto tile = work.block.floats(kTileKeys * shape.stride());
    start_heads(work, a, g);
    attend_floats(
        work, shape, tile, share.first, share.last,
        [&](Side side, u32 slot) { return a.seen(side, g.row, g.kv_head, slot); },
        RotatedWhenStored{});
}

inline u32 float_tile_shared(const Attended& a, u32 heads) {
    const u32 k = a.dim(Side::K), v = a.dim(Side::V);
    return tile_shared({heads, k, v}) + FloatTile{kTileKeys, k > v ? k : v}.shared();
}

struct DecodeGrouped {
    static constexpr const char* kName = "attention_decode v3";
    Attended a;
    HeadGroups groups;  // without splits

    LaunchShape shape() const {
        return {groups.units(a), kTileThreads, float_tile_shared(a, groups.at_once)};
    }
    u64 bytes(u64 kv_tokens) const { return attention_bytes(a, kv_tokens); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index());
        TileWork<Block> work(block, {g.n_heads, a.dim(Side::K), a.dim(Side::V)}, a.scale());
        attend_share(work, a, g, {a.begin(g.row), a.end(g.row)});
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            a.output(g.row, g.first_head + p, c) = out / state.sum;
        });
    }
};

}  // namespace kv::gpu
