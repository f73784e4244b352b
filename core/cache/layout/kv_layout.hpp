#pragma once
// Where every byte of the cache lies: the one address function of the house. The CPU code, the CUDA
// kernels, the byte inspector and the tests all ask here, so they cannot disagree.
//
// The pool is one run of bytes. Each layer has a plane of keys and then a plane of values; a plane
// is an array of blocks (PagedAttention's pages); a block holds `block_size` slots of `n_kv_heads`
// vectors, in one of two orders:
//
//   token_major   [block][slot][head][vector]   a token's heads lie together: an append is one run
//   head_major    [block][head][slot][vector]   a head's tokens lie together: a read is one run
//
// A vector is `dim` coded elements and, behind them, its scales (none for the plain formats), so
// its bytes need not divide evenly by its elements. Keys of KIVI are the exception: the codes of 32
// tokens lie spread over the slots of their group (codec/kivi_group.hpp). All offsets are 64 bits
// wide.

#include <cstdint>

#include "core/base/ids.hpp"
#include "core/base/kv_hd.hpp"
#include "core/base/planted.hpp"
#include "core/base/side.hpp"

namespace kv {

enum class KvOrder : std::uint8_t { TokenMajor, HeadMajor };

struct KvVector {
    std::uint32_t dim = 0;             // elements
    std::uint32_t element_bits = 0;    // of one coded element
    std::uint32_t bytes = 0;           // coded elements and scales
    std::uint32_t residual_bytes = 0;  // while it waits to be coded (KIVI); 0: it never waits
};

struct KvLayout {
    std::uint32_t n_layers = 0, n_kv_heads = 0, block_size = 0, n_blocks = 0;
    KvOrder order = KvOrder::TokenMajor;
    KvVector k, v;

    KV_HD const KvVector& vector(Side side) const { return side == Side::K ? k : v; }

    // Strides in bytes, each of one side.
    KV_HD std::uint64_t block_bytes(Side side) const {
        return std::uint64_t{block_size} * n_kv_heads * vector(side).bytes;
    }
    KV_HD std::uint64_t slot_stride(Side side) const {
        return std::uint64_t{vector(side).bytes} * (order == KvOrder::TokenMajor ? n_kv_heads : 1);
    }
    KV_HD std::uint64_t head_stride(Side side) const {
        return std::uint64_t{vector(side).bytes} * (order == KvOrder::TokenMajor ? 1 : block_size);
    }
    KV_HD std::uint64_t plane_bytes(Side side) const { return n_blocks * block_bytes(side); }
    KV_HD std::uint64_t layer_bytes() const { return plane_bytes(Side::K) + plane_bytes(Side::V); }
    KV_HD std::uint64_t pool_bytes() const { return n_layers * layer_bytes(); }

    KV_HD std::uint64_t plane_offset(LayerId layer, Side side) const {
        return layer.value * layer_bytes() + (side == Side::K ? 0 : plane_bytes(Side::K));
    }
    // Plane + block x block_bytes + slot x slot_stride + head x head_stride: in token-major order a
    // slot is n_kv_heads vectors further, in head-major order a head is block_size vectors further.
    KV_HD std::uint64_t vector_offset(LayerId layer, Side side, HeadId head, BlockId block,
                                      Slot slot) const {
        const std::uint64_t offset = plane_offset(layer, side) + block.value * block_bytes(side) +
                                     slot.value * slot_stride(side) +
                                     head.value * head_stride(side);
        if (planted(PlantedBug::AddressIn32Bits)) return offset & 0xFFFFFFFFu;
        return offset;
    }
};

// The owner of a byte of the pool: in whose slot it lies. (With keys of KIVI it may serve any token
// of the group.) `byte` counts from the start of its vector.
struct KvPlace {
    LayerId layer;
    Side side;
    BlockId block;
    Slot slot;
    HeadId head;
    std::uint32_t byte;
};

// The inverse of vector_offset; `offset` is below pool_bytes().
KV_HD inline KvPlace place_of(const KvLayout& layout, std::uint64_t offset) {
    const auto narrow = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::uint64_t in_layer = offset % layout.layer_bytes();
    const Side side = in_layer < layout.plane_bytes(Side::K) ? Side::K : Side::V;
    const std::uint64_t in_plane =
        side == Side::K ? in_layer : in_layer - layout.plane_bytes(Side::K);
    const std::uint64_t in_block = in_plane % layout.block_bytes(side);
    const std::uint64_t vector = in_block / layout.vector(side).bytes;
    const bool by_token = layout.order == KvOrder::TokenMajor;
    const std::uint64_t inner = by_token ? layout.n_kv_heads : layout.block_size;
    const std::uint64_t slot = by_token ? vector / inner : vector % inner;
    const std::uint64_t head = by_token ? vector % inner : vector / inner;
    return {LayerId(narrow(offset / layout.layer_bytes())),
            side,
            BlockId(narrow(in_plane / layout.block_bytes(side))),
            Slot(narrow(slot)),
            HeadId(narrow(head)),
            narrow(in_block % layout.vector(side).bytes)};
}

// Where a vector lies among the bytes of one slot, which are kept side by side when they are copied
// out of the pool: layer by layer, keys then values, head by head, in either order of the pool.
// This is for one table; where each layer or head has its own, payload_offset() of lane_shape.hpp.
// each_vector_of_slot() in core/engine/run/memory writes them.
KV_HD inline std::uint64_t payload_offset(const KvLayout& layout, LayerId layer, Side side,
                                          HeadId head) {
    const std::uint64_t heads = layout.n_kv_heads;
    const std::uint64_t in_layer = side == Side::K ? 0 : heads * layout.k.bytes;
    return layer.value * heads * (layout.k.bytes + layout.v.bytes) + in_layer +
           std::uint64_t{head.value} * layout.vector(side).bytes;
}

}  // namespace kv
