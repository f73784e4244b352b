#include "core/engine/recorder.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {

void Recorder::append(const Event& event) {
    if (const auto* fresh = std::get_if<BlockAllocated>(&event.what))
        if (backend_ != nullptr && poison_) poison(fresh->block);
    trace_.append(event);
    if (backend_ != nullptr) record(event);
}

void Recorder::record(const Event& event) {
    const auto* stored = std::get_if<TokensStored>(&event.what);
    // A fork's shared tokens were recorded when they were computed.
    if (stored != nullptr && event.reason.why == Why::Computed)
        record_stored(*event.request, *stored);
    if (const auto* copied = std::get_if<BlockCopied>(&event.what))
        record_slots(copied->to, 0, copied->slots);
    if (const auto* recoded = std::get_if<BlockRecoded>(&event.what))
        record_slots(recoded->block, 0, recoded->slots);
    const auto* moved = std::get_if<TransferFinished>(&event.what);
    if (moved != nullptr && moved->to == Medium::Device) {
        const BlockId block(moved->to_id);
        record_slots(block, 0, trace_.end().lanes[0].blocks[block.index()].filled);
    }
}

void Recorder::record_stored(SeqId request, const TokensStored& stored) {
    const Table& table = trace_.end().requests[request.index()].tables[0];
    const std::uint32_t size = trace_.end().block_size, end = stored.first + stored.count;
    for (std::uint32_t at = stored.first; at < end;) {
        const std::uint32_t entry = at / size, stop = std::min(end, (entry + 1) * size);
        if (table[entry]) record_slots(*table[entry], at % size, stop - at);
        at = stop;
    }
}

void Recorder::record_slots(BlockId block, std::uint32_t first, std::uint32_t count) {
    const KvLayout& layout = backend_->layout();
    bytes_.resize(layout.pool_bytes() / layout.n_blocks / layout.block_size);
    for (std::uint32_t slot = first; slot < first + count; ++slot) {
        each_vector_of_slot(layout, block, Slot(slot),
                            [&](std::uint64_t offset, std::uint64_t at, std::uint64_t size) {
                                backend_->read_pool(offset, std::span(bytes_).subspan(at, size));
                            });
        const std::span written(reinterpret_cast<const unsigned char*>(bytes_.data()),
                                bytes_.size());
        if (on_bytes_) on_bytes_(trace_.size() - 1, LaneId(0), block, Slot(slot), written);
        if (payloads_.budget_bytes() > 0)
            payloads_.record(trace_.size() - 1, LaneId(0), block, Slot(slot), written);
    }
}

void Recorder::poison(BlockId block) {
    const KvLayout& layout = backend_->layout();
    bytes_.assign(layout.pool_bytes() / layout.n_blocks / layout.block_size, std::byte{*poison_});
    for (std::uint32_t slot = 0; slot < layout.block_size; ++slot)
        each_vector_of_slot(layout, block, Slot(slot),
                            [&](std::uint64_t offset, std::uint64_t at, std::uint64_t size) {
                                backend_->write_pool(offset, std::span(bytes_).subspan(at, size));
                            });
}

}  // namespace kv
