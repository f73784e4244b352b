#include "core/cache/cache.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/cache/tell.hpp"

namespace kv {

Cache::Cache(CacheSpec spec, EventLog* log, BlockMover* mover)
    : spec_(std::move(spec)),
      log_(log),
      mover_(mover),
      filled_(spec_.n_lanes, std::vector<std::uint32_t>(spec_.n_blocks)),
      index_(spec_.block_size, spec_.n_blocks, spec_.space),
      tiers_(spec_.n_host, spec_.n_file) {
    KV_ASSERT(spec_.n_blocks > 0 && spec_.block_size > 0 && spec_.n_lanes > 0);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        pools_.emplace_back(spec_.n_blocks, spec_.free_list);
    if (spec_.prefix_rule == PrefixRule::Radix && spec_.sharing != Sharing::Off) {
        tree_.emplace(spec_.block_size, spec_.radix_order);
        block_in_tree_.assign(spec_.n_blocks, false);
    }
    tell({Why::AtTheStart}, PoolMade{.n_blocks = spec_.n_blocks,
                                     .block_size = spec_.block_size,
                                     .n_lanes = spec_.n_lanes,
                                     .n_host = spec_.n_host,
                                     .n_file = spec_.n_file,
                                     .free_list = spec_.free_list});
}

Cache::Sequence& Cache::of(SeqId id) {
    const auto found = sequences_.find(id.value);
    KV_ASSERT(found != sequences_.end());
    return found->second;
}

const Cache::Sequence& Cache::of(SeqId id) const {
    const auto found = sequences_.find(id.value);
    KV_ASSERT(found != sequences_.end());
    return found->second;
}

const std::vector<std::optional<BlockId>>& Cache::table(SeqId id, LaneId lane) const {
    return of(id).tables[lane.index()];
}

bool Cache::holds_blocks(SeqId id) const {
    const auto& tables = of(id).tables;
    return std::any_of(tables.begin(), tables.end(), [](const auto& t) { return !t.empty(); });
}

void Cache::open(SeqId id, std::vector<std::uint32_t> tokens, const std::string& salt) {
    KV_ASSERT(sequences_.find(id.value) == sequences_.end());
    Sequence& s = sequences_[id.value];
    s.tokens = std::move(tokens);
    s.tables.resize(spec_.n_lanes);
    s.slots.resize(spec_.n_lanes);
    s.root = index_.root(salt);
    s.chain = s.root;
    s.salt = salt;
}

void Cache::append(SeqId id, std::uint32_t token) {
    of(id).tokens.push_back(token);
}

void Cache::open_fork(SeqId id, SeqId parent, std::span<const std::uint32_t> more) {
    KV_ASSERT(sequences_.find(id.value) == sequences_.end());
    const Sequence& p = of(parent);
    Sequence child;
    child.tokens = p.tokens;
    child.tokens.insert(child.tokens.end(), more.begin(), more.end());
    child.tables.resize(spec_.n_lanes);
    child.slots.resize(spec_.n_lanes);
    child.root = p.root;
    child.chain = p.root;
    child.salt = p.salt;
    const auto known = static_cast<std::uint32_t>(child.tokens.size());
    // What has dropped tokens is computed again, not shared: its tables are the parent's alone.
    const bool at_hand = holds_blocks(parent) && !p.loading && can_swap(parent);
    std::uint32_t shared = at_hand ? std::min(p.stored, known - 1) : 0;
    if (spec_.sharing == Sharing::Off) shared = 0;
    // What is coded later is not there to share yet; and groups stay whole.
    if (spec_.has_residual) shared = std::min(shared, final_tokens(p.stored));
    if (spec_.has_residual) shared -= shared % kGroupTokens;
    if (spec_.sharing == Sharing::FullBlocksOnly) shared -= shared % spec_.block_size;
    sequences_[id.value] = std::move(child);
    if (shared > 0) share_blocks(id, parent, shared);
}

void Cache::share_blocks(SeqId id, SeqId parent, std::uint32_t n_tokens) {
    const Sequence& p = of(parent);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        for (std::uint32_t entry = 0; entry < entries_for(n_tokens); ++entry) {
            const std::optional<BlockId> block = p.tables[lane][entry];
            if (!block) continue;
            KV_ASSERT(filled_[lane][block->index()] >= filled_slots(p, lane, entry));
            pools_[lane].hold(*block);
            enter(id, LaneId(lane), entry, *block);
            tell(id, Reason::fork(id, n_tokens), BlockShared{LaneId(lane), *block, entry});
        }
    Sequence& s = of(id);
    s.stored = n_tokens;
    tell(id, Reason::fork(id, n_tokens), TokensStored{0, n_tokens});
    // Its own publishing goes on where the shared full blocks end.
    const std::uint32_t full = n_tokens / spec_.block_size;
    s.published = std::min(full, p.published);
    s.chain = p.chain;
    for (std::uint32_t k = p.published; s.chain && k > s.published; --k)
        s.chain = index_.parent(*s.chain);
    if (s.published < full) s.chain.reset();
    lock_tree(id, n_tokens);
}

std::uint32_t Cache::entries_for(std::uint32_t tokens) const {
    if (planted(PlantedBug::OneBlockTooMany)) return tokens / spec_.block_size + 1;
    return static_cast<std::uint32_t>(ceil_div(tokens, spec_.block_size));
}

Prefix Cache::find_prefix(SeqId id) const {
    Prefix prefix;
    if (spec_.sharing == Sharing::Off) return prefix;
    const Sequence& s = of(id);
    const std::size_t size = spec_.block_size;
    // Behind the blocks that it holds already: a fork may wait while others publish what it needs.
    if (!s.chain || s.published * size != s.stored || s.published != s.tables[0].size())
        return prefix;
    PrefixId node = *s.chain;
    // One token at least is computed, for the logits that the next one is drawn from.
    const std::size_t beyond = s.tokens.size() + (planted(PlantedBug::WholePromptHit) ? 1 : 0);
    for (std::size_t end = s.stored + size; end < beyond; end += size) {
        const auto next = index_.find(node, std::span(s.tokens).subspan(end - size, size));
        if (!next) break;
        const Prefix::Hit hit{*next, index_.copy(*next), index_.place(*next)};
        if (!hit.block && !(hit.place && tiers_[*hit.place].state == PlaceState::Held)) break;
        prefix.hits.push_back(hit);
        prefix.tokens = static_cast<std::uint32_t>(end);
        node = *next;
    }
    while (spec_.has_residual && prefix.tokens % kGroupTokens != 0) {
        prefix.hits.pop_back();
        prefix.tokens = prefix.hits.empty() ? 0 : prefix.tokens - spec_.block_size;
    }
    return prefix;
}

std::uint32_t Cache::missing(SeqId id, std::uint32_t upto, const Prefix& prefix,
                             LaneId lane) const {
    const Sequence& s = of(id);
    const auto have = static_cast<std::uint32_t>(s.tables[lane.index()].size());
    const auto found = static_cast<std::uint32_t>(
        std::count_if(prefix.hits.begin(), prefix.hits.end(),
                      [](const Prefix::Hit& hit) { return hit.block.has_value(); }));
    const std::uint32_t entries = std::max(entries_for(s.slots[lane.index()].slots(upto)), have);
    return entries - have - found + (writes_shared_tail(s, upto) ? 1 : 0);
}

LaneId Cache::tightest_lane(SeqId id, std::uint32_t upto) const {
    const auto lack = [&](LaneId lane) {
        return std::int64_t{missing(id, upto, {}, lane)} - free_beside({}, lane);
    };
    LaneId tightest(0);
    for (std::uint32_t lane = 1; lane < spec_.n_lanes; ++lane)
        if (lack(LaneId(lane)) > lack(tightest)) tightest = LaneId(lane);
    return tightest;
}

std::uint32_t Cache::free_beside(const Prefix& prefix, LaneId lane) const {
    const auto idle = std::count_if(
        prefix.hits.begin(), prefix.hits.end(),
        [&](const Prefix::Hit& hit) { return hit.block && pools_[0].is_free(*hit.block); });
    return pools_[lane.index()].n_free() - static_cast<std::uint32_t>(idle);
}

bool Cache::grow(SeqId id, std::uint32_t upto, const Prefix& prefix) {
    KV_ASSERT(upto <= of(id).tokens.size() && upto >= of(id).stored);
    const LaneId tightest = tightest_lane(id, upto);
    if (missing(id, upto, prefix, tightest) > free_beside(prefix, tightest)) return false;
    take_hits(id, prefix);
    if (writes_shared_tail(of(id), upto)) copy_shared_tail(id);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        while (of(id).tables[lane].size() < entries_for(of(id).slots[lane].slots(upto))) {
            const auto entry = static_cast<std::uint32_t>(of(id).tables[lane].size());
            const BlockId block = take_block(id, LaneId(lane));
            enter(id, LaneId(lane), entry, block);
            tell(id, Reason::stores_tokens(id, upto), BlockAllocated{LaneId(lane), block, entry});
        }
    if (!spec_.has_residual) publish(id, upto);
    return true;
}

void Cache::take_hits(SeqId id, const Prefix& prefix) {
    if (prefix.hits.empty()) return;
    const std::uint32_t first = of(id).published;
    KV_ASSERT(of(id).tables[0].size() == first);
    // Held first, so that room for the others is not made out of these.
    for (const Prefix::Hit& hit : prefix.hits) {
        if (!hit.block)
            tiers_.leave(*hit.place);
        else if (!planted(PlantedBug::HitNotCounted))
            pools_[0].hold(*hit.block);
    }
    lock_tree(id, prefix.tokens);
    for (std::uint32_t k = 0; k < prefix.hits.size(); ++k) {
        const Prefix::Hit& hit = prefix.hits[k];
        const std::uint32_t entry = first + k;
        if (!hit.block) {
            load_hit(id, hit, entry);
            continue;
        }
        enter(id, LaneId(0), entry, *hit.block);
        tell(id, Reason::same_prefix(id, (entry + 1) * std::uint64_t{spec_.block_size}),
             BlockShared{LaneId(0), *hit.block, entry});
    }
    Sequence& s = of(id);
    s.chain = prefix.hits.back().node;
    s.published = first + static_cast<std::uint32_t>(prefix.hits.size());
    s.stored = prefix.tokens;
}

// The next token goes into a block that others hold as well. Not one that it has published itself:
// who found that one waits for these very tokens.
bool Cache::writes_shared_tail(const Sequence& s, std::uint32_t upto) const {
    if (planted(PlantedBug::SharedTailWritten)) return false;
    const std::uint32_t entry = s.stored / spec_.block_size;
    if (s.stored % spec_.block_size == 0 || upto <= s.stored || entry < s.published) return false;
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane) {
        const auto& table = s.tables[lane];
        if (entry < table.size() && table[entry] && pools_[lane].ref_count(*table[entry]) > 1)
            return true;
    }
    return false;
}

