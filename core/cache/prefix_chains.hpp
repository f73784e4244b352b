#pragma once
// The prefix cache as requests use it. A request walks a chain of contents, one full block after
// the other, as vLLM's prefix hashes do: it finds blocks along it, and each block that it is about
// to fill is published as the next link, so that other requests find it. What is published and then
// not computed is withdrawn.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cache/blocks/cached_sequence.hpp"
#include "core/cache/findable_blocks.hpp"

namespace kv {

// The full blocks that hold the beginning of a request, as far as they go without a gap.
struct Prefix {
    struct Hit {
        PrefixId node;
        std::optional<BlockId> block;        // on the device; none: it lies at `place`
        std::optional<std::uint32_t> place;  // in a lower tier
    };
    std::vector<Hit> hits;
    std::uint32_t tokens = 0;
};

class PrefixChains {
public:
    PrefixChains(const CacheSpec& spec, DeviceBlocks& device, const Tiers& tiers,
                 FindableBlocks& findable, EventWriter& log)
        : spec_(spec), device_(device), tiers_(tiers), findable_(findable), log_(log) {}

    void open(CachedSequence& s, const std::string& salt);
    void open_fork(CachedSequence& s, const CachedSequence& parent);
    // A fork's chain goes on behind the full blocks that it shares with its parent.
    void follow_parent(CachedSequence& s, const CachedSequence& parent);
    // The request gives its blocks back: its chain begins at the root again.
    void start_over(CachedSequence& s);
    // The request finds and publishes no more.
    void stop(CachedSequence& s) { s.chain.end.reset(); }

    Prefix find(const CachedSequence& s) const;
    // The request's chain goes on behind the hits.
    void take(CachedSequence& s, const Prefix& prefix);
    // The blocks that tokens [0, upto) fill can be found from here on.
    void publish(CachedSequence& s, std::uint32_t upto);
    // Blocks that the request published in this iteration and nobody computed are forgotten.
    void withdraw_uncomputed(CachedSequence& s);

    // The full blocks that the request has computed are in the tree from here on. The answer names
    // the table entries whose tokens the tree holds in another block, which the request is to take.
    struct Duplicate {
        std::uint32_t entry;
        BlockId in_tree;
    };
    std::vector<Duplicate> grow_tree(const CachedSequence& s, std::int32_t priority);

private:
    void lock_tree(const CachedSequence& s, std::uint32_t n_tokens);

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    const Tiers& tiers_;
    FindableBlocks& findable_;
    EventWriter& log_;
};

}  // namespace kv
