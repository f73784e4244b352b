#pragma once
// Which requests hold a block of a lane, for every block at once. It follows a run from moment to
// moment, forwards and backwards, by what differs in the tables; so a step over a large pool costs
// what the step changed. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "app/panels/view/lane.hpp"

namespace kv {

class BlockHolders {
public:
    // Blocks that somebody got or gave up since the last time are added to `changed`.
    void follow(const LaneAt& lane, std::vector<BlockId>& changed);

    // The holders of a block in order of arrival.
    std::span<const Holder> of(BlockId block) const;

private:
    void add(BlockId block, Holder holder);
    void remove(BlockId block, Holder holder);

    std::vector<Table> tables_;                 // by SeqId, as they were the last time
    std::vector<std::optional<Holder>> first_;  // of each block
    // All of them, where there are several; looked up only, so its order is nobody's business.
    std::unordered_map<std::uint32_t, std::vector<Holder>> several_;
};

}  // namespace kv