void Cache::copy_shared_tail(SeqId id) {
    const std::uint32_t entry = of(id).stored / spec_.block_size;
    const std::uint32_t slots = of(id).stored % spec_.block_size;
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const LaneId lane(l);
        const BlockId from = *of(id).tables[l][entry];
        const std::uint32_t holders = pools_[l].ref_count(from);
        const BlockId to = take_block(id, lane);
        pools_[l].let_go(from, FreeEnd::Tail);
        of(id).tables[l][entry] = to;
        filled_[l][to.index()] = slots;
        if (mover_ != nullptr) mover_->copy(lane, from, to, slots);
        const std::uint64_t bytes = spec_.block_bytes / spec_.block_size * slots;
        tell(id, Reason::writes_shared(id, holders),
             BlockCopied{lane, from, to, entry, slots, bytes});
    }
}

BlockId Cache::take_block(SeqId id, LaneId lane) {
    BlockPool& pool = pools_[lane.index()];
    if (pool.n_free() > 0 && in_tree(*pool.next_free())) evict_leaf(id);
    const std::optional<BlockId> block = pool.next_free();
    KV_ASSERT(block.has_value());
    if (lane.value == 0 && index_.node_of(*block) && !planted(PlantedBug::ReclaimedStaysFindable))
        forget(lane, *block, {Why::ReclaimedFor, id});
    pool.hold(*block);
    filled_[lane.index()][block->index()] = 0;
    return *block;
}

