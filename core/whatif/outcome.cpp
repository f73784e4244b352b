#include "core/whatif/outcome.hpp"

#include <algorithm>
#include <span>

namespace kv {
namespace {

// A pool gives up the blocks that it takes in during an epoch beyond those that it has at its end.
u64 reclaimed(u64 taken_in, u64 pool_blocks, u64 distinct) {
    return taken_in - std::min(pool_blocks, distinct);
}

// Depths never fall along a chain: how many of its first blocks lie no deeper than that.
u64 blocks_within(std::span<const std::uint32_t> depths, u64 depth) {
    const auto deeper = std::partition_point(depths.begin(), depths.end(),
                                             [&](std::uint32_t own) { return own <= depth; });
    return static_cast<u64>(deeper - depths.begin());
}

}  // namespace

u64 tokens_of_hits(const Recording& recording, const BlockAsk& ask, u64 n_blocks) {
    const u64 found = std::min<u64>(n_blocks, ask.n_asked) * recording.block_size;
    return std::min(found, ask.most_hit_tokens);
}

PoolOutcome outcome_of(const Recording& recording, const StackDepths& depths, u64 pool_blocks) {
    PoolOutcome outcome;
    outcome.asked_tokens = recording.unblocked_tokens();
    outcome.requests.reserve(recording.n_asks());
    for (std::size_t s = 0; s < recording.streams.size(); ++s) {
        const auto& asks = recording.streams[s].asks;
        const StackDepths::Stream& stream = depths.streams[s];
        std::span<const std::uint32_t> to_come = stream.depths;
        std::size_t epoch = 0;
        u64 taken_in = 0;
        const auto end_epoch = [&] {
            outcome.blocks_reclaimed +=
                reclaimed(taken_in, pool_blocks, stream.epochs[epoch].distinct);
            taken_in = 0;
            ++epoch;
        };
        for (std::size_t i = 0; i < asks.size(); ++i) {
            if (epoch + 1 < stream.epochs.size() && stream.epochs[epoch + 1].first_ask == i)
                end_epoch();
            const BlockAsk& ask = asks[i];
            const auto chain = to_come.first(ask.n_blocks);
            to_come = to_come.subspan(ask.n_blocks);
            const u64 found = blocks_within(chain, pool_blocks);
            // Blocks that were stored before, however deep: a pool without end would find them.
            const u64 known = blocks_within(chain, kNeverStored - 1);
            const u64 hit = tokens_of_hits(recording, ask, found);
            outcome.asked_tokens += ask.asked_tokens;
            outcome.hit_tokens += hit;
            outcome.again_tokens += tokens_of_hits(recording, ask, known) - hit;
            outcome.requests.push_back({hit, 0});
            // A chain longer than the pool is taken in as far as the pool reaches.
            taken_in += std::min<u64>(ask.n_blocks, pool_blocks) - found;
        }
        end_epoch();
    }
    return outcome;
}

PoolOutcome outcome_without_end(const Recording& recording, const StackDepths& depths) {
    return outcome_of(recording, depths, blocks_without_end(depths));
}

u64 blocks_without_end(const StackDepths& depths) {
    u64 most = 0;
    for (const StackDepths::Stream& stream : depths.streams)
        for (const StackEpoch& epoch : stream.epochs) most = std::max(most, epoch.distinct);
    return most;
}

u64 smallest_pool_reaching(const Recording& recording, const StackDepths& depths, double share) {
    const double wanted =
        share * static_cast<double>(outcome_without_end(recording, depths).hit_tokens);
    u64 low = 1, high = std::max<u64>(1, blocks_without_end(depths));
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        const auto hit = static_cast<double>(outcome_of(recording, depths, middle).hit_tokens);
        if (hit >= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace kv
