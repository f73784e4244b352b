#pragma once
// What kind of number this is. Mixing two kinds does not compile, and there is no "no id" value:
// use std::optional. Shared with CUDA kernels, so it includes nothing but integers.

#include <cstddef>
#include <cstdint>

#include "core/base/kv_hd.hpp"

namespace kv {

template <class Tag>
struct Id {
    std::uint32_t value;

    KV_HD constexpr explicit Id(std::uint32_t v) : value(v) {}
    KV_HD constexpr std::size_t index() const { return value; }

    // Spelled out instead of <=>: nvcc takes std::strong_ordering's operators for host functions.
    friend KV_HD constexpr bool operator==(Id a, Id b) { return a.value == b.value; }
    friend KV_HD constexpr bool operator!=(Id a, Id b) { return a.value != b.value; }
    friend KV_HD constexpr bool operator<(Id a, Id b) { return a.value < b.value; }
};

using SeqId = Id<struct SeqTag>;      // a request
using BlockId = Id<struct BlockTag>;  // a physical block of the pool
using LayerId = Id<struct LayerTag>;
using HeadId = Id<struct HeadTag>;  // a KV head unless the name says query
using Pos = Id<struct PosTag>;      // position of a token in its sequence, from 0
using Slot = Id<struct SlotTag>;    // place of a token inside its block, from 0
using LaneId =
    Id<struct LaneTag>;  // what one table serves: all layers, a layer, or a KV head of one

}  // namespace kv
