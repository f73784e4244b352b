#include "core/cache/tiers/transfers.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

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
    if (transfer.from == Medium::Device) device_.pool(kFirstLane).pin(BlockId(transfer.from_id));
    if (transfer.to == Medium::Device) device_.pool(kFirstLane).pin(BlockId(transfer.to_id));
    log_.tell(id, reason, transfer);
}

void Transfers::finish(std::optional<SeqId> id, const Reason& reason,
                       const TransferStarted& transfer) {
    const auto& [from, to, from_id, to_id, entry, hash, slots, bytes] = transfer;
    MoveResult result;
    if (planted(PlantedBug::PinDroppedEarly)) unpin(transfer);
    if (mover_ != nullptr) result = mover_->move({from, to, from_id, to_id, slots});
    if (!planted(PlantedBug::PinDroppedEarly)) unpin(transfer);
    if (mover_ != nullptr && from != Medium::Device)
        KV_ASSERT(result.checksum == tiers_[tiers_.place(from, from_id)].checksum);
    if (to == Medium::Device)
        device_.filled(kFirstLane, BlockId(to_id)) = slots;
    else
        tiers_.arrived(tiers_.place(to, to_id), result.checksum);
    log_.tell(id, reason,
              TransferFinished{.from = from,
                               .to = to,
                               .from_id = from_id,
                               .to_id = to_id,
                               .checksum = result.checksum,
                               .model_us = result.model_us,
                               .us = result.us});
}

void Transfers::unpin(const TransferStarted& transfer) {
    if (transfer.from == Medium::Device) device_.pool(kFirstLane).unpin(BlockId(transfer.from_id));
    if (transfer.to == Medium::Device) device_.pool(kFirstLane).unpin(BlockId(transfer.to_id));
}

void Transfers::copy(BlockId from, BlockId to, std::uint32_t slots) {
    if (mover_ != nullptr) mover_->copy(from, to, slots);
}

void Transfers::move_slots(LaneId lane, std::span<const SlotMove> moves) {
    if (mover_ != nullptr) mover_->move_slots(lane, moves);
}

}  // namespace kv
