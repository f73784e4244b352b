#pragma once
// A block's attention over a run of keys, 32 at a time, for up to 16 pairs of a query and a head
// that share a KV head: the score of each key, a softmax that goes on from tile to tile (arXiv
// 1805.02867), and the sum of values by these weights; tiles as in FlashAttention (arXiv
// 2205.14135). Rungs differ in who the pairs are and in how a tile comes to its place.
//
//   score         s_j = q . k_j x scale              four threads per key, a quarter of it each
//   softmax_step  m' = max(m, s_1, s_2, ...)         a warp per pair, a lane per key; the largest
//                 w_j = exp(s_j - m')                score m and the sum l stay in its registers
//                 keep = exp(m - m')
//                 l' = l keep + sum of w_j
//   weigh_values  out' = out keep + sum of w_j v_j   a thread per channel and four pairs
//   finish        out / l, or out and (m, l), which are merged with those of other splits

#include <cmath>

#include "core/base/planted.hpp"
#include "core/base/side.hpp"
#include "core/engine/reference/softmax_state.hpp"
#include "cuda/grid/block.hpp"

namespace kv::gpu {

inline constexpr u32 kTileKeys = 32, kTileThreads = 128, kTileWarps = 4;
inline constexpr u32 kThreadsOfKey = kTileThreads / kTileKeys;  // share a key of the tile
inline constexpr u32 kStretch = 8;      // neighbouring channels of a key that a thread of it reads
inline constexpr u32 kMostPairs = 16;   // of a block
inline constexpr u32 kPairsAtOnce = 4;  // pairs whose sums a thread holds
inline constexpr u32 kRounds = kMostPairs / kTileWarps;  // pairs that a warp comes to
inline constexpr float kNothing = -INFINITY;

// A thread's copy of the states of the pairs that its warp comes to, round by round.
struct PairStates {
    Array<float, kRounds> max, sum;
};
KV_HD inline PairStates no_keys_yet() {
    PairStates states{};
    for (u32 i = 0; i < kRounds; ++i) states.max[i] = kNothing;
    return states;
}

struct TileShape {
    u32 n_pairs, k_dim, v_dim;
};

// Shared memory of a TileWork.
KV_HD constexpr u32 tile_shared(const TileShape& s) {
    return shared_bytes(s.n_pairs * s.k_dim) + shared_bytes(s.n_pairs * s.v_dim) +
           shared_bytes(s.n_pairs * kTileKeys) + 3 * shared_bytes(s.n_pairs);
}

template <class Block>
class TileWork {
    using Floats = typename Block::Floats;
    using Words = typename Block::Words;
    using States = typename Block::template PerThread<PairStates>;

public:
    KV_HD TileWork(Block& of, const TileShape& tile_shape, float score_scale)
        : block(of),
          shape(tile_shape),
          scale(score_scale),
          q(of.floats(shape.n_pairs * shape.k_dim)),
          out(of.floats(shape.n_pairs * shape.v_dim)),
          scores(of.floats(shape.n_pairs * kTileKeys)),
          keep(of.floats(shape.n_pairs)),
          begin(of.words(shape.n_pairs)),
          end(of.words(shape.n_pairs)),
          states(of.per_thread(no_keys_yet())) {}

    // query(pair, c), first(pair), last(pair): the keys that the pair sees are [first, last).
    template <class Query, class First, class Last>
    KV_HD void start(const Query& query, const First& first, const Last& last) {
        block.each([&](u32 t) {
            for (u32 i = t; i < shape.n_pairs * shape.k_dim; i += kTileThreads)
                q[i] = query(i / shape.k_dim, i % shape.k_dim);
            for (u32 i = t; i < shape.n_pairs * shape.v_dim; i += kTileThreads) out[i] = 0;
            for (u32 p = t; p < shape.n_pairs; p += kTileThreads) {
                begin[p] = first(p);
                end[p] = last(p);
            }
        });
        block.sync();
    }

