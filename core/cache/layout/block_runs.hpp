#pragma once
// The runs of bytes that the first slots of a block are, for whoever moves blocks: one for each
// layer and side; where a head's slots lie side by side, one for each KV head as well.

#include <cstdint>

#include "core/cache/layout/kv_layout.hpp"

namespace kv {

KV_HD inline std::uint32_t runs_of_plane(const KvLayout& layout) {
    return layout.order == KvOrder::TokenMajor ? 1 : layout.n_kv_heads;
}

KV_HD inline std::uint64_t run_bytes(const KvLayout& layout, Side side, std::uint32_t slots) {
    return slots * layout.slot_stride(side);
}

// Bytes of the keys and values that so many slots of one block hold, in all layers and heads.
KV_HD inline std::uint64_t slots_bytes(const KvLayout& layout, std::uint32_t slots) {
    const std::uint64_t n = std::uint64_t{layout.n_layers} * runs_of_plane(layout);
    return n * (run_bytes(layout, Side::K, slots) + run_bytes(layout, Side::V, slots));
}

}  // namespace kv