// The block can no longer be found; its content is lost unless the host tier takes it.
void Cache::forget(LaneId lane, BlockId block, const Reason& reason, FreeEnd end) {
    const PrefixId node = *index_.node_of(block);
    const std::uint64_t hash = index_.hash(node);
    const bool idle = pools_[lane.index()].is_free(block);
    if (idle && spec_.keep_cold && index_.is_only_copy(block) && !index_.place(node))
        keep_in_host(block, node);
    index_.drop_copy(block);
    if (idle) filled_[lane.index()][block.index()] = 0;
    tell(reason, BlockRemoved{{hash}, Medium::Device, {block.value}, end == FreeEnd::Head});
}

void Cache::enter(SeqId id, LaneId lane, std::uint32_t entry, BlockId block) {
    auto& table = of(id).tables[lane.index()];
    if (table.size() <= entry) table.resize(entry + 1);
    table[entry] = block;
}

void Cache::publish(SeqId id, std::uint32_t upto) {
    Sequence& s = of(id);
    if (spec_.sharing == Sharing::Off || spec_.n_lanes > 1 || !s.chain) return;
    const std::size_t size = spec_.block_size;
    BlockStored stored;
    stored.block_size = spec_.block_size;
    const std::size_t end = std::min(upto, spec_.publish_upto);
    for (; (s.published + 1) * size <= end; ++s.published) {
        const std::optional<BlockId> block = s.tables[0][s.published];
        if (!block) break;
        const auto tokens = std::span(s.tokens).subspan(s.published * size, size);
        s.chain = index_.find_or_add(*s.chain, tokens);
        if (const auto known = index_.node_of(*block)) {
            KV_ASSERT(known == s.chain);  // shared with the request that it was forked from
            continue;
        }
        const PrefixId parent = *index_.parent(*s.chain);
        if (stored.blocks.empty() && !index_.is_root(parent))
            stored.parent_block_hash = index_.hash(parent);
        index_.add_copy(*s.chain, *block);
        stored.block_hashes.push_back(index_.hash(*s.chain));
        stored.token_ids.insert(stored.token_ids.end(), tokens.begin(), tokens.end());
        stored.blocks.push_back(block->value);
    }
    if (!stored.blocks.empty())
        tell(id, Reason::block_is_full(spec_.block_size), std::move(stored));
}

