#pragma once
// The bytes that were written into the pool, kept beside a trace so that a slot can be shown as it
// was at any moment. Events say what happened, this says what the numbers were. Memory is bounded:
// when it is used up the oldest writes are forgotten, and dropped_before() says up to when.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/ids.hpp"

namespace kv {

class PayloadLog {
public:
    explicit PayloadLog(std::uint64_t budget_bytes) : budget_(budget_bytes) {}

    // Event number n wrote these bytes; n does not fall from call to call.
    void record(std::uint64_t n, LaneId lane, BlockId block, Slot slot,
                std::span<const unsigned char> bytes);

    enum class State : std::uint8_t { Known, NeverWritten, Forgotten };
    struct Found {
        State state = State::NeverWritten;
        std::span<const unsigned char> bytes;  // until the next record()
    };
    // What the slot held at that moment: the last write by an event that lies before it.
    Found find(std::uint64_t moment, LaneId lane, BlockId block, Slot slot) const;

    // Writes of events below this number may be gone; 0 as long as nothing was dropped.
    std::uint64_t dropped_before() const { return dropped_before_; }
    std::uint64_t size() const { return writes_.size(); }
    std::uint64_t memory_bytes() const;
    std::uint64_t budget_bytes() const { return budget_; }

private:
    struct Key {
        std::uint32_t lane, block, slot;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Write {
        std::uint64_t n;
        std::uint64_t previous;  // number of the write to this slot before, plus 1; 0 for none
        std::uint32_t chunk;     // counted from the first chunk ever
        std::uint32_t offset, size;
    };
    struct Chunk {
        std::unique_ptr<unsigned char[]> bytes;
        std::uint64_t size = 0, used = 0;
        std::uint64_t n_writes = 0;  // that are still known
    };
    // The last write of each slot: a hash table with open addressing, so that its memory is known.
    struct Last {
        Key key;
        std::uint64_t write;  // its number plus 1; 0 in an empty place
    };

    std::size_t place_of(const Key& key) const;
    void grow_index();
    Chunk& chunk_with_room(std::uint64_t bytes);
    void drop_oldest();

    std::uint64_t budget_;
    std::deque<Write> writes_;
    std::uint64_t first_ = 0;  // the number of writes_.front()
    std::deque<Chunk> chunks_;
    std::uint32_t first_chunk_ = 0;
    std::uint64_t chunk_bytes_ = 0;
    std::vector<Last> index_;
    std::uint64_t n_slots_ = 0;
    std::uint64_t dropped_before_ = 0;
};

}  // namespace kv
