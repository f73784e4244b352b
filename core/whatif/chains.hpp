#pragma once
// Contents of full blocks as a tree: a node is a block and everything before it, so a chain of
// blocks is named by its last one. A node says what was stored and nothing about where.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/ids.hpp"

namespace kv {

using ChainId = Id<struct ChainTag>;

class BlockChains {
public:
    // One block more behind `parent`, which is nothing for the first block of a chain.
    ChainId add(std::optional<ChainId> parent) {
        const ChainId id(static_cast<std::uint32_t>(parents_.size()));
        KV_ASSERT(id.value < kMostNodes);
        parents_.push_back(parent ? parent->value : kNone);
        depths_.push_back(parent ? depth(*parent) + 1 : 1);
        return id;
    }
    std::size_t size() const { return parents_.size(); }
    std::uint32_t depth(ChainId of) const { return depths_[of.index()]; }  // blocks of the chain
    std::optional<ChainId> parent(ChainId of) const {
        const std::uint32_t up = parents_[of.index()];
        if (up == kNone) return std::nullopt;
        return ChainId(up);
    }
    // The blocks of a chain from the first to the last.
    void walk(ChainId last, std::vector<ChainId>& path) const {
        path.assign(depth(last), last);
        for (std::size_t i = path.size(); i-- > 1;)
            path[i - 1] = ChainId(parents_[path[i].index()]);
    }

    static constexpr std::uint32_t kMostNodes = 0xFFFFFFF0u;

private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> parents_, depths_;
};

}  // namespace kv
