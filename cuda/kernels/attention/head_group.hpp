#pragma once
// Which query heads of which row a block of a decode rung serves: those of one KV head together, or
// as many of them as have room. And where blocks that share the keys of one row leave their
// softmaxes, and how these are merged (Partials, merge_heads).

#include "core/base/planted.hpp"
#include "cuda/kernels/attention/attended.hpp"
#include "cuda/kernels/attention/tile.hpp"

namespace kv::gpu {

inline constexpr u32 kSharedOfAll = 48 * 1024;  // what a launch has without asking for more

// Blocks are numbered (row, KV head, part of its heads, split), the last one fastest.
struct HeadGroup {
    u32 row, sequence, kv_head, first_head, n_heads, split;
    u64 unit;  // the number without the split
};

// Most pairs of a query and a head that a block of tiles through floats can take; and of the heads
// of one token.
inline u32 pairs_at_once(const Attended& a, u32 tile_keys, u32 most = kMostPairs) {
    const u32 k = a.dim(Side::K), v = a.dim(Side::V), wide = k > v ? k : v;
    u32 n = most;
    while (n > 1 && tile_shared({n, k, v}) + FloatTile{tile_keys, wide}.shared() > kSharedOfAll)
        n = (n + 1) / 2;
    return n;
}
inline u32 heads_at_once(const Attended& a, u32 tile_keys) {
    return pairs_at_once(a, tile_keys, a.group() < kMostPairs ? a.group() : kMostPairs);
}

struct HeadGroups {
    u32 at_once = 1, n_splits = 1;

    KV_HD u32 parts(const Attended& a) const {
        return static_cast<u32>(ceil_of(a.group(), at_once));
    }
    KV_HD u64 units(const Attended& a) const { return a.rows.size * a.n_kv_heads * parts(a); }
    KV_HD HeadGroup of(const Attended& a, u64 index) const {
        HeadGroup g{};
        g.split = static_cast<u32>(index % n_splits);
        g.unit = index / n_splits;
        const u32 part = static_cast<u32>(g.unit % parts(a));
        g.kv_head = static_cast<u32>(g.unit / parts(a) % a.n_kv_heads);
        g.row = a.rows[g.unit / parts(a) / a.n_kv_heads];
        g.sequence = a.sequence_of[g.row];
        g.first_head = g.kv_head * a.group() + part * at_once;
        const u32 left = a.group() - part * at_once;
        g.n_heads = left < at_once ? left : at_once;
        return g;
    }
    // This split's share of the slots [first, last), in whole tiles.
    struct Range {
        u32 first, last;
    };
    KV_HD Range share(u32 first, u32 last, u32 split) const {
        const u64 tiles = ceil_of(last - first, kTileKeys), each = ceil_of(tiles, n_splits);
        const u64 from = first + split * each * kTileKeys, to = from + each * kTileKeys;
        return {static_cast<u32>(from < last ? from : last),
                static_cast<u32>(to < last ? to : last)};
    }
};

template <class Block>
KV_HD void start_heads(TileWork<Block>& work, const Attended& a, const HeadGroup& g) {
    work.start([&](u32 p, u32 c) { return a.query(g.row, g.first_head + p, c); },
               [&](u32) { return a.begin(g.row); }, [&](u32) { return a.end(g.row); });
}

// Partial softmaxes of splits, until they are merged: written by put(), read by merge_heads().
struct Partials {
    View<float> out;     // (units, splits, heads at once, v_dim)
    View<float> states;  // (units, splits, heads at once, 2): largest score, sum

    KV_HD void put(const HeadGroups& groups, const HeadGroup& g, u32 p, u32 c, u32 v_dim,
                   float value, SoftmaxState state) const {
        const u64 at = (g.unit * groups.n_splits + g.split) * groups.at_once + p;
        out[at * v_dim + c] = value;
        if (c != 0) return;
        states[2 * at] = state.max;
        states[2 * at + 1] = state.sum;
    }
    // Element c of head p over all splits, in their order.
    KV_HD float merged(const HeadGroups& groups, u64 unit, u32 p, u32 c, u32 v_dim) const {
        SoftmaxState total{};
        float sum = 0;
        for (u32 split = 0; split < groups.n_splits; ++split) {
            const u64 at = (unit * groups.n_splits + split) * groups.at_once + p;
            const SoftmaxState part{states[2 * at], states[2 * at + 1]};
            if (part.empty()) continue;
            SoftmaxMerge both = merge(total, part);
            if (planted(PlantedBug::KernelMergeForgetsMax)) both.keep_a = both.keep_b = 1;
            sum = sum * both.keep_a + out[at * v_dim + c] * both.keep_b;
            total = both.state;
        }
        return sum / total.sum;
    }
};

// Thread t's elements of the heads of a group, merged over all splits into the output.
KV_HD inline void merge_heads(const Attended& a, const HeadGroups& groups, const HeadGroup& g,
                              const Partials& partials, u32 v_dim, u32 t) {
    for (u32 i = t; i < g.n_heads * v_dim; i += kTileThreads)
        a.output(g.row, g.first_head + i / v_dim, i % v_dim) =
            partials.merged(groups, g.unit, i / v_dim, i % v_dim, v_dim);
}

// attention_bytes, and the partial softmaxes written once and read once.
inline u64 split_bytes(const Attended& a, const Partials& p, u64 kv_tokens) {
    return attention_bytes(a, kv_tokens) + 2 * (p.out.size + p.states.size) * sizeof(float);
}

}  // namespace kv::gpu
