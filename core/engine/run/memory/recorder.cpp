#include "core/engine/run/memory/recorder.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

void Recorder::append(const Event& event) {
    if (const auto* fresh = std::get_if<BlockAllocated>(&event.what))
        if (backend_ != nullptr && poison_) poison(fresh->lane, fresh->block);
    trace_.append(event);
    if (backend_ != nullptr) record(event);
}

void Recorder::record(const Event& event) {
    const auto* stored = std::get_if<TokensStored>(&event.what);
    // The reason tells who wrote: no pass did for tokens that a fork shares, whose bytes were
    // recorded when they were computed.
    if (stored != nullptr && event.reason.why == Why::Computed)
        record_stored(*event.request, *stored);
    if (const auto* copied = std::get_if<BlockCopied>(&event.what))
        record_slots(copied->lane, copied->to, 0, copied->slots);
    if (const auto* recoded = std::get_if<BlockRecoded>(&event.what))
        record_slots(recoded->lane, recoded->block, 0, recoded->slots);
    if (const auto* moved = std::get_if<SlotsMoved>(&event.what))
        for (const std::uint32_t block : moved->to)
            record_slots(moved->lane, BlockId(block), 0,
                         trace_.end().lanes[moved->lane.index()].blocks[block].filled);
    const auto* brought = std::get_if<TransferFinished>(&event.what);
    if (brought != nullptr && brought->to == Medium::Device) {
        const BlockId block(brought->to_id);
        record_slots(LaneId(0), block, 0, trace_.end().lanes[0].blocks[block.index()].filled);
    }
}

void Recorder::record_stored(SeqId request, const TokensStored& stored) {
    const RequestView& r = trace_.end().requests[request.index()];
    const std::uint32_t size = trace_.end().block_size;
    for (std::uint32_t lane = 0; lane < r.tables.size(); ++lane) {
        const SlotMap& slots = r.slots[lane];
        const std::uint32_t end = slots.slots_taken(stored.first + stored.count);
        for (std::uint32_t at = slots.slots_taken(stored.first); at < end;) {
            const std::uint32_t entry = at / size, stop = std::min(end, (entry + 1) * size);
            if (const TableEntry& block = r.tables[lane][entry])
                record_slots(LaneId(lane), *block, at % size, stop - at);
            at = stop;
        }
    }
}

std::uint64_t Recorder::slot_bytes() const {
    const KvLayout& layout = backend_->layout();
    return layout.pool_bytes() / layout.n_blocks / layout.block_size / lanes_.n_lanes();
}

void Recorder::record_slots(LaneId lane, BlockId block, std::uint32_t first, std::uint32_t count) {
    bytes_.resize(slot_bytes());
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
        each_vector_of_slot(backend_->layout(), lanes_, lane, block, Slot(slot),
                            [&](std::uint64_t offset, std::uint64_t at, std::uint64_t size) {
                                backend_->read_pool(offset, std::span(bytes_).subspan(at, size));
                            });
        const std::span written(reinterpret_cast<const unsigned char*>(bytes_.data()),
                                bytes_.size());
        if (on_bytes_) on_bytes_(trace_.size() - 1, lane, block, Slot(slot), written);
        if (payloads_.budget_bytes() > 0)
            payloads_.record(trace_.size() - 1, lane, block, Slot(slot), written);
    }
}

void Recorder::poison(LaneId lane, BlockId block) {
    bytes_.assign(slot_bytes(), std::byte{*poison_});
    for (std::uint32_t slot = 0; slot < backend_->layout().block_size; ++slot)
        each_vector_of_slot(backend_->layout(), lanes_, lane, block, Slot(slot),
                            [&](std::uint64_t offset, std::uint64_t at, std::uint64_t size) {
                                backend_->write_pool(offset, std::span(bytes_).subspan(at, size));
                            });
}

}  // namespace kv
