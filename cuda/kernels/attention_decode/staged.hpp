#pragma once
// How v5 and later bring keys and values into shared memory: as the pool has them, by asynchronous
// copies of 16 bytes, a tile ahead of the one that is computed. A vector of 130 bytes begins at any
// even address, so the pieces that hold it are copied whole, and where it begins in them is noted.

#include "core/base/planted.hpp"
#include "cuda/kernels/attention/head_group.hpp"

namespace kv::gpu {

// Tiles that have room at a time: the one at hand and the next.
inline constexpr u32 kStages = 2;
// Where the vectors of all these tiles begin in their rows: of each a key's and a value's.
inline constexpr u32 kBegins = kStages * 2 * kTileKeys;

struct StageShape {
    u32 row_k, row_v;  // bytes between two vectors of a tile

    // An odd number of pieces, so that equal pieces of eight vectors lie in different banks.
    KV_HD static constexpr u32 row_of(u32 vector_bytes) {
        return static_cast<u32>((ceil_of(u64{vector_bytes} + kPiece - 1, kPiece) | 1) * kPiece);
    }
    KV_HD static StageShape of(const KvLayout& layout) {
        return {row_of(layout.k.bytes), row_of(layout.v.bytes)};
    }
    KV_HD u32 bytes() const { return kTileKeys * (row_k + row_v); }
    KV_HD u32 row(Side side) const { return side == Side::K ? row_k : row_v; }
    KV_HD u32 at(u32 stage, Side side, u32 j) const {
        return stage * bytes() + (side == Side::K ? 0 : kTileKeys * row_k) + j * row(side);
    }
};

// Own tokens that are looked at before they were coded come last, one by one, as floats.
inline constexpr u32 kExactKeys = 1;

inline u32 staged_shared(const Attended& a, u32 heads) {
    const u32 k = a.dim(Side::K), v = a.dim(Side::V);
    return tile_shared({heads, k, v}) + FloatTile{kExactKeys, k > v ? k : v}.shared() +
           shared_bytes(kBegins) + kStages * StageShape::of(a.cache.layout).bytes();
}

template <class Coded, class Block>
class StagedTiles {
    using Bytes = typename Block::Bytes;
    using Words = typename Block::Words;
    using PerThread = typename Block::template PerThread<u32>;

public:
    KV_HD StagedTiles(Block& block, const Attended& a, const HeadGroup& g, HeadGroups::Range range)
        : block_(block),
          a_(a),
          g_(g),
          range_(range),
          shape_(StageShape::of(a.cache.layout)),
          k_(a.cache.coded(Side::K)),
          v_(a.cache.coded(Side::V)),
          begins_(block.words(kBegins)),
          bytes_(block.bytes(kStages * shape_.bytes())),
          next_block_(block.per_thread(u32{0})) {}

