#include "core/cache/cache.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {
namespace {

template <class List>
std::uint32_t count_of(const List& list) {
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

Cache::Cache(CacheSpec spec, EventLog* log, BlockMover* mover, std::uint32_t iteration)
    : spec_(std::move(spec)),
      log_(log),
      device_(spec_.n_lanes, spec_.n_blocks, spec_.free_list),
      transfers_(spec_, device_, log_, mover),
      findable_(spec_, device_, transfers_, log_),
      chains_(spec_, device_, transfers_.tiers(), findable_, log_),
      tables_(spec_, device_, findable_, log_),
      forks_(spec_, device_, tables_, chains_, transfers_, log_),
      drops_(spec_, device_, tables_, chains_, transfers_, log_),
      swap_(spec_, device_, transfers_, findable_.cold(), log_) {
    KV_ASSERT(spec_.n_blocks > 0 && spec_.block_size > 0 && spec_.n_lanes > 0);
    log_.begin_iteration(iteration);
    log_.tell({Why::AtTheStart}, PoolMade{.n_blocks = spec_.n_blocks,
                                          .block_size = spec_.block_size,
                                          .n_lanes = spec_.n_lanes,
                                          .n_host = spec_.n_host,
                                          .n_file = spec_.n_file,
                                          .free_list = spec_.free_list});
}

void Cache::open(SeqId id, std::vector<std::uint32_t> tokens, const std::string& salt) {
    CachedSequence& s = tables_.open(id);
    s.tokens = std::move(tokens);
    chains_.open(s, salt);
}

void Cache::open_fork(SeqId id, SeqId parent, std::span<const std::uint32_t> more) {
    CachedSequence& child = tables_.open(id);
    const CachedSequence& p = tables_.of(parent);
    child.tokens = p.tokens;
    child.tokens.insert(child.tokens.end(), more.begin(), more.end());
    chains_.open_fork(child, p);
    // What has dropped tokens is computed again, not shared: its tables are the parent's alone.
    if (!holds_blocks(parent) || is_loading(parent) || !has_plain_table(parent)) return;
    const std::uint32_t shared =
        forks_.shared_tokens(p, static_cast<std::uint32_t>(child.tokens.size()));
    if (shared > 0) forks_.share(child, p, shared);
}

const std::vector<std::optional<BlockId>>& Cache::table(SeqId id, LaneId lane) const {
    return tables_.of(id).tables[lane.index()];
}

const SlotMap& Cache::slots(SeqId id, LaneId lane) const {
    return tables_.of(id).slots[lane.index()];
}

std::uint32_t Cache::missing(SeqId id, std::uint32_t upto, const Prefix& prefix,
                             LaneId lane) const {
    return missing(tables_.of(id), upto, prefix, lane);
}

std::uint32_t Cache::missing(const CachedSequence& s, std::uint32_t upto, const Prefix& prefix,
                             LaneId lane) const {
    const auto have = static_cast<std::uint32_t>(s.tables[lane.index()].size());
    const auto found = static_cast<std::uint32_t>(
        std::count_if(prefix.hits.begin(), prefix.hits.end(),
                      [](const Prefix::Hit& hit) { return hit.block.has_value(); }));
    const std::uint32_t entries =
        std::max(spec_.entries_for(s.slots[lane.index()].slots_taken(upto)), have);
    // And one for the copy of a tail that is shared (copy-on-write).
    return entries - have - found + (forks_.writes_shared_tail(s, upto) ? 1 : 0);
}

std::uint32_t Cache::free_beside(const Prefix& prefix, LaneId lane) const {
    const auto idle =
        std::count_if(prefix.hits.begin(), prefix.hits.end(), [&](const Prefix::Hit& hit) {
            return hit.block && device_.pool(kOnlyLane).is_free(*hit.block);
        });
    return device_.pool(lane).n_free() - static_cast<std::uint32_t>(idle);
}

LaneId Cache::tightest_lane(SeqId id, std::uint32_t upto) const {
    return tightest_lane(tables_.of(id), upto);
}

LaneId Cache::tightest_lane(const CachedSequence& s, std::uint32_t upto) const {
    const auto lack = [&](LaneId lane) {
        return std::int64_t{missing(s, upto, {}, lane)} - free_beside({}, lane);
    };
    LaneId tightest(0);
    for (std::uint32_t lane = 1; lane < spec_.n_lanes; ++lane)
        if (lack(LaneId(lane)) > lack(tightest)) tightest = LaneId(lane);
    return tightest;
}

bool Cache::grow(SeqId id, std::uint32_t upto, const Prefix& prefix) {
    CachedSequence& s = tables_.of(id);
    KV_ASSERT(upto <= s.tokens.size() && upto >= s.stored);
    const LaneId tightest = tightest_lane(s, upto);
    if (missing(s, upto, prefix, tightest) > free_beside(prefix, tightest)) return false;
    take_hits(s, prefix);
    if (forks_.writes_shared_tail(s, upto)) forks_.copy_shared_tail(s);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        while (s.tables[lane].size() < spec_.entries_for(s.slots[lane].slots_taken(upto)))
            tables_.allocate(s, LaneId(lane), Reason::stores_tokens(id, upto));
    // Published before the pass has computed them, as vLLM does: a request that is planned later
    // in this iteration finds them already. Where tokens wait to be coded, set_stored() publishes
    // the blocks whose bytes are final.
    if (!spec_.has_residual) chains_.publish(s, upto);
    return true;
}

void Cache::take_hits(CachedSequence& s, const Prefix& prefix) {
    if (prefix.hits.empty()) return;
    // All hits are held first, so that no block of one hit is taken as room for another.
    for (const Prefix::Hit& hit : prefix.hits) {
        if (planted(PlantedBug::HitNotCounted) && hit.block) continue;
        if (hit.block)
            device_.pool(kOnlyLane).hold(*hit.block);
        else
            transfers_.tiers().leave(*hit.place);
    }
    chains_.take(s, prefix);
    for (const Prefix::Hit& hit : prefix.hits) {
        const auto entry = static_cast<std::uint32_t>(s.tables[0].size());
        if (hit.block) {
            const std::uint64_t tokens = (entry + 1) * std::uint64_t{spec_.block_size};
            tables_.enter_shared(s, kOnlyLane, entry, *hit.block,
                                 Reason::same_prefix(s.id, tokens));
        } else {
            const BlockId block = tables_.allocate(s, kOnlyLane, {Why::HitInHost, s.id});
            findable_.cold().bring_back(s.id, hit.node, *hit.place, block, entry);
        }
    }
    s.stored = prefix.tokens;
}

void Cache::set_stored(SeqId id, std::uint32_t upto, std::int32_t priority) {
    CachedSequence& s = tables_.of(id);
    tables_.set_stored(s, upto);
    if (spec_.has_residual) chains_.publish(s, final_tokens(upto));
    grow_tree(s, priority);
}

// Where the tree has the same content already, the table takes that block and gives its own, which
// is a duplicate, back.
void Cache::grow_tree(CachedSequence& s, std::int32_t priority) {
    for (const auto& [entry, block] : chains_.grow_tree(s, priority)) {
        tables_.give_back(s, kOnlyLane, entry, {Why::Duplicate}, FreeEnd::Head);
        device_.pool(kOnlyLane).hold(block);
        const std::uint64_t tokens = (entry + 1) * std::uint64_t{spec_.block_size};
        tables_.enter_shared(s, kOnlyLane, entry, block, Reason::same_prefix(s.id, tokens));
    }
}

std::uint32_t Cache::room_ahead(SeqId id) const {
    const CachedSequence& s = tables_.of(id);
    std::uint64_t room = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane) {
        const std::uint64_t blocks = s.tables[lane].size() + device_.pool(LaneId(lane)).n_free();
        const std::uint64_t taken = s.slots[lane].slots_taken(count_of(s.tokens));
        room = std::min(room, blocks * spec_.block_size - taken);
    }
    return static_cast<std::uint32_t>(room);
}

void Cache::grow_ahead(SeqId id, std::uint32_t n_tokens) {
    CachedSequence& s = tables_.of(id);
    KV_ASSERT(n_tokens <= room_ahead(id) && !forks_.writes_shared_tail(s, count_of(s.tokens)));
    const std::uint32_t upto = count_of(s.tokens) + n_tokens;
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        while (s.tables[lane].size() < spec_.entries_for(s.slots[lane].slots_taken(upto)))
            tables_.allocate(s, LaneId(lane), Reason::written_ahead(id, n_tokens));
}

// The last block taken goes back first, to the head: the free list is what it was.
void Cache::keep_ahead(SeqId id, std::uint32_t upto, const Reason& reason) {
    CachedSequence& s = tables_.of(id);
    for (std::uint32_t lane = 0; lane < spec_.n_lanes; ++lane)
        while (s.tables[lane].size() > spec_.entries_for(s.slots[lane].slots_taken(upto)))
            tables_.give_back(s, LaneId(lane), count_of(s.tables[lane]) - 1, reason, FreeEnd::Head);
}

bool Cache::has_plain_table(SeqId id) const {
    return spec_.n_lanes == 1 && slots(id).is_plain();
}

// What was computed comes back with its blocks, so `stored` stays; let_go() forgets it.
void Cache::swap_out(SeqId id, const Reason& reason) {
    CachedSequence& s = tables_.of(id);
    chains_.withdraw_uncomputed(s);
    KV_ASSERT(has_plain_table(id) && !is_swapped(id) && places_needed(id) <= places_free());
    swap_.copy_out(id, s, reason);
    chains_.start_over(s);
    tables_.give_back_all(s, reason);
}

void Cache::begin_loads(SeqId id) {
    KV_ASSERT(is_swapped(id) && !is_loading(id));
    const Reason reason{Why::ComesBack, id};
    CachedSequence& s = tables_.of(id);
    for (std::uint32_t entry = 0; entry < swap_.places(id).size(); ++entry)
        swap_.begin_load(id, entry, tables_.allocate(s, kOnlyLane, reason));
}

void Cache::drop(SeqId id, TokensDropped what, const Reason& reason) {
    drops_.drop(id, std::move(what), reason);
}

void Cache::let_go(SeqId id, const Reason& reason) {
    if (is_loading(id)) finish_loads(id);
    CachedSequence& s = tables_.of(id);
    chains_.withdraw_uncomputed(s);
    chains_.start_over(s);
    s.chain.is_recoded = false;
    tables_.give_back_all(s, reason);
    swap_.give_up(id, reason);
    ++s.times_let_go;
    if (planted(PlantedBug::PreemptedKeepsCount)) return;
    s.stored = 0;
}

void Cache::close(SeqId id, const Reason& reason) {
    let_go(id, reason);
    tables_.close(id);
}

void Cache::clear_prefixes(const Reason& reason) {
    // A request that stands at its root may still find and publish from there.
    for (auto& [id, s] : tables_.all())
        if (s.chain.n_blocks > 0) chains_.stop(s);
    findable_.clear(reason);
}

void Cache::change_space(std::string space, std::uint64_t block_bytes, const Reason& reason) {
    clear_prefixes(reason);
    for (auto& [id, s] : tables_.all()) s.chain.is_recoded = s.chain.is_recoded || s.stored > 0;
    spec_.space = std::move(space);
    spec_.block_bytes = block_bytes;
    findable_.index().rename(spec_.space);
}

}  // namespace kv
