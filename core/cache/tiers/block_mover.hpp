#pragma once
// Moves the bytes of blocks when the books say so. The cache decides and never touches a byte; who
// holds the bytes implements this. A cache without a mover keeps books only.

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/ids.hpp"
#include "core/trace/event/words.hpp"

namespace kv {

struct BlockMove {
    Medium from = Medium::Device, to = Medium::Host;
    std::uint32_t from_id = 0, to_id = 0;  // blocks of the pool, or places of a tier
    std::uint32_t slots = 0;  // that hold keys and values; PoolMover carries the whole block
};

struct MoveResult {
    std::uint64_t checksum = 0;  // of all bytes of the block
    double us = 0, model_us = 0;
};

struct SlotMove {  // of a lane's vectors
    BlockId from;
    Slot from_slot;
    BlockId to;
    Slot to_slot;
};

class BlockMover {
public:
    virtual ~BlockMover() = default;
    virtual MoveResult move(const BlockMove& what) = 0;
    // The first slots of a block, bit for bit, for a request that writes into a shared one.
    virtual void copy(BlockId from, BlockId to, std::uint32_t slots) = 0;
    // Single slots, bit for bit, for a table whose survivors move together.
    virtual void move_slots(LaneId lane, std::span<const SlotMove> moves) = 0;
};

}  // namespace kv