    // key(j, c) x factor(j): channel c of the tile's key j. first: the place of key 0.
    template <class Key, class Factor>
    KV_HD void score(u32 first, u32 n_keys, const Key& key, const Factor& factor) {
        for (u32 p0 = 0; p0 < shape.n_pairs; p0 += kPairsAtOnce) {
            auto sums = block.per_thread(Array<float, kPairsAtOnce>{});
            block.each([&](u32 t) {
                const u32 j = t / kThreadsOfKey, part = t % kThreadsOfKey;
                if (j >= n_keys) return;
                // The threads of a key read stretches side by side, then the next ones.
                for (u32 c0 = part * kStretch; c0 < shape.k_dim; c0 += kThreadsOfKey * kStretch)
                    for (u32 c = c0; c < c0 + kStretch && c < shape.k_dim; ++c) {
                        const float k = key(j, c);
                        for (u32 i = 0; i < kPairsAtOnce; ++i)
                            if (p0 + i < shape.n_pairs)
                                sums[t][i] += k * q[(p0 + i) * shape.k_dim + c];
                    }
            });
            block.sum_lanes(sums, kThreadsOfKey);
            // All threads of a key have the sums of these pairs now, and each writes one of them.
            static_assert(kThreadsOfKey == kPairsAtOnce);
            block.each([&](u32 t) {
                const u32 j = t / kThreadsOfKey, i = t % kThreadsOfKey, p = p0 + i;
                if (p >= shape.n_pairs) return;
                const u32 place = first + j;
                const bool sees = j < n_keys && place >= begin[p] && place < end[p];
                float sum = 0;  // sums[t][i] with an i that the compiler knows: sums stay registers
                for (u32 n = 0; n < kPairsAtOnce; ++n)
                    if (n == i) sum = sums[t][n];
                scores[p * kTileKeys + j] = sees ? sum * scale * factor(j) : kNothing;
            });
        }
        block.sync();
    }

    // Scores become weights; `keep` is the factor by which the output so far shrinks.
    KV_HD void softmax_step() {
        for (u32 i = 0; i < kRounds; ++i)
            if (i * kTileWarps < shape.n_pairs) softmax_step(i);
    }

    // value(j, c) x factor(j), behind a barrier. Ends with one.
    template <class Value, class Factor>
    KV_HD void weigh_values(u32 n_keys, const Value& value, const Factor& factor) {
        const u32 fours = static_cast<u32>(ceil_of(shape.n_pairs, kPairsAtOnce));
        block.each([&](u32 t) {
            for (u32 i = t; i < fours * shape.v_dim; i += kTileThreads) {
                const u32 c = i % shape.v_dim, p0 = i / shape.v_dim * kPairsAtOnce;
                Array<float, kPairsAtOnce> sums{};
                for (u32 j = 0; j < n_keys; ++j) {
                    const float v = value(j, c) * factor(j);
                    for (u32 n = 0; n < kPairsAtOnce; ++n)
                        if (p0 + n < shape.n_pairs) sums[n] += scores[(p0 + n) * kTileKeys + j] * v;
                }
                for (u32 n = 0; n < kPairsAtOnce; ++n)
                    if (p0 + n < shape.n_pairs) {
                        const u32 at = (p0 + n) * shape.v_dim + c;
                        out[at] = out[at] * keep[p0 + n] + sums[n];
                    }
            }
        });
        block.sync();
    }

    // store(pair, c, out not yet divided, state), for each element. The last weights are not needed
    // any more, so `keep` and `scores` carry each pair's sum and largest score from the warp that
    // has them to all threads.
    template <class Store>
    KV_HD void finish(const Store& store) {
        block.each([&](u32 t) {
            for (u32 i = 0; i < kRounds; ++i) {
                const u32 p = i * kTileWarps + t / kWarp;
                if (p < shape.n_pairs && t % kWarp == 0) {
                    keep[p] = states[t].sum[i];
                    scores[p * kTileKeys] = states[t].max[i];
                }
            }
        });
        block.sync();
        block.each([&](u32 t) {
            for (u32 i = t; i < shape.n_pairs * shape.v_dim; i += kTileThreads) {
                const u32 p = i / shape.v_dim;
                store(p, i % shape.v_dim, static_cast<float>(out[i]),
                      SoftmaxState{scores[p * kTileKeys], keep[p]});
            }
        });
    }

