#pragma once
// Finds the keys and values of one head, slot after slot: the table is asked once per block, the
// rest is a step of one stride.

#include <vector>

#include "core/base/error.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/cpu_kernels.hpp"

namespace kv::cpu {

class KeyWalk {
public:
    KeyWalk(const KvPool& pool, const std::vector<BlockId>& table, LayerId layer, HeadId head)
        : pool_(pool), table_(table), layer_(layer), head_(head) {}

    // Where the slots [begin, end) lie, at most kTileKeys of them. Slots never go back.
    void gather(std::uint32_t begin, std::uint32_t end, KeyTile& keys, KeyTile& values) {
        const KvLayout& layout = pool_.layout();
        const std::uint64_t k_stride = layout.slot_stride(KvSide::K),
                            v_stride = layout.slot_stride(KvSide::V);
        keys.n = values.n = end - begin;
        keys.dim = layout.k.dim;
        values.dim = layout.v.dim;
        std::size_t j = 0;
        for (std::uint32_t slot = begin; slot < end;) {
            if (slot >= block_end_) enter(slot);
            const std::uint32_t stop = end < block_end_ ? end : block_end_;
            std::uint64_t at = slot % layout.block_size;
            for (; slot < stop; ++slot, ++at, ++j) {
                keys.row[j] = k_ + at * k_stride;
                values.row[j] = v_ + at * v_stride;
            }
        }
    }

private:
    void enter(std::uint32_t slot) {
        const std::uint32_t size = pool_.layout().block_size, entry = slot / size;
        KV_ASSERT(entry < table_.size() && table_[entry].value < pool_.layout().n_blocks);
        k_ = pool_.vector(layer_, KvSide::K, head_, table_[entry], Slot(0));
        v_ = pool_.vector(layer_, KvSide::V, head_, table_[entry], Slot(0));
        block_end_ = (entry + 1) * size;
    }

    const KvPool& pool_;
    const std::vector<BlockId>& table_;
    LayerId layer_;
    HeadId head_;
    const std::byte *k_ = nullptr, *v_ = nullptr;  // slot 0 of the block that the walk is in
    std::uint32_t block_end_ = 0;                  // slots of the sequence
};

}  // namespace kv::cpu
