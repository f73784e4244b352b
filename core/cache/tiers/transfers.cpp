#include "core/cache/tiers/transfers.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

// The same transfer the other way round.
TransferStarted Transfers::to_place(BlockId block, std::uint32_t place) const {
    TransferStarted transfer = to_device(place, block);
    std::swap(transfer.from, transfer.to);
    std::swap(transfer.from_id, transfer.to_id);
    return transfer;
}

TransferStarted Transfers::to_device(std::uint32_t place, BlockId block) const {
    TransferStarted transfer;
    transfer.from = tiers_.medium(place);
    transfer.from_id = tiers_.number(place);
    transfer.to = Medium::Device;
    transfer.to_id = block.value;
    transfer.entry = tiers_[place].entry;
    transfer.slots = tiers_[place].slots;
    transfer.bytes = spec_.block_bytes;
    return transfer;
}

void Transfers::begin(std::optional<SeqId> id, const Reason& reason,
                      const TransferStarted& transfer) {
    if (transfer.from == Medium::Device) device_.pool(kOnlyLane).pin(BlockId(transfer.from_id));
    if (transfer.to == Medium::Device) device_.pool(kOnlyLane).pin(BlockId(transfer.to_id));
    log_.tell(id, reason, transfer);
}

void Transfers::finish(std::optional<SeqId> id, const Reason& reason,
                       const TransferStarted& transfer) {
    const TransferStarted& t = transfer;
    const MoveResult result = move_and_unpin(t);
    if (mover_ != nullptr && t.from != Medium::Device)
        KV_ASSERT(result.checksum == tiers_[tiers_.place(t.from, t.from_id)].checksum);
    if (t.to == Medium::Device)
        device_.filled(kOnlyLane, BlockId(t.to_id)) = t.slots;
    else
        tiers_.arrived(tiers_.place(t.to, t.to_id), result.checksum);
    log_.tell(id, reason,
              TransferFinished{.from = t.from,
                               .to = t.to,
                               .from_id = t.from_id,
                               .to_id = t.to_id,
                               .checksum = result.checksum,
                               .model_us = result.model_us,
                               .us = result.us});
}

MoveResult Transfers::move_and_unpin(const TransferStarted& transfer) {
    if (planted(PlantedBug::PinDroppedEarly)) return move_and_unpin_wrongly(transfer);
    const MoveResult result = move_bytes(transfer);
    unpin(transfer);  // not before: until then the block must not change hands
    return result;
}

MoveResult Transfers::move_and_unpin_wrongly(const TransferStarted& transfer) {
    unpin(transfer);
    return move_bytes(transfer);
}

MoveResult Transfers::move_bytes(const TransferStarted& t) {
    if (mover_ == nullptr) return {};
    return mover_->move({t.from, t.to, t.from_id, t.to_id, t.slots});
}

void Transfers::unpin(const TransferStarted& transfer) {
    if (transfer.from == Medium::Device) device_.pool(kOnlyLane).unpin(BlockId(transfer.from_id));
    if (transfer.to == Medium::Device) device_.pool(kOnlyLane).unpin(BlockId(transfer.to_id));
}

void Transfers::copy(BlockId from, BlockId to, std::uint32_t slots) {
    if (mover_ != nullptr) mover_->copy(from, to, slots);
}

void Transfers::move_slots(LaneId lane, std::span<const SlotMove> moves) {
    if (mover_ != nullptr) mover_->move_slots(lane, moves);
}

}  // namespace kv
