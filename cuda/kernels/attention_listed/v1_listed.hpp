#pragma once
// v1: what a policy has thinned out. The keys of a row are listed one by one, as slots of the pool
// and, where keys are rotated when they are read, as the positions to rotate them to.
// grid (rows x n_kv_heads x parts of a group), block 128 threads; reads each listed key once.

#include "cuda/kernels/attention/head_group.hpp"

namespace kv::gpu {

// Keys [begin, end) of the lists, of one row and lane; or of one row, layer and query head, where
// heads that share a KV head look at different keys of it.
struct KeyLists {
    View<const u32> begins;     // (rows of this launch, lists of a row) + 1: where each begins
    View<const u32> slots;      // slots of the pool; of the pass itself kOwn + its row, where exact
    View<const u32> positions;  // to rotate to; empty where keys were rotated when stored
    View<const u32> row_positions;  // one for each list: where the query stands
    bool by_query_head = false;     // then a block serves one of them
    u32 of_row = 1, first = 0;      // then: lists of a row, of them the first of this layer
    static constexpr u32 kOwn = 0x80000000;
};

struct ListedAttention {
    static constexpr const char* kName = "attention_listed v1";
    Attended a;
    KeyLists lists;
    View<const double> frequencies;  // (k_dim / 2)
    HeadGroups groups;               // without splits

    KV_HD u32 wide() const {
        return a.dim(Side::K) > a.dim(Side::V) ? a.dim(Side::K) : a.dim(Side::V);
    }
    LaunchShape shape() const {
        return {groups.units(a), kTileThreads,
                tile_shared({groups.at_once, a.dim(Side::K), a.dim(Side::V)}) +
                    FloatTile{kTileKeys, wide()}.shared()};
    }
    u64 bytes(u64 kv_tokens) const { return attention_bytes(a, kv_tokens); }

    template <class Block>
    KV_HD void run(Block& block) const {
        const HeadGroup g = groups.of(a, block.index());
        const u64 nth_row = g.unit / groups.parts(a) / a.n_kv_heads;
        const u64 list = lists.by_query_head ? nth_row * lists.of_row + lists.first + g.first_head
                                             : nth_row * a.cache.lanes.n +
                                                   a.cache.lanes.of(a.cache.layer, g.kv_head);
        const u32 first = lists.begins[list], n = lists.begins[list + 1] - first;
        const bool rotates = !lists.positions.empty();
        TileWork<Block> work(block, {g.n_heads, a.dim(Side::K), a.dim(Side::V)}, a.scale());
        const FloatTile shape{kTileKeys, wide()};
        auto tile = block.floats(kTileKeys * shape.stride());
        work.start([&](u32 p, u32 c) { return a.query(g.row, g.first_head + p, c); },
                   [](u32) { return 0u; }, [&](u32) { return n; });
        if (rotates)
            rotate(work.q, work.shape.k_dim, block, g.n_heads,
                   [&](u32) { return lists.row_positions[list]; });
        attend_floats(
            work, shape, tile, 0, n,
            [&](Side side, u32 place) { return seen(side, g.kv_head, lists.slots[first + place]); },
            [&](auto& keys, u32 at, u32 n_keys) {
                if (rotates)
                    rotate(keys, shape.stride(), block, n_keys,
                           [&](u32 j) { return lists.positions[first + at + j]; });
            });
        work.finish([&](u32 p, u32 c, float out, SoftmaxState state) {
            a.output(g.row, g.first_head + p, c) = out / state.sum;
        });
    }

private:
    KV_HD Seen seen(Side side, u32 kv_head, u32 listed) const {
        if (listed & KeyLists::kOwn) {
            const u32 row = listed & ~KeyLists::kOwn;
            if (a.exact(side)) return a.own(side, row, kv_head);
            listed = own_slot(row, kv_head);
        }
        return a.stored(side, kv_head, listed);
    }
    KV_HD u32 own_slot(u32 row, u32 kv_head) const {
        return own_slots[u64{a.cache.lanes.of(a.cache.layer, kv_head)} * a.slots.size + row];
    }
    // `n` heads in shared memory, `stride` apart, to position(i) each.
    template <class Heads, class Block, class Position>
    KV_HD void rotate(Heads& heads, u32 stride, Block& block, u32 n,
                      const Position& position) const {
        const u32 half = static_cast<u32>(frequencies.size);
        block.each([&](u32 t) {
            for (u32 i = t; i < n * half; i += kTileThreads) {
                const u32 at = i / half * stride + i % half;
                const double angle = position(i / half) * frequencies[i % half];
                const float cos = static_cast<float>(std::cos(angle));
                const float sin = static_cast<float>(std::sin(angle));
                const float x = heads[at], y = heads[at + half];
                heads[at] = x * cos - y * sin;
                heads[at + half] = y * cos + x * sin;
            }
        });
        block.sync();
    }

public:
    View<const u32> own_slots;  // the slot_mapping of the pass
};

}  // namespace kv::gpu
