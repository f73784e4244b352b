#pragma once
// v6: the block that finishes last merges the splits of its row and KV head.
// Follows v5, which merges in a launch of its own: two launches where one does. Each block takes a
// ticket when its part is written; the one that gets the last ticket merges, in the order of the
// splits, so which block that was changes no bit.
// grid (rows x n_kv_heads x splits), block 128 threads; Coded: a format that the compiler knows
// (bf16, fp8_e4m3, int8, int4), or AnyCoded.

#include "cuda/kernels/attention_decode/staged.hpp"

namespace kv::gpu {

template <class Coded>
struct DecodeTicket {
    static constexpr const char* kName = "attention_decode v6";
    Attended a;
    HeadGroups groups;
    Partials partials;
    View<u32> tickets;  // (units): 0 before the launch, and behind it

    LaunchShape shape() const {
        return {groups.units(a) * groups.n_splits, kTileThreads, staged_shared(a, groups.at_once)};
    }
    u64 bytes(u64 kv_tokens) const { return split_bytes(a, partials, kv_tokens); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index());
        const u32 v_dim = a.dim(Side::V);
        TileWork<Block> work(block, {g.n_heads, a.dim(Side::K), v_dim}, a.scale());
        attend_staged<Coded>(work, a, groups, g);
        if (groups.n_splits == 1) {
            work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
                a.output(g.row, g.first_head + p, c) = out / state.sum;
            });
            return;
        }
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            partials.put(groups, g, p, c, v_dim, out, state);
        });
        if (!block.comes_last(tickets[g.unit], groups.n_splits)) return;
        block.each([&](u32 t) {
            merge_heads(a, groups, g, partials, v_dim, t);
            if (t == 0) tickets[g.unit] = 0;
        });
    }
};

}  // namespace kv::gpu