    // The copies of a tile are a group. A turn commits the next tile's, behind the last tile an
    // empty one, so the newest group is never that of the tile at hand. Tile 0 is asked for and
    // committed before all turns.
    KV_HD void attend(TileWork<Block>& work) {
        const u32 n_tiles = static_cast<u32>(ceil_of(range_.last - range_.first, kTileKeys));
        look_up(0);
        if (n_tiles > 0) {
            ask_for(0);
            block_.commit_copies();
            look_up(1);
        }
        for (u32 i = 0; i < n_tiles; ++i) {
            if (i + 1 < n_tiles) {
                ask_for(i + 1);
                look_up(i + 2);
            }
            block_.commit_copies();
            wait();
            block_.sync();
            const u32 first = range_.first + i * kTileKeys, left = range_.last - first;
            const u32 n = left < kTileKeys ? left : kTileKeys;
            work.score(first, n, element(i, Side::K, k_), factor(i, Side::K, k_));
            work.softmax_step();
            block_.sync();
            work.weigh_values(n, element(i, Side::V, v_), factor(i, Side::V, v_));
        }
    }

private:
    KV_HD void wait() {
        if (planted(PlantedBug::KernelReadsCopyEarly)) return wait_wrongly();
        block_.template wait_copies<1>();  // all but the newest group, which is the next tile's
    }
    KV_HD void wait_wrongly() { block_.template wait_copies<kStages + 1>(); }
    // The table's entry for a tile's keys is read a tile before it is needed.
    KV_HD void look_up(u32 tile) {
        block_.each([&](u32 t) {
            const u32 slot = range_.first + tile * kTileKeys + t / kThreadsOfKey;
            if (slot < range_.last)
                next_block_[t] =
                    a_.cache.block_of(g_.sequence, g_.kv_head, slot / a_.cache.layout.block_size);
        });
    }
    // Four threads share a key and its value, piece by piece.
    KV_HD void ask_for(u32 tile) {
        const u32 stage = tile % kStages, block_size = a_.cache.layout.block_size;
        block_.each([&](u32 t) {
            const u32 j = t / kThreadsOfKey, part = t % kThreadsOfKey;
            const u32 slot = range_.first + tile * kTileKeys + j;
            if (slot >= range_.last) return;
            const u32 pool_slot = next_block_[t] * block_size + slot % block_size;
            for (const Side side : {Side::K, Side::V}) {
                const u64 at = a_.cache.offset_of_pool_slot(side, g_.kv_head, pool_slot);
                const u64 from = at / kPiece * kPiece;
                const u64 end = at + a_.cache.layout.vector(side).bytes;
                if (part == 0) begins_[begin_of(stage, side, j)] = static_cast<u32>(at - from);
                u32 to = shape_.at(stage, side, j) + part * kPiece;
                for (u64 piece = from + u64{part} * kPiece; piece < end;
                     piece += u64{kThreadsOfKey} * kPiece) {
                    block_.copy_async(bytes_, to, a_.cache.pool.range(piece, kPiece), kPiece);
                    to += kThreadsOfKey * kPiece;
                }
            }
        });
    }
    KV_HD static u32 begin_of(u32 stage, Side side, u32 j) {
        return (stage * 2 + (side == Side::V ? 1 : 0)) * kTileKeys + j;
    }
    KV_HD const std::byte* vector(u32 tile, Side side, u32 j) const {
        const u32 stage = tile % kStages, begin = begins_[begin_of(stage, side, j)];
        return bytes_.read(shape_.at(stage, side, j) + begin, a_.cache.layout.vector(side).bytes);
    }
    KV_HD auto element(u32 tile, Side side, const Coded& coded) const {
        return
            [this, tile, side, &coded](u32 j, u32 c) { return coded.at(vector(tile, side, j), c); };
    }
    KV_HD auto factor(u32 tile, Side side, const Coded& coded) const {
        return [this, tile, side, &coded](u32 j) { return coded.scale(vector(tile, side, j)); };
    }

    Block& block_;
    const Attended& a_;
    const HeadGroup& g_;
    HeadGroups::Range range_;
    StageShape shape_;
    Coded k_, v_;
    Words begins_;
    Bytes bytes_;
    PerThread next_block_;
};

// The whole of a block: its share of the stored keys in tiles. The last split goes on behind them
// with the exact ones: from own, the first slot of this pass, to the row's last, as the pass made
// them and not yet rounded by a codec.
template <class Coded, class Block>
KV_HD void attend_staged(TileWork<Block>& work, const Attended& a, const HeadGroups& groups,
                         const HeadGroup& g) {
    Block& block = work.block;
    const u32 wide = work.shape.k_dim > work.shape.v_dim ? work.shape.k_dim : work.shape.v_dim;
    auto exact_tile = block.floats(kExactKeys * (wide + 1));
    const u32 first = a.begin(g.row), last = a.end(g.row), own = a.first_slot[g.sequence];
    const bool exact = a.exact_k || a.exact_v;
    const u32 stored_end = !exact || own > last ? last : own < first ? first : own;
    start_heads(work, a, g);
    StagedTiles<Coded, Block> tiles(block, a, g, groups.share(first, stored_end, g.split));
    tiles.attend(work);
    if (g.split + 1 == groups.n_splits)
        attend_floats(
            work, FloatTile{kExactKeys, wide}, exact_tile, stored_end, last,
            [&](Side side, u32 slot) { return a.seen(side, g.row, g.kv_head, slot); },
            RotatedWhenStored{});
}

}  // namespace kv::gpu
