#pragma once
// A mover with real bytes: one array for the device and one for each tier. What is written for a
// token depends on all tokens before it, as keys and values do, so that a wrong block is noticed by
// its bytes. A third of each slot is a NaN with a payload, which only an exact copy keeps.

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/cache/tamper.hpp"

namespace kv::test {

using SlotBytes = std::array<std::uint8_t, 12>;

inline std::uint64_t value_after(std::uint64_t before, std::uint32_t token) {
    std::uint64_t x = (before ^ (token + 1)) * 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    return x * 0xBF58476D1CE4E5B9u;
}

inline SlotBytes bytes_of(std::uint64_t value) {
    // Signalling and quiet, of both signs: what a copy through a float register would change.
    const auto nan = 0x7F800001u | static_cast<std::uint32_t>(value & 0x80'7F'FF'FEu);
    SlotBytes bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    std::memcpy(bytes.data() + sizeof value, &nan, sizeof nan);
    return bytes;
}

class ByteMover : public BlockMover {
public:
    explicit ByteMover(const CacheSpec& spec)
        : memory_{blocks(spec, spec.n_blocks), blocks(spec, spec.n_host),
                  blocks(spec, spec.n_file)} {}
    void watch(const Cache& cache) { cache_ = &cache; }

    SlotBytes& slot(BlockId block, std::uint32_t i) { return at(Medium::Device, block.value)[i]; }
    std::vector<SlotBytes>& at(Medium medium, std::uint32_t id) {
        return memory_[static_cast<std::size_t>(medium)][id];
    }
    std::uint32_t n_copies() const { return n_copies_; }
    std::uint32_t n_moves() const { return n_moves_; }

    MoveResult move(const BlockMove& what) override {
        expect_pinned(what.from, what.from_id);
        expect_pinned(what.to, what.to_id);
        auto &from = at(what.from, what.from_id), &to = at(what.to, what.to_id);
        wipe(to);
        for (std::uint32_t i = 0; i < what.slots; ++i) to[i] = from[i];
        // A place that was left holds nothing that may be read again.
        if (what.from != Medium::Device) wipe(from);
        ++n_moves_;
        return {checksum(to, what.slots), 2.0, 1.0};
    }
    void copy(BlockId from, BlockId to, std::uint32_t slots) override {
        wipe(at(Medium::Device, to.value));
        for (std::uint32_t i = 0; i < slots; ++i) slot(to, i) = slot(from, i);
        ++n_copies_;
    }

    void move_slots(LaneId lane, std::span<const SlotMove> moves) override {
        if (lane.value != 0) return;
        for (const SlotMove& m : moves)
            slot(m.to, m.to_slot.value) = slot(m.from, m.from_slot.value);
    }

    static std::uint64_t checksum(const std::vector<SlotBytes>& block, std::uint32_t slots) {
        std::uint64_t sum = 0xCBF29CE484222325u;
        for (std::uint32_t i = 0; i < slots; ++i)
            for (const std::uint8_t byte : block[i]) sum = (sum ^ byte) * 0x100000001B3u;
        return sum;
    }

private:
    using Memory = std::vector<std::vector<SlotBytes>>;
    static Memory blocks(const CacheSpec& spec, std::uint32_t n) {
        Memory memory(n, std::vector<SlotBytes>(spec.block_size));
        for (auto& block : memory) wipe(block);
        return memory;
    }
    static void wipe(std::vector<SlotBytes>& block) {
        for (SlotBytes& slot : block) slot.fill(0x7F);
    }
    void expect_pinned(Medium medium, std::uint32_t id) const {
        if (cache_ == nullptr || medium != Medium::Device) return;
        if (Tamper::pool(*cache_).pins(BlockId(id)) == 0)
            throw std::runtime_error("I23: block " + std::to_string(id) +
                                     " is not pinned while its bytes move");
    }

    std::array<Memory, 3> memory_;  // by Medium
    const Cache* cache_ = nullptr;
    std::uint32_t n_copies_ = 0, n_moves_ = 0;
};

}  // namespace kv::test
