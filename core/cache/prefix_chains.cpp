#include "core/cache/prefix_chains.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

void PrefixChains::open(CachedSequence& s, const std::string& salt) {
    const PrefixId root = findable_.index().root(salt);
    s.chain = {salt, root, root};
}

void PrefixChains::open_fork(CachedSequence& s, const CachedSequence& parent) {
    s.chain = {parent.chain.salt, parent.chain.root, parent.chain.root};
}

// The parent's chain may reach beyond what is shared: then its end is walked back, block by block.
// Or it stops before: the parent publishes no more, and neither can the fork, whose chain has no
// end then.
void PrefixChains::follow_parent(CachedSequence& s, const CachedSequence& parent) {
    PrefixChain& chain = s.chain;
    const PrefixChain& p = parent.chain;
    const std::uint32_t full = s.stored / spec_.block_size;
    chain.n_blocks = std::min(full, p.n_blocks);
    chain.is_recoded = p.is_recoded;
    chain.end = p.end;
    for (std::uint32_t k = p.n_blocks; chain.end && k > chain.n_blocks; --k)
        chain.end = findable_.index().parent(*chain.end);
    if (chain.n_blocks < full) chain.end.reset();
    lock_tree(s, s.stored);
}

void PrefixChains::start_over(CachedSequence& s) {
    s.chain.n_blocks = 0;
    s.chain.end = s.chain.root;
    if (auto& tree = findable_.tree()) tree->unlock(s.id);
}

Prefix PrefixChains::find(const CachedSequence& s) const {
    Prefix prefix;
    if (spec_.sharing == Sharing::Off) return prefix;
    const PrefixChain& chain = s.chain;
    const PrefixIndex& index = findable_.index();
    const std::size_t size = spec_.block_size;
    // Hits become the next entries of the block table. So a request can take some only while its
    // chain, its table and what it has stored end at the same block: a new request at its
    // beginning, a fork that waits behind what it inherited.
    if (!chain.end || chain.n_blocks * size != s.stored || chain.n_blocks != s.tables[0].size())
        return prefix;
    PrefixId node = *chain.end;
    // One token at least is computed, for the logits that the next token is sampled from.
    std::size_t n_tokens = s.tokens.size();
    if (planted(PlantedBug::WholePromptHit)) ++n_tokens;
    for (std::size_t upto = s.stored + size; upto < n_tokens; upto += size) {
        const auto next = index.find(node, std::span(s.tokens).subspan(upto - size, size));
        if (!next) break;
        const Prefix::Hit hit{*next, index.copy(*next), index.place(*next)};
        if (!hit.block && !(hit.place && tiers_[*hit.place].state == PlaceState::Held)) break;
        prefix.hits.push_back(hit);
        prefix.tokens = static_cast<std::uint32_t>(upto);
        node = *next;
    }
    // Groups of coded keys stay whole (KIVI): hits behind the last whole group are left.
    while (spec_.has_residual && prefix.tokens % kKiviGroup != 0) {
        prefix.hits.pop_back();
        prefix.tokens = prefix.hits.empty() ? 0 : prefix.tokens - spec_.block_size;
    }
    return prefix;
}

void PrefixChains::take(CachedSequence& s, const Prefix& prefix) {
    PrefixChain& chain = s.chain;
    KV_ASSERT(s.tables[0].size() == chain.n_blocks);
    lock_tree(s, prefix.tokens);
    chain.end = prefix.hits.back().node;
    chain.n_blocks += static_cast<std::uint32_t>(prefix.hits.size());
}

void PrefixChains::publish(CachedSequence& s, std::uint32_t upto) {
    PrefixChain& chain = s.chain;
    if (spec_.sharing == Sharing::Off || spec_.n_lanes > 1 || !chain.end || chain.is_recoded)
        return;
    PrefixIndex& index = findable_.index();
    const std::size_t size = spec_.block_size;
    BlockStored told;  // all new blocks, which follow each other, and the parent of the first
    told.block_size = spec_.block_size;
    const std::size_t last = std::min(upto, spec_.publish_upto);
    for (; (chain.n_blocks + 1) * size <= last; ++chain.n_blocks) {
        const std::optional<BlockId> block = s.tables[0][chain.n_blocks];
        if (!block) break;
        const auto tokens = std::span(s.tokens).subspan(chain.n_blocks * size, size);
        chain.end = index.find_or_add(*chain.end, tokens);
        if (const auto known = index.node_of(*block)) {
            KV_ASSERT(known == chain.end);  // shared with the request that it was forked from
            continue;
        }
        const PrefixId parent = *index.parent(*chain.end);
        if (told.blocks.empty() && !index.is_root(parent))
            told.parent_block_hash = index.hash(parent);
        index.add_copy(*chain.end, *block);
        told.block_hashes.push_back(index.hash(*chain.end));
        told.token_ids.insert(told.token_ids.end(), tokens.begin(), tokens.end());
        told.blocks.push_back(block->value);
    }
    if (!told.blocks.empty())
        log_.tell(s.id, Reason::block_is_full(spec_.block_size), std::move(told));
}

void PrefixChains::withdraw_uncomputed(CachedSequence& s) {
    PrefixChain& chain = s.chain;
    const PrefixIndex& index = findable_.index();
    while (chain.end && chain.n_blocks * std::uint64_t{spec_.block_size} > s.stored) {
        const std::optional<BlockId> block = s.tables[0][chain.n_blocks - 1];
        const bool uncomputed = block && index.node_of(*block) == chain.end &&
                                device_.filled(kOnlyLane, *block) < spec_.block_size;
        // Nobody else holds it: whoever found it would hold a block without keys and values.
        KV_ASSERT(!uncomputed || device_.pool(kOnlyLane).ref_count(*block) == 1);
        const auto parent = index.parent(*chain.end);
        if (uncomputed) findable_.forget(*block, {Why::NeverComputed, s.id});
        --chain.n_blocks;
        chain.end = parent;
    }
}

// The tree protects as much of the request's first tokens as it knows while the request runs.
void PrefixChains::lock_tree(const CachedSequence& s, std::uint32_t n_tokens) {
    const std::size_t full = n_tokens - n_tokens % spec_.block_size;
    if (auto& tree = findable_.tree())
        tree->lock(s.id, s.chain.salt, std::span(s.tokens).first(full));
}

std::vector<PrefixChains::Duplicate> PrefixChains::grow_tree(const CachedSequence& s,
                                                             std::int32_t priority) {
    const std::uint32_t full = s.stored / spec_.block_size;
    auto& tree = findable_.tree();
    if (!tree || !s.chain.end || s.chain.is_recoded || full == tree->n_locked(s.id)) return {};
    std::vector<BlockId> blocks;
    for (std::uint32_t entry = 0; entry < full; ++entry) {
        if (!s.tables[0][entry]) return {};  // a hole: nothing behind it can be found
        blocks.push_back(*s.tables[0][entry]);
    }
    const auto tokens = std::span(s.tokens).first(std::size_t{full} * spec_.block_size);
    const std::vector<BlockId> held = tree->insert(s.id, s.chain.salt, tokens, blocks, priority);
    std::vector<Duplicate> duplicates;
    for (std::uint32_t k = 0; k < full; ++k)
        if (held[k] != blocks[k]) duplicates.push_back({k, held[k]});
    return duplicates;
}

}  // namespace kv