void Cache::set_stored(SeqId id, std::uint32_t upto, std::int32_t priority) {
    Sequence& s = of(id);
    KV_ASSERT(upto >= s.stored && upto <= s.tokens.size());
    const std::uint32_t before = std::exchange(s.stored, upto);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane) {
        const SlotMap& slots = s.slots[lane];
        const std::uint32_t end = entries_for(slots.slots(upto));
        for (std::uint32_t entry = slots.slots(before) / spec_.block_size; entry < end; ++entry)
            if (const auto& block = s.tables[lane][entry]) {
                std::uint32_t& filled = filled_[lane][block->index()];
                filled = std::max(filled, filled_slots(s, lane, entry));
            }
    }
    if (spec_.has_residual) publish(id, final_tokens(upto));
    grow_tree(id, priority);
}

std::uint32_t Cache::filled_slots(const Sequence& s, std::uint32_t lane,
                                  std::uint32_t entry) const {
    const std::uint32_t n = s.slots[lane].slots(s.stored);
    return std::min(spec_.block_size, n - std::min(n, entry * spec_.block_size));
}

// What it published in this iteration and nobody computed must not be found.
void Cache::withdraw_uncomputed(SeqId id) {
    Sequence& s = of(id);
    while (s.chain && s.published * std::uint64_t{spec_.block_size} > s.stored) {
        const std::optional<BlockId> block = s.tables[0][s.published - 1];
        const bool uncomputed = block && index_.node_of(*block) == s.chain &&
                                filled_[0][block->index()] < spec_.block_size;
        KV_ASSERT(!uncomputed || pools_[0].ref_count(*block) == 1);  // who found it has nothing
        const auto parent = index_.parent(*s.chain);
        if (uncomputed) forget(LaneId(0), *block, {Why::NeverComputed, id});
        --s.published;
        s.chain = parent;
    }
}

void Cache::let_go(SeqId id, const Reason& reason) {
    if (is_loading(id)) finish_loads(id);
    withdraw_uncomputed(id);
    give_back_blocks(id, reason);
    Sequence& s = of(id);
    for (const std::uint32_t place : s.places) {
        tiers_.release(place);
        tell(id, reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
    }
    s.places.clear();
    if (!planted(PlantedBug::PreemptedKeepsCount)) s.stored = 0;
    s.published = 0;
    s.chain = s.root;
    ++s.times_let_go;
}

void Cache::give_back_blocks(SeqId id, const Reason& reason) {
    unlock_tree(id);
    const bool unhashed_first = spec_.free_order == FreeOrder::UnhashedFirst || tree_;
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const LaneId lane(l);
        const auto held = [&](std::uint32_t entry) {
            const auto& table = of(id).tables[l];
            return entry < table.size() && table[entry].has_value();
        };
        const auto n = static_cast<std::uint32_t>(of(id).tables[l].size());
        // To the head one by one, so that the last of the table ends up first there as well.
        for (std::uint32_t entry = 0; unhashed_first && entry < n; ++entry)
            if (held(entry) && !stays_findable(*of(id).tables[l][entry]))
                drop_entry(id, lane, entry, reason, FreeEnd::Head);
        for (std::uint32_t left = n; left-- > 0;) {
            const std::uint32_t entry = planted(PlantedBug::FreedForwards) ? n - 1 - left : left;
            if (held(entry)) drop_entry(id, lane, entry, reason, FreeEnd::Tail);
        }
        of(id).tables[l].clear();
        of(id).slots[l] = {};
    }
}

