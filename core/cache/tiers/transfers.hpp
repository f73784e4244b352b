#pragma once
// Blocks that change their tier, with the books of both ends and the bytes. Both ends are taken
// before a transfer begins; while it runs, the block on the device is pinned and cannot change
// hands. What arrives is what left: a checksum says so.

#include <cstdint>
#include <optional>
#include <span>

#include "core/cache/blocks/device_blocks.hpp"
#include "core/cache/blocks/spec.hpp"
#include "core/cache/tiers/block_mover.hpp"
#include "core/cache/tiers/tiers.hpp"
#include "core/trace/event_writer.hpp"

namespace kv {

struct TransferStarted;

class Transfers {
public:
    // `mover` may be null: then only books are kept.
    Transfers(const CacheSpec& spec, DeviceBlocks& device, EventWriter& log, BlockMover* mover)
        : spec_(spec),
          device_(device),
          log_(log),
          mover_(mover),
          tiers_(spec.n_host, spec.n_file) {}

    void use_mover(BlockMover* mover) { mover_ = mover; }
    Tiers& tiers() { return tiers_; }
    const Tiers& tiers() const { return tiers_; }

    // A block on its way to a place, and back; entry and slots are those of the place.
    TransferStarted to_place(BlockId block, std::uint32_t place) const;
    TransferStarted to_device(std::uint32_t place, BlockId block) const;

    // begin() pins the block, finish() moves its bytes and unpins it.
    void begin(std::optional<SeqId> id, const Reason& reason, const TransferStarted& transfer);
    void finish(std::optional<SeqId> id, const Reason& reason, const TransferStarted& transfer);
    void move_at_once(std::optional<SeqId> id, const Reason& reason,
                      const TransferStarted& transfer) {
        begin(id, reason, transfer);
        finish(id, reason, transfer);
    }

    // Copies inside the device; the caller tells of them.
    void copy(BlockId from, BlockId to, std::uint32_t slots);
    void move_slots(LaneId lane, std::span<const SlotMove> moves);

private:
    MoveResult move_and_unpin(const TransferStarted& transfer);
    MoveResult move_and_unpin_wrongly(const TransferStarted& transfer);
    MoveResult move_bytes(const TransferStarted& transfer);
    void unpin(const TransferStarted& transfer);

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    EventWriter& log_;
    BlockMover* mover_;
    Tiers tiers_;
};

}  // namespace kv
