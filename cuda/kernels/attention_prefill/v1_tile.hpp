#pragma once
// v1: one block per KV head and tile of up to 16 pairs of a new token and one of the head's
// queries; all of them share every tile of keys. Each pair sees the keys up to its own token. For
// chunks of a prompt, whose queries would else read the whole cache once each. grid (tiles of the
// longest chunk x sequences x n_kv_heads), block 128 threads.
//
// Pair p is new token p / group with query head p % group of the KV head's group. A chunk of 64
// tokens, 8 query heads over 2 KV heads: 64 x 4 = 256 pairs, 16 tiles for each KV head, 32 blocks.

#include "cuda/kernels/attention/head_group.hpp"

namespace kv::gpu {

struct PrefillTile {
    static constexpr const char* kName = "attention_prefill v1";
    Attended a;                    // rows: the first row of each sequence that this launch serves
    View<const u32> n_rows;        // (n_sequences): new tokens of each sequence
    u32 longest = 0, at_once = 1;  // new tokens of the longest, pairs of a block

    KV_HD u32 tiles() const { return static_cast<u32>(ceil_of(u64{longest} * a.group(), at_once)); }
    KV_HD u32 wide() const {
        return a.dim(Side::K) > a.dim(Side::V) ? a.dim(Side::K) : a.dim(Side::V);
    }
    LaunchShape shape() const {
        return {u64{tiles()} * a.rows.size * a.n_kv_heads, kTileThreads,
                tile_shared({at_once, a.dim(Side::K), a.dim(Side::V)}) +
                    FloatTile{kTileKeys, wide()}.shared()};
    }
    // A tile of queries reads all keys that its last one sees.
    u64 bytes(u64 kv_tokens) const { return attention_bytes(a, kv_tokens * tiles()); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const u32 first_pair = static_cast<u32>(block.index() % tiles()) * at_once;
        const u64 rest = block.index() / tiles();
        const u32 kv_head = static_cast<u32>(rest % a.n_kv_heads);
        const u32 first_row = a.rows[rest / a.n_kv_heads], sequence = a.sequence_of[first_row];
        const u32 n_pairs = n_rows[sequence] * a.group();
        if (first_pair >= n_pairs) return;
        const u32 n = n_pairs - first_pair < at_once ? n_pairs - first_pair : at_once;
        const auto row = [&](u32 p) { return first_row + (first_pair + p) / a.group(); };
        const auto head = [&](u32 p) { return kv_head * a.group() + (first_pair + p) % a.group(); };
        TileWork<Block> work(block, {n, a.dim(Side::K), a.dim(Side::V)}, a.scale());
        const FloatTile shape{kTileKeys, wide()};
        auto tile = block.floats(kTileKeys * shape.stride());
        work.start([&](u32 p, u32 c) { return a.query(row(p), head(p), c); },
                   [&](u32 p) { return a.begin(row(p)); }, [&](u32 p) { return a.end(row(p)); });
        attend_floats(
            work, shape, tile, a.begin(row(0)), a.end(row(n - 1)),
            [&](Side side, u32 slot) { return a.seen(side, first_row, kv_head, slot); },
            RotatedWhenStored{});
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            a.output(row(p), head(p), c) = out / state.sum;
        });
    }
};

}  // namespace kv::gpu
