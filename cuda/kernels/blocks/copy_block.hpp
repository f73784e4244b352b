#pragma once
// The first slots of a block of the pool onto those of another, in all layers, keys and values:
// what copy-on-write asks for. grid (layers x 2 x runs), block 256 threads; reads and writes each
// byte once, 16 at a time where both runs begin at such an address, which most codecs' do.

#include "core/base/planted.hpp"
#include "core/cache/layout/block_runs.hpp"
#include "cuda/grid/block.hpp"

namespace kv::gpu {

struct CopyBlock {
    static constexpr const char* kName = "copy_block";
    KvLayout layout;
    View<std::byte> pool;
    BlockId from, to;  // not the same
    u32 slots = 0;

    LaunchShape shape() const { return {u64{layout.n_layers} * 2 * runs_of_plane(layout), 256}; }
    u64 bytes() const { return 2 * slots_bytes(layout, slots); }

    template <class Block>
    KV_HD void run(Block& block) const {
        if (planted(PlantedBug::KernelMovesBackwards)) return copy(block, to, from);
        copy(block, from, to);
    }

private:
    template <class Block>
    KV_HD void copy(Block& block, BlockId source_id, BlockId target_id) const {
        const u32 runs = runs_of_plane(layout);
        const u64 plane = block.index() / runs;
        const auto side = plane % 2 == 0 ? Side::K : Side::V;
        const u64 n = run_bytes(layout, side, slots);
        const LayerId layer(static_cast<u32>(plane / 2));
        const HeadId head(static_cast<u32>(block.index() % runs));
        const std::byte* source = pool.range(at(layer, side, head, source_id), n);
        std::byte* target = pool.range(at(layer, side, head, target_id), n);
        const u64 n_pieces = begins_piece(source) && begins_piece(target) ? n / kPiece : 0;
        block.each([&](u32 t) {
            for (u64 i = t; i < n_pieces; i += block.size())
                copy_piece(target + i * kPiece, source + i * kPiece);
            for (u64 i = n_pieces * kPiece + t; i < n; i += block.size()) target[i] = source[i];
        });
    }
    KV_HD static bool begins_piece(const std::byte* at) {
        return reinterpret_cast<std::uintptr_t>(at) % kPiece == 0;
    }
    KV_HD static void copy_piece(std::byte* to, const std::byte* from) {
#if defined(__CUDA_ARCH__)
        *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
#else
        memcpy(to, from, kPiece);
#endif
    }
    KV_HD u64 at(LayerId layer, Side side, HeadId head, BlockId id) const {
        return layout.vector_offset(layer, side, head, id, Slot(0));
    }
};

}  // namespace kv::gpu