bool Cache::stays_findable(BlockId block) const {
    return tree_ ? in_tree(block) : index_.node_of(block).has_value();
}

void Cache::drop_entry(SeqId id, LaneId lane, std::uint32_t entry, const Reason& reason,
                       FreeEnd end) {
    auto& table = of(id).tables[lane.index()];
    const BlockId block = *table[entry];
    // What the tree has in another block need not be found in this one.
    if (tree_ && !in_tree(block) && index_.node_of(block) &&
        pools_[lane.index()].ref_count(block) == 1)
        forget(lane, block, {Why::Duplicate});
    if (!planted(PlantedBug::FreedTwice)) table[entry].reset();
    const bool hole = reason.why == Why::AllDropped;  // the entries behind it keep their places
    while (!hole && !table.empty() && !table.back()) table.pop_back();
    const bool free = pools_[lane.index()].let_go(block, end);
    if (free && !(lane.value == 0 && index_.node_of(block)))
        filled_[lane.index()][block.index()] = 0;
    tell(id, reason, BlockFreed{lane, block, entry, end == FreeEnd::Head});
}

void Cache::close(SeqId id, const Reason& reason) {
    let_go(id, reason);
    sequences_.erase(id.value);
}

void Cache::clear_prefixes(const Reason& reason) {
    index_.clear();
    clear_tree();
    // What it has published leads nowhere now; one that has not begun may still begin.
    for (auto& [id, s] : sequences_)
        if (s.published > 0) s.chain.reset();
    for (std::uint32_t b = 0; b < spec_.n_blocks; ++b)
        if (pools_[0].is_free(BlockId(b))) filled_[0][b] = 0;
    for (std::uint32_t place = 0; place < tiers_.size(); ++place)
        if (tiers_[place].node) {
            tiers_.release(place);
            tell(reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
        }
    tell(reason, AllBlocksCleared{});
}

void Cache::change_space(std::string space, std::uint64_t block_bytes, const Reason& reason) {
    clear_prefixes(reason);
    spec_.space = std::move(space);
    spec_.block_bytes = block_bytes;
    index_.rename(spec_.space);
}

void Cache::observe(Snapshot& snapshot) const {
    snapshot.block_size = spec_.block_size;
    snapshot.lanes.resize(spec_.n_lanes);
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const BlockPool& pool = pools_[l];
        LaneView& lane = snapshot.lanes[l];
        lane = {};
        lane.blocks = SharedArray<BlockView>(spec_.n_blocks, {});
        lane.used = pool.size() - pool.n_free();
        lane.first_ticket = pool.first_ticket();
        lane.last_ticket = pool.last_ticket();
        for (std::uint32_t b = 0; b < spec_.n_blocks; ++b) {
            BlockView& view = lane.blocks.edit(b);
            const BlockId block(b);
            view = {pool.ref_count(block), pool.pins(block), filled_[l][b], 0, {},
                    pool.ticket(block)};
            if (l == 0)
                if (const auto node = index_.node_of(block)) view.hash = index_.hash(*node);
            if (view.state() == BlockState::Cached) ++lane.cached;
            if (view.state() == BlockState::Used) lane.live += view.filled;
            if (view.ref_count > 1) ++lane.shared;
        }
    }
    snapshot.host = SharedArray<PlaceView>(spec_.n_host, {});
    snapshot.file = SharedArray<PlaceView>(spec_.n_file, {});
    for (std::uint32_t p = 0; p < tiers_.size(); ++p) {
        const Tiers::Place& place = tiers_[p];
        auto& tier = tiers_.medium(p) == Medium::Host ? snapshot.host : snapshot.file;
        PlaceView& view = tier.edit(tiers_.number(p));
        view = {place.state, place.request, place.entry, place.slots, {}, place.checksum};
        if (place.node) view.hash = index_.hash(*place.node);
    }
    for (const auto& [id, s] : sequences_) {
        RequestView& request = snapshot.requests.edit(id);
        request.stored = s.stored;
        request.tables.assign(spec_.n_lanes, {});
        for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) request.tables[l] = Table(s.tables[l]);
        request.slots = s.slots;
        request.tokens = SharedArray<std::uint32_t>(s.tokens);
    }
    count_dead(snapshot);
}

}  // namespace kv
