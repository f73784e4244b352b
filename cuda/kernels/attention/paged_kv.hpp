#pragma once
// The pool as kernels see it in one layer: its bytes, the format of either side, and the tables
// that turn a slot of a sequence into a block. Nobody else looks into a table or adds a stride.

#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/cache/codec/kivi_group.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "cuda/grid/block.hpp"
#include "cuda/kernels/codec/coded.hpp"

namespace kv::gpu {

// Layers and heads that share their tables have one lane; else each KV head of each layer has one.
struct Lanes {
    u32 n = 1, n_kv_heads = 1;
    KV_HD u32 of(LayerId layer, u32 head) const {
        return n == 1 ? 0 : layer.value * n_kv_heads + head;
    }
};

// The residual (KIVI) in one layer, where the newest tokens of each sequence wait in fp16:
// addresses are sums of these strides.
struct Residuals {
    struct Strides {
        u64 first = 0, head_stride = 0, row_stride = 0;
    };
    View<std::byte> bytes;
    View<const u32> row_sets;  // (n_sequences)
    u64 set_bytes = 0;
    Strides k, v;

    static Residuals of(const KvLayout& layout, LayerId layer, View<std::byte> bytes,
                        View<const u32> row_sets) {
        const auto side = [&](Side which) -> Strides {
            const auto at = [&](u32 head, u32 slot) {
                return residual_offset(layout, layer, which, HeadId(head), slot);
            };
            return {at(0, 0), at(1, 0) - at(0, 0), at(0, 1) - at(0, 0)};
        };
        return {bytes, row_sets, bytes_of_row_set(layout), side(Side::K), side(Side::V)};
    }
    KV_HD std::byte* row(Side side, u32 sequence, u32 head, u32 slot, u32 dim) const {
        const Strides& s = side == Side::K ? k : v;
        if (planted(PlantedBug::KernelResidualRing)) slot %= kKiviResidual;
        return bytes.range(row_sets[sequence] * set_bytes + s.first + head * s.head_stride +
                               slot % kKiviResidualRows * s.row_stride,
                           u64{dim} * 2);
    }
};

struct PagedKv {
    KvLayout layout;
    Codec k_codec, v_codec;
    View<std::byte> pool;
    View<const u16> scales;  // (n_layers, 2): of ':tensor' codecs
    View<const u32> tables;  // all block tables, one behind the other
    View<const u32> starts;  // (n_sequences, lanes): where each of them begins
    Lanes lanes;
    LayerId layer{0};
    Residuals residual = {};

    KV_HD const Codec& codec(Side side) const { return side == Side::K ? k_codec : v_codec; }

    // Whether a side's newest tokens wait in the residual.
    KV_HD bool waits(Side side) const { return codec(side).scale == ScaleMode::Kivi; }
    // How a value that has waited is coded: a scale and a zero for every 32 channels.
    KV_HD AnyCoded coded_value() const {
        const u32 dim = layout.v.dim, group = dim < 32 ? dim : 32;
        static_assert(kKiviGroup == 32);
        return {{v_codec.code, ScaleMode::Groups, group}, dim, layout.v.element_bits};
    }

    KV_HD AnyCoded coded(Side side) const {
        const KvVector& vector = layout.vector(side);
        AnyCoded out{codec(side), vector.dim, vector.element_bits};
        if (codec(side).scale == ScaleMode::Tensor)
            out.shared_scale = scales[2 * layer.index() + (side == Side::V ? 1 : 0)];
        return out;
    }
    KV_HD u32 block_of(u32 sequence, u32 head, u32 entry) const {
        if (planted(PlantedBug::KernelTableIgnored)) return entry;
        const u32 lane = lanes.of(layer, head);
        return tables[starts[u64{sequence} * lanes.n + lane] + entry];
    }
    // The address of a slot of the pool itself: block x block_size + slot in the block.
    KV_HD u64 offset_of_pool_slot(Side side, u32 head, u32 pool_slot) const {
        const BlockId block(pool_slot / layout.block_size);
        const Slot slot(pool_slot % layout.block_size);
        if (planted(PlantedBug::KernelHeadStride)) return offset_wrongly(side, head, block, slot);
        return layout.vector_offset(layer, side, HeadId(head), block, slot);
    }
    KV_HD u64 offset_wrongly(Side side, u32 head, BlockId block, Slot slot) const {
        return layout.vector_offset(layer, side, HeadId(0), block, slot) +
               u64{head} * layout.vector(side).bytes;
    }
    KV_HD u32 pool_slot(u32 sequence, u32 head, u32 slot) const {
        return block_of(sequence, head, slot / layout.block_size) * layout.block_size +
               slot % layout.block_size;
    }
    KV_HD const std::byte* vector(Side side, u32 head, u32 at_pool_slot) const {
        return pool.range(offset_of_pool_slot(side, head, at_pool_slot), layout.vector(side).bytes);
    }

    // A byte of the key group that begins at slot `first`, wherever its tokens lie.
    KV_HD std::byte* group_byte(u32 sequence, u32 head, u32 first, GroupByte at) const {
        const u32 slot = pool_slot(sequence, head, first + at.token);
        return pool.range(offset_of_pool_slot(Side::K, head, slot) + at.byte, 1);
    }
    KV_HD float group_element(u32 sequence, u32 head, u32 slot, u32 c) const {
        const KeyGroupShape shape{layout.k.element_bits, layout.k.dim};
        const u32 token = slot % KeyGroupShape::kTokens, first = slot - token;
        const auto byte = [&](GroupByte at) {
            return static_cast<u32>(*group_byte(sequence, head, first, at));
        };
        const auto fp16 = [&](u32 at) {
            return fp16_to_float(
                static_cast<u16>(byte(shape.record(at)) | byte(shape.record(at + 1)) << 8));
        };
        const u32 code =
            byte(shape.code(token, c)) >> shape.shift(token) & ((1u << shape.bits) - 1);
        const u32 at = c * KeyGroupShape::kRecordBytes;
        return static_cast<float>(code) * fp16(at) + fp16(at + 2);
    }
};

}  // namespace kv::gpu
