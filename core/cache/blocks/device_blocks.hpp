#pragma once
// The blocks of the device, lane by lane: who holds each of them, and how many of its slots hold
// keys and values.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/blocks/block_pool.hpp"

namespace kv {

// Blocks can be found, shared or brought below the device only where a request has one table, which
// serves all layers and heads. This is its lane.
inline constexpr LaneId kOnlyLane(0);

class DeviceBlocks {
public:
    DeviceBlocks(std::uint32_t n_lanes, std::uint32_t n_blocks,
                 std::span<const std::uint32_t> free_list) {
        for (std::uint32_t lane = 0; lane < n_lanes; ++lane)
            lanes_.push_back(
                {BlockPool(n_blocks, free_list), std::vector<std::uint32_t>(n_blocks)});
    }

    BlockPool& pool(LaneId lane) { return lanes_[lane.index()].pool; }
    const BlockPool& pool(LaneId lane) const { return lanes_[lane.index()].pool; }
    std::uint32_t& filled(LaneId lane, BlockId block) {
        return lanes_[lane.index()].filled[block.index()];
    }
    std::uint32_t filled(LaneId lane, BlockId block) const {
        return lanes_[lane.index()].filled[block.index()];
    }

private:
    struct Lane {
        BlockPool pool;
        std::vector<std::uint32_t> filled;  // slots, by block
    };
    std::vector<Lane> lanes_;
};

}  // namespace kv
