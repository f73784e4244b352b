#pragma once
// The pool as kernels see it in one layer: its bytes, the format of either side, and the tables
// that turn a slot of a sequence into a block. Nobody else looks into a table or adds a stride.

#include "core/base/planted.hpp"
#include "core/cache/kv_layout.hpp"
#include "cuda/block.hpp"
#include "cuda/kernels/codec/coded.hpp"

namespace kv::gpu {

// Layers and heads that share their tables have one lane; else each KV head of each layer has one.
struct Lanes {
    u32 n = 1, n_kv_heads = 1;
    KV_HD u32 of(LayerId layer, u32 head) const {
        return n == 1 ? 0 : layer.value * n_kv_heads + head;
    }
};

struct PagedKv {
    KvLayout layout;
    KvFormat k_format, v_format;
    View<std::byte> pool;
    View<const u16> scales;  // (n_layers, 2): of ':tensor' codecs
    View<const u32> tables;  // all block tables, one behind the other
    View<const u32> starts;  // (n_sequences, lanes): where each of them begins
    Lanes lanes;
    LayerId layer{0};

    KV_HD AnyCoded coded(KvSide side) const {
        const KvFormat& format = side == KvSide::K ? k_format : v_format;
        const KvVector& vector = layout.vector(side);
        AnyCoded out{format, vector.dim, vector.element_bits};
        if (format.scale == ScaleMode::Tensor)
            out.shared_scale = scales[2 * layer.index() + (side == KvSide::V ? 1 : 0)];
        return out;
    }
    KV_HD u32 block_of(u32 sequence, u32 head, u32 entry) const {
#ifdef KVARIUM_PLANTED_BUGS
        if (planted(PlantedBug::KernelTableIgnored)) return entry;
#endif
        const u32 lane = lanes.of(layer, head);
        return tables[starts[u64{sequence} * lanes.n + lane] + entry];
    }
    // Of a slot of the pool itself: block x block_size + slot in the block.
    KV_HD u64 offset_of_pool_slot(KvSide side, u32 head, u32 pool_slot) const {
        const BlockId block(pool_slot / layout.block_size);
        const Slot slot(pool_slot % layout.block_size);
#ifdef KVARIUM_PLANTED_BUGS
        if (planted(PlantedBug::KernelHeadStride))
            return layout.vector_offset(layer, side, HeadId(0), block, slot) +
                   u64{head} * layout.vector(side).bytes;
#endif
        return layout.vector_offset(layer, side, HeadId(head), block, slot);
    }
    KV_HD u32 pool_slot(u32 sequence, u32 head, u32 slot) const {
        return block_of(sequence, head, slot / layout.block_size) * layout.block_size +
               slot % layout.block_size;
    }
    KV_HD const std::byte* vector(KvSide side, u32 head, u32 at_pool_slot) const {
        return pool.range(offset_of_pool_slot(side, head, at_pool_slot), layout.vector(side).bytes);
    }
};

}  // namespace kv::gpu
