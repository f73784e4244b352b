#pragma once
// Requests that go on from another one's tokens. A fork shares the blocks of its parent, the partly
// filled one too where the sharing rule is copy-on-write (arXiv 2309.06180, 4.4): whoever writes
// into that block first, while others hold it, makes itself a copy. Only plain tables are shared:
// one for the whole sequence, of which nothing was dropped.
//
// Cache::open_fork() shares. Cache::grow() asks writes_shared_tail() before a request gets room for
// more tokens, and copy_shared_tail() changes the table; the bytes go by Transfers::copy,
// PoolMover::copy and Backend::copy_block.

#include <cstdint>

#include "core/cache/prefix_chains.hpp"
#include "core/cache/tables.hpp"

namespace kv {

class Forks {
public:
    Forks(const CacheSpec& spec, DeviceBlocks& device, Tables& tables, PrefixChains& chains,
          Transfers& transfers, EventWriter& log)
        : spec_(spec),
          device_(device),
          tables_(tables),
          chains_(chains),
          transfers_(transfers),
          log_(log) {}

    // How many of its parent's first tokens a child of `child_tokens` tokens shares.
    std::uint32_t shared_tokens(const CachedSequence& parent, std::uint32_t child_tokens) const;
    void share(CachedSequence& s, const CachedSequence& parent, std::uint32_t shared);

    // Whether storing the tokens up to `upto` writes into a partly filled block that others hold as
    // well.
    bool writes_shared_tail(const CachedSequence& s, std::uint32_t upto) const;
    void copy_shared_tail(CachedSequence& s);

private:
    // Whether a block that is partly stored can be found already. Of a block of 16 say 15 tokens
    // are stored, and the last one is planned. Cache::grow publishes the block before the pass
    // computes that token, so a request admitted later in the iteration finds it and holds it, too.
    // It wants the token that is written next, so that write needs no copy. Only Cache::grow_ahead
    // (room for a draft) asks that late, between plan and pass.
    static bool is_published(const CachedSequence& s, std::uint32_t entry) {
        return entry < s.chain.n_blocks;
    }

    const CacheSpec& spec_;
    DeviceBlocks& device_;
    Tables& tables_;
    PrefixChains& chains_;
    Transfers& transfers_;
    EventWriter& log_;
};

}  // namespace kv
