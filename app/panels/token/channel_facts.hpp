#pragma once
// How large the channels of stored keys and values are, and how far off each would be in a smaller
// format: of all tokens that one request keeps in one layer, from the bytes that the run recorded
// of the pool. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/token/value_preview.hpp"
#include "app/panels/view/run.hpp"

namespace kv {

struct ChannelStat {
    double size = 0;     // RMS over the tokens
    double largest = 0;  // magnitude
    double error = 0;    // RMS of what the smaller format makes of it
};
// Keys, or values: head by head, channel by channel.
struct ChannelSide {
    std::uint32_t heads = 0, dim = 0;
    std::vector<ChannelStat> stats;
    double median = 0;         // of the sizes
    std::uint32_t widest = 0;  // the largest of them: head * dim + channel

    const ChannelStat& at(std::uint32_t head, std::uint32_t channel) const {
        return stats[head * dim + channel];
    }
    double outlier() const { return median > 0 ? stats[widest].size / median : 0; }
};
struct ChannelMap {
    std::array<ChannelSide, 2> sides;  // by Side
    std::uint64_t vectors = 0;         // keys that were read; as many values
    std::uint64_t left_out = 0;        // of both: not in their own slots, or forgotten
    const ChannelSide& of(Side side) const { return sides[static_cast<std::size_t>(side)]; }
};
ChannelMap channel_map(const RunView& run, SeqId request, LayerId layer, PreviewCodec codec);

}  // namespace kv
