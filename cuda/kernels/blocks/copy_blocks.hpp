#pragma once
// Blocks of the pool onto others, in all layers, keys and values: what copy-on-write asks for.
// grid (moves x layers x 2), block 256 threads; reads and writes each block once, 16 bytes at a
// time where both begin at such an address, which most codecs' do.

#include "core/cache/layout/kv_layout.hpp"
#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct CopyBlocks {
    static constexpr const char* kName = "copy_blocks";
    KvLayout layout;
    View<std::byte> pool;
    View<const u32> from, to;  // block ids, one move each; no block is in both

    LaunchShape shape() const { return {from.size * layout.n_layers * 2, 256}; }
    u64 bytes() const {
        return 2 * from.size * layout.n_layers *
               (layout.block_bytes(Side::K) + layout.block_bytes(Side::V));
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const auto side = block.index() % 2 == 0 ? Side::K : Side::V;
        const LayerId layer(static_cast<u32>(block.index() / 2 % layout.n_layers));
        const u64 move = block.index() / 2 / layout.n_layers, n = layout.block_bytes(side);
        const std::byte* source = pool.range(at(layer, side, from[move]), n);
        std::byte* target = pool.range(at(layer, side, to[move]), n);
#ifdef KVARIUM_PLANTED_BUGS
        if (planted(PlantedBug::KernelMovesBackwards)) {
            source = target;
            target = pool.range(at(layer, side, from[move]), n);
        }
#endif
        const u64 n_pieces = begins_piece(source) && begins_piece(target) ? n / kPiece : 0;
        block.each([&](u32 t) {
            for (u64 i = t; i < n_pieces; i += block.size())
                copy_piece(target + i * kPiece, source + i * kPiece);
            for (u64 i = n_pieces * kPiece + t; i < n; i += block.size()) target[i] = source[i];
        });
    }

private:
    KV_HD static bool begins_piece(const std::byte* at) {
        return reinterpret_cast<std::uintptr_t>(at) % kPiece == 0;
    }
    KV_HD static void copy_piece(std::byte* to, const std::byte* from) {
#if defined(__CUDA_ARCH__)
        *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
#else
        memmove(to, from, kPiece);  // onto itself, where a block stays where it is
#endif
    }
    KV_HD u64 at(LayerId layer, Side side, u32 id) const {
        return layout.vector_offset(layer, side, HeadId(0), BlockId(id), Slot(0));
    }
};

}  // namespace kv::gpu