    Block& block;
    TileShape shape;
    float scale;
    Floats q, out, scores, keep;
    Words begin, end;
    States states;

private:
    // One round: each warp takes its pair of that round, a lane for each key. In the letters of the
    // head: `before` is m, `top` becomes m', `weight` is w_j and `kept` is keep.
    KV_HD void softmax_step(u32 round) {
        const auto pair = [&](u32 t) { return round * kTileWarps + t / kWarp; };
        auto score = block.per_thread(kNothing), weight = block.per_thread(0.0f);
        block.each([&](u32 t) {
            if (pair(t) < shape.n_pairs) score[t] = scores[pair(t) * kTileKeys + t % kWarp];
        });
        auto top = score;
        block.max_lanes(top, kWarp);
        block.each([&](u32 t) {
            const float before = states[t].max[round];
            if (before > top[t]) top[t] = before;
            // A NaN is not kNothing: it goes on and shows.
            if (score[t] != kNothing) weight[t] = std::exp(score[t] - top[t]);
        });
        auto sum = weight;
        block.sum_lanes(sum, kWarp);
        block.each([&](u32 t) {
            if (pair(t) >= shape.n_pairs) return;
            const float before = states[t].max[round];
            const float kept = before == kNothing ? 0 : std::exp(before - top[t]);
            states[t].sum[round] = states[t].sum[round] * kept + sum[t];
            states[t].max[round] = top[t];
            scores[pair(t) * kTileKeys + t % kWarp] = weight[t];
            if (t % kWarp == 0) keep[pair(t)] = kept;
        });
    }
};

// The way of tiles through floats: every element is decoded once for all pairs of the block.
struct FloatTile {
    u32 keys, dim;  // at most kTileKeys of them at a time; the larger of both dims
    KV_HD u32 stride() const { return dim + 1; }  // a column lies in 32 different banks
    u32 shared() const { return shared_bytes(keys * (dim + 1)); }
};

// seen(side, place): a key or value of the run [first, last). rotate(tile, place of key 0, keys)
// may change keys before they are scored.
template <class Block, class Tile, class SeenAt, class RotateKeys>
KV_HD void attend_floats(TileWork<Block>& work, const FloatTile& shape, Tile& tile, u32 first,
                         u32 last, const SeenAt& seen, const RotateKeys& rotate) {
    Block& block = work.block;
    const auto unscaled = [](u32) { return 1.0f; };
    for (u32 at = first; at < last; at += shape.keys) {
        const u32 n = last - at < shape.keys ? last - at : shape.keys;
        const auto load = [&](Side side, u32 dim) {
            block.each([&](u32 t) {
                for (u32 j = t / kWarp; j < n; j += kTileWarps) {
                    const auto from = seen(side, at + j);
                    for (u32 c = t % kWarp; c < dim; c += kWarp)
                        tile[j * shape.stride() + c] = from.at(c);
                }
            });
            if (planted(PlantedBug::KernelWithoutBarrier)) return;
            block.sync();
        };
        const auto element = [&](u32 j, u32 c) -> float { return tile[j * shape.stride() + c]; };
        load(Side::K, work.shape.k_dim);
        rotate(tile, at, n);
        work.score(at, n, element, unscaled);
        load(Side::V, work.shape.v_dim);
        work.softmax_step();
        block.sync();
        work.weigh_values(n, element, unscaled);
    }
}

// Keys are rotated already, so nothing is left to do when one is read.
struct RotatedWhenStored {
    template <class Tile>
    KV_HD void operator()(Tile&, u32, u32) const {}
};

}  // namespace kv::gpu
