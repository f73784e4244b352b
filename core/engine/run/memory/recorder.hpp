#pragma once
// The EventLog of an engine: EventWriter::tell() of cache, scheduler and engine ends in append().
// It writes the trace, and beside it the bytes: what every slot got when it was stored, copied or
// brought back, so that any byte of any past moment can be shown. To log such an event is to read
// the pool: whoever tells it does so once the backend has written. Reading changes nothing.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/seam/backend.hpp"
#include "core/trace/payloads.hpp"
#include "core/trace/trace.hpp"

namespace kv {

struct TokensStored;

// Takes the bytes that event number n wrote; the session of a window keeps them in a PayloadLog
// of its own.
using BytesWritten = std::function<void(std::uint64_t n, LaneId lane, BlockId block, Slot slot,
                                        std::span<const unsigned char> bytes)>;

class Recorder : public EventLog {
public:
    explicit Recorder(std::uint64_t payload_bytes, BytesWritten on_bytes = {})
        : payloads_(payload_bytes), on_bytes_(std::move(on_bytes)) {}

    void append(const Event& event) override;
    // The backend whose bytes are recorded. Null: events only.
    void watch(Backend* backend, const LaneShape& lanes = {}) {
        backend_ = backend;
        lanes_ = lanes;
    }
    // Fresh blocks are filled with this before they are used: for tests, and for debugging.
    void poison_fresh_blocks(std::optional<unsigned char> with) { poison_ = with; }

    const Trace& trace() const { return trace_; }
    // Empty with a budget of 0, as a window's session asks for: then on_bytes alone is told.
    const PayloadLog& payloads() const { return payloads_; }

private:
    void record(const Event& event);
    void record_stored(SeqId request, const TokensStored& stored);
    void record_slots(LaneId lane, BlockId block, std::uint32_t first, std::uint32_t count);
    std::uint64_t slot_bytes() const;  // of a lane
    void poison(LaneId lane, BlockId block);

    Trace trace_;
    PayloadLog payloads_;
    BytesWritten on_bytes_;
    Backend* backend_ = nullptr;
    LaneShape lanes_;
    std::optional<unsigned char> poison_;
    std::vector<std::byte> bytes_;
};

// The bytes of one slot of a lane as payloads keep them, side by side: layer by layer, keys then
// values, head by head, as far as they belong to the lane. `visit` gets each vector's place in the
// pool and in those bytes. The latter is what payload_offset() in core/cache/layout/lane_shape.hpp
// answers to whoever reads a payload: the two must agree.
template <class Visit>
void each_vector_of_slot(const KvLayout& layout, const LaneShape& lanes, LaneId lane, BlockId block,
                         Slot slot, Visit&& visit) {
    std::uint64_t at = 0;
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head) {
                if (!lanes.has(lane, LayerId(layer), HeadId(head))) continue;
                const std::uint64_t size = layout.vector(side).bytes;
                visit(layout.vector_offset(LayerId(layer), side, HeadId(head), block, slot), at,
                      size);
                at += size;
            }
}

}  // namespace kv
