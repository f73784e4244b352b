#pragma once
// What the Stage asks of a snapshot for every block or token that it draws, gathered when the
// moment of the run changes, and by what the change was: drawing a frame then costs what is
// visible, and a step what it changed, however large the pool is. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/panels/view/block_holders.hpp"
#include "app/panels/view/facts.hpp"
#include "app/panels/view/reads.hpp"
#include "app/panels/view/run.hpp"

namespace kv {

// A run of slots that the step at hand writes.
struct SlotsWritten {
    BlockId block;
    std::uint32_t first, last;  // without the last one
};

class StageFacts {
public:
    // Gathers the facts anew; there is nothing to do while trace, length and moment stay the same.
    void follow(const RunView& run);
    // Goes up by one whenever something was gathered; changed() are the blocks that look different
    // since the last time, some of them named twice.
    std::uint64_t generation() const { return generation_; }
    std::span<const BlockId> changed() const { return changed_; }

    // The holders of a block of the lane that is looked at, in order of arrival.
    std::span<const Holder> holders(BlockId block) const { return holders_.of(block); }
    // The request that let a block go last, for pools small enough to show it.
    std::optional<SeqId> last_owner(BlockId block) const;
    // The place in the host tier of an entry of a request.
    std::optional<std::uint32_t> host_place(SeqId request, std::uint32_t entry) const;

    // The slots that are being written, from the first layer that was written on, and the share of
    // the layers that have been.
    std::span<const SlotsWritten> written() const { return written_; }
    float written_share() const { return written_share_; }
    bool is_writing() const { return is_writing_; }  // by the operation in progress
    // Whether the operation in progress reads the block; where a policy chooses, whether some query
    // head of its layer does.
    bool is_read(const Snapshot& now, BlockId block) const;
    bool is_copied_to(BlockId block) const { return copied_to_ == block; }
    std::size_t tag_index(SeqId request) const {
        return request.index() < tags_.size() ? tags_[request.index()] : request.index();
    }
    const PoolCounts& counts() const { return counts_; }

private:
    void gather_blocks(const LaneAt& lane);
    void gather_host(const Snapshot& now);
    void gather_last_owners(const RunView& run);
    void gather_step(const RunView& run);

    std::optional<std::uint64_t> run_;
    LaneId lane_{0};
    std::uint64_t size_ = 0, moment_ = 0, read_to_ = 0, generation_ = 0;
    BlockHolders holders_;
    SharedArray<BlockView> blocks_;  // as they were the last time
    std::vector<BlockId> changed_;
    std::vector<std::size_t> tags_;  // by request
    std::vector<std::optional<SeqId>> last_owners_;
    SharedArray<PlaceView> host_;  // as it was the last time
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> in_host_;
    std::vector<SlotsWritten> written_;
    float written_share_ = 0;
    bool is_writing_ = false;
    std::optional<BlockId> copied_to_;
    PoolCounts counts_;
    bool reads_ = false;
    EntriesRead chosen_;
};

}  // namespace kv
