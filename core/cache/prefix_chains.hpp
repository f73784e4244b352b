#pragma once
// The prefix cache as requests use it. A request walks a chain of contents, one full block after
// the other, as vLLM's prefix hashes do: it finds blocks along it, and each block that it fills is
// published as the next link, so that the requests after it find that one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cache/blocks/cached_sequence.hpp"
#include "core/cache/cached_blocks.hpp"

namespace kv {

// The full blocks that hold the beginning of a request, as far as they go without a gap.
struct Prefix {
    struct Hit {
        PrefixId node;
        std::optional<BlockId> block;        // on the device, or else
        std::optional<std::uint32_t> place;  // in a lower tier
    };
    std::vector<Hit> hits;
    std::uint32_t tokens = 0;
};

class PrefixChains {
public:
    PrefixChains(const CacheSpec& spec, DeviceBlocks& device, const Tiers& tiers,
                 CachedBlocks& cached, EventWriter& log)
        : spec_(spec), device_(device), tiers_(tiers), cached_(cached), log_(log) {}

    void open(CachedSequence& s, const std::string& salt);
    void open_fork(CachedSequence& s, const CachedSequence& parent);
    // Goes on where the tokens end that it shares with its parent.
    void follow(CachedSequence& s, const CachedSequence& parent);
    void start_over(CachedSequence& s);  // its blocks go back
    // What it has published leads nowhere now.
    void stop(CachedSequence& s) { s.chain.end.reset(); }

    Prefix find(const CachedSequence& s) const;
    // It goes on behind what was found.
    void take(CachedSequence& s, const Prefix& prefix);
    // Its full blocks among the first tokens can be found from here on.
    void publish(CachedSequence& s, std::uint32_t upto);
    // What it published in this iteration and nobody computed must not be found.
    void withdraw_uncomputed(CachedSequence& s);

    // The full blocks that it has computed are in the tree from here on. Answers where the tree
    // holds the same tokens in another block: by table entry, what the request is to take instead.
    struct Better {
        std::uint32_t entry;
        BlockId block;
    };
    std::vector<Better> grow_tree(const CachedSequence& s, std::int32_t priority);

private:
    void lock_tree(const CachedSequence& s, std::uint32_t n_tokens);

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    const Tiers& tiers_;
    CachedBlocks& cached_;
    EventWriter& log_;
};

}  // namespace kv
