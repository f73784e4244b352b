#pragma once
// v2: one launch; the softmax goes on from tile to tile, so scores never leave the block.
// Follows v1, whose scores are written three times and read four times. Still one block per query
// head: the heads of a group read the same keys and values once each, so grouped heads save memory
// but no traffic.
// grid (rows x n_heads), block 128 threads; reads K and V once per query head.

#include "cuda/kernels/attention/attended.hpp"
#include "cuda/kernels/attention/tile.hpp"

namespace kv::gpu {

struct DecodeOnline {
    static constexpr const char* kName = "attention_decode v2";
    Attended a;

    KV_HD TileShape tile() const { return {1, a.dim(Side::K), a.dim(Side::V)}; }
    LaunchShape shape() const {
        return {a.rows.size * a.n_heads, kTileThreads, tile_shared(tile())};
    }
    u64 bytes(u64 kv_tokens) const { return attention_bytes(a, kv_tokens * a.group()); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 row = a.rows[block.index() / a.n_heads];
        const u32 head = static_cast<u32>(block.index() % a.n_heads), kv_head = a.kv_head(head);
        const u32 first = a.begin(row), last = a.end(row);
        TileWork<Block> work(block, tile(), a.scale());
        work.start([&](u32, u32 c) { return a.query(row, head, c); }, [&](u32) { return first; },
                   [&](u32) { return last; });
        const auto unscaled = [](u32) { return 1.0f; };
        for (u32 at = first; at < last; at += kTileKeys) {
            const u32 n = last - at < kTileKeys ? last - at : kTileKeys;
            const auto element = [&](Side side) {
                return [&, side](u32 j, u32 c) { return a.seen(side, row, kv_head, at + j).at(c); };
            };
            work.score(at, n, element(Side::K), unscaled);
            work.softmax_step();
            block.sync();
            work.weigh_values(n, element(Side::V), unscaled);
        }
        work.finish([&](u32, u32 c, float out, SoftmaxState state) {
            a.output(row, head, c) = out / state.sum;
        });
    }
};

}  // namespace kv::gpu
