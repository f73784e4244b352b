#pragma once
// Carries the bytes of blocks: between the pool of a backend, host memory and a file, and from
// block to block. A block is everything that its id stands for: keys and values of all layers. What
// comes back is what went, bit for bit; a checksum says so.

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "core/cache/layout/lane_shape.hpp"
#include "core/cache/tiers/block_mover.hpp"
#include "core/engine/seam/backend.hpp"

namespace kv {

struct TransferModel {
    double gbps = 25, latency_us = 10;  // gigabytes, not bits
    double us(std::uint64_t bytes) const {
        return latency_us + static_cast<double>(bytes) / (gbps * 1e3);
    }
};

class PoolMover : public BlockMover {
public:
    using Clock = std::function<double()>;  // microseconds
    PoolMover(Backend& backend, const TransferModel& model, Clock clock,
              const LaneShape& lanes = {});

    MoveResult move(const BlockMove& what) override;
    void copy(BlockId from, BlockId to, std::uint32_t slots) override;
    void move_slots(LaneId lane, std::span<const SlotMove> moves) override;

    std::uint64_t bytes_copied() const { return bytes_copied_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::vector<std::byte> read_block(BlockId block) const;
    void write_block(BlockId block, const std::vector<std::byte>& bytes);
    std::FILE* file();  // made when it is first needed, gone when the program ends
    std::vector<std::byte> read_file(std::uint32_t place);
    void write_file(std::uint32_t place, const std::vector<std::byte>& bytes);

    Backend& backend_;
    const TransferModel& model_;
    Clock clock_;
    LaneShape lanes_;
    std::vector<std::vector<std::byte>> host_;  // by place
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t block_bytes_, bytes_copied_ = 0;
};

}  // namespace kv
