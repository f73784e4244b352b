#pragma once
// What the Stage asks of a snapshot for every block or token that it draws, gathered once for a
// moment of the run and kept until the moment changes: drawing a frame then costs what is visible,
// however large the pool is. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/panels/run_facts.hpp"
#include "app/panels/run_view.hpp"

namespace kv {

// A run of slots that the operation in progress writes.
struct SlotsWritten {
    BlockId block;
    std::uint32_t first, last;  // without the last one
};

class StageFacts {
public:
    // Nothing to do while trace, length and moment stay the same. True: it was gathered anew.
    bool follow(const RunView& run);

    // Who holds a block of lane 0, in order of arrival.
    std::span<const Holder> holders(BlockId block) const;
    // Who let a block go last, for pools small enough to show it.
    std::optional<SeqId> last_owner(BlockId block) const;
    // Where an entry of a request lies in the host tier.
    std::optional<std::uint32_t> host_place(SeqId request, std::uint32_t entry) const;

    std::span<const SlotsWritten> written() const { return written_; }
    bool is_read(const Snapshot& now, BlockId block) const;
    bool is_copied_to(BlockId block) const { return copied_to_ == block; }
    std::size_t tag_index(SeqId request) const {
        return request.index() < tags_.size() ? tags_[request.index()] : request.index();
    }
    const PoolCounts& counts() const { return counts_; }

private:
    void gather_owners(const Snapshot& now);
    void gather_last_owners(const RunView& run);
    void gather_step(const RunView& run);

    std::optional<std::uint64_t> run_;
    std::uint64_t size_ = 0, moment_ = 0, read_to_ = 0;
    std::vector<std::optional<Holder>> first_;  // holder of each block
    std::vector<std::size_t> tags_;             // by request
    std::vector<std::optional<SeqId>> last_owners_;
    std::vector<BlockId> shared_;  // held more than once, sorted, one for each holder
    std::vector<Holder> shared_holders_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> in_host_;
    std::vector<SlotsWritten> written_;
    std::optional<BlockId> copied_to_;
    PoolCounts counts_;
    bool reads_ = false;
};

}  // namespace kv
