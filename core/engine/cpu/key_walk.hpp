#pragma once
// Finds the keys and values of one head, slot after slot: the table is asked once per block, the
// rest is a step of one stride.

#include <vector>

#include "core/base/error.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"

namespace kv::cpu {

class KeyWalk {
public:
    KeyWalk(const KvPool& pool, const std::vector<BlockId>& table, LayerId layer, HeadId head)
        : pool_(pool),
          table_(table),
          first_k_(pool.vector(layer, Side::K, head, BlockId(0), Slot(0))),
          first_v_(pool.vector(layer, Side::V, head, BlockId(0), Slot(0))),
          k_block_(pool.layout().block_bytes(Side::K)),
          v_block_(pool.layout().block_bytes(Side::V)) {}

    // Where the slots [begin, end) lie, at most kTileKeys of them. Slots never go back.
    void gather(std::uint32_t begin, std::uint32_t end, KeyTile& keys, KeyTile& values) {
        const KvLayout& layout = pool_.layout();
        const std::uint64_t k_stride = layout.slot_stride(Side::K),
                            v_stride = layout.slot_stride(Side::V);
        keys.n = values.n = end - begin;
        keys.dim = layout.k.dim;
        values.dim = layout.v.dim;
        keys.first = values.first = begin;
        keys.code = pool_.codec(Side::K).code;
        values.code = pool_.codec(Side::V).code;
        keys.scaled = values.scaled = false;
        std::size_t j = 0;
        for (std::uint32_t slot = begin; slot < end;) {
            if (slot >= block_end_) enter(slot);
            const std::uint32_t stop = end < block_end_ ? end : block_end_;
            std::uint64_t at = slot + layout.block_size - block_end_;
            for (; slot < stop; ++slot, ++at, ++j) {
                keys.row[j] = k_ + at * k_stride;
                values.row[j] = v_ + at * v_stride;
            }
        }
    }

private:
    void enter(std::uint32_t slot) {
        const std::uint32_t size = pool_.layout().block_size;
        // A division takes as long as some keys; most blocks follow the one before.
        const std::uint32_t entry = slot == block_end_ ? next_ : slot / size;
        KV_ASSERT(entry < table_.size() && table_[entry].value < pool_.layout().n_blocks);
        k_ = first_k_ + table_[entry].value * k_block_;
        v_ = first_v_ + table_[entry].value * v_block_;
        next_ = entry + 1;
        block_end_ = next_ * size;
    }

    const KvPool& pool_;
    const std::vector<BlockId>& table_;
    const std::byte *first_k_, *first_v_;          // slot 0 of block 0
    std::uint64_t k_block_, v_block_;              // bytes from block to block
    const std::byte *k_ = nullptr, *v_ = nullptr;  // slot 0 of the block that the walk is in
    std::uint32_t next_ = 0, block_end_ = 0;       // entry behind it, first slot behind it
};

}  // namespace kv::cpu
