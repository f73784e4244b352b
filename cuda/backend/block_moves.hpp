#pragma once
// Blocks of the pool onto others, in the order that is asked for: in one launch, unless a move
// meets a block that an earlier one has read or written.

#include <span>
#include <utility>

#include "core/base/ids.hpp"
#include "cuda/device/gpu.hpp"

namespace kv::gpu {

class BlockMoves {
public:
    void run(Gpu& gpu, const KvLayout& layout, View<std::byte> pool,
             std::span<const std::pair<BlockId, BlockId>> from_to);

private:
    Memory<u32> ids_;  // from, then to
};

}  // namespace kv::gpu
