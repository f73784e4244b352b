#pragma once
// The books of the cache: which request holds which blocks, which blocks can be found again by what
// they hold, and what is given up for what. It knows token ids and block ids, no tensor and no
// float. Everything that changes is written to the log, with its reason.
//
// A request's life: open() makes it known, find_prefix() looks for blocks that hold its beginning,
// grow() gives it room for its next tokens and publishes the blocks that these will fill,
// set_stored() says that the tokens were computed, and let_go() gives the blocks back (to come
// again) or close() ends it. Each of these takes a few lines here; how it is done stands with the
// part of the books that does it: Tables, PrefixChains over FindableBlocks, Forks, Drops, and Swap
// below the device.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cache/blocks/spec.hpp"
#include "core/cache/drops.hpp"
#include "core/cache/forks.hpp"
#include "core/cache/prefix_chains.hpp"
#include "core/cache/tables.hpp"
#include "core/cache/tiers/swap.hpp"
#include "core/trace/event_writer.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// A broken rule: its number in docs/invariants.md, what is wrong, and the blocks that show it.
struct Violation {
    int invariant;
    std::string what;
    std::vector<BlockId> blocks;
};

class Cache {
public:
    // `log` and `mover` may be null: then nobody is told, and only books are kept. `iteration`: in
    // which the pool is made.
    Cache(CacheSpec spec, EventLog* log = nullptr, BlockMover* mover = nullptr,
          std::uint32_t iteration = 0);
    Cache(const Cache&) = delete;  // its parts know each other
    Cache& operator=(const Cache&) = delete;

    const CacheSpec& spec() const { return spec_; }
    void set_free_order(FreeOrder order) { spec_.free_order = order; }
    void set_keep_cold(bool keep) { spec_.keep_cold = keep; }
    void use_mover(BlockMover* mover) { transfers_.use_mover(mover); }
    void begin_iteration(std::uint32_t iteration) { log_.begin_iteration(iteration); }

    // Requests.
    void open(SeqId id, std::vector<std::uint32_t> tokens, const std::string& salt = {});
    // A request that goes on from all tokens of `parent`, then from its own. It shares the blocks
    // that the sharing rule allows, at once, and leaves at least one token to compute. What the
    // parent was given room for must have been stored.
    void open_fork(SeqId id, SeqId parent, std::span<const std::uint32_t> more);
    bool is_open(SeqId id) const { return tables_.is_open(id); }
    void append(SeqId id, std::uint32_t token) { tables_.of(id).tokens.push_back(token); }
    std::span<const std::uint32_t> tokens(SeqId id) const { return tables_.of(id).tokens; }
    std::uint32_t stored(SeqId id) const { return tables_.of(id).stored; }
    const std::vector<std::optional<BlockId>>& table(SeqId id, LaneId lane = LaneId(0)) const;
    bool holds_blocks(SeqId id) const { return tables_.holds_blocks(id); }
    std::uint32_t times_let_go(SeqId id) const { return tables_.of(id).times_let_go; }

    // Room.
    Prefix find_prefix(SeqId id) const { return chains_.find(tables_.of(id)); }
    // Blocks to take from the free list of a lane so that tokens [0, upto) have slots.
    std::uint32_t missing(SeqId id, std::uint32_t upto, const Prefix& prefix = {},
                          LaneId lane = LaneId(0)) const;
    // Blocks of that list that are not themselves among those found.
    std::uint32_t free_beside(const Prefix& prefix, LaneId lane = LaneId(0)) const;
    // The lane where most is missing beyond what is free.
    LaneId tightest_lane(SeqId id, std::uint32_t upto) const;
    std::uint32_t n_free() const { return device_.pool(kOnlyLane).n_free(); }
    // All or nothing: false when the free blocks do not suffice, and then nothing has changed.
    bool grow(SeqId id, std::uint32_t upto, const Prefix& prefix = {});
    void set_stored(SeqId id, std::uint32_t upto, std::int32_t priority = 0);

    // Slots behind the last token, for tokens that are written before it is known whether they are
    // right. They are not tokens of the request: nothing publishes their blocks.
    std::uint32_t room_ahead(SeqId id) const;  // tokens that free blocks suffice for
    void grow_ahead(SeqId id, std::uint32_t n_tokens);
    // The slots for tokens [0, upto) stay, and the blocks behind them go back to the head of the
    // free list, where they came from.
    void keep_ahead(SeqId id, std::uint32_t upto, const Reason& reason);

    // A policy drops tokens of one lane. Their slots are dead; a block whose slots are all written
    // and dead is given back, and its entry is a hole. `what` names the positions, rising, and the
    // reasons; slots and what is left are filled in here.
    void drop(SeqId id, TokensDropped what, const Reason& reason);
    // The survivors of a lane go into new blocks, side by side, and the old blocks are given back.
    // False when there are not enough free blocks, and then nothing has changed.
    bool compact(SeqId id, LaneId lane) { return drops_.compact(id, lane); }
    const SlotMap& slots(SeqId id, LaneId lane = LaneId(0)) const;
    // Slots of its blocks that it has dropped; blocks that are gone do not count.
    std::uint32_t dead_slots(SeqId id, LaneId lane) const { return drops_.dead_slots(id, lane); }
    // One table, and nothing dropped: a fork can share its blocks, and a lower tier take them.
    bool has_plain_table(SeqId id) const;

    // The blocks go back, in the order of Tables::give_back_all; the tokens stay known. Nobody may
    // rely on a block that it published and has not stored: those who found it go first.
    void let_go(SeqId id, const Reason& reason);
    void close(SeqId id, const Reason& reason);

    // Tiers. Out: every block that holds something of the request is copied to a lower tier and
    // then given back; places_free() must suffice for places_needed().
    std::uint32_t places_needed(SeqId id) const { return spec_.entries_for(stored(id)); }
    std::uint32_t places_free() const { return swap_.places_free(); }
    void swap_out(SeqId id, const Reason& reason);
    bool is_swapped(SeqId id) const { return !swap_.places(id).empty(); }
    // Back into as many blocks from the free list, which must suffice. Loads are begun, and end
    // when finish_loads() is called, at once or iterations later; until then the blocks are pinned.
    void begin_loads(SeqId id);
    bool is_loading(SeqId id) const { return swap_.is_loading(id); }
    void finish_loads(SeqId id) { swap_.finish_loads(id, tables_.of(id)); }
    const Tiers& tiers() const { return transfers_.tiers(); }

    // The radix tree of what can be found, to be looked at; null with the chain's rule.
    const RadixTree* prefix_tree() const {
        return findable_.tree() ? &findable_.tree()->tree() : nullptr;
    }
    // Forgets what can be found: AllBlocksCleared.
    void clear_prefixes(const Reason& reason = {Why::ByCommand});
    // What is stored from here on is of another kind, in blocks of another size.
    void change_space(std::string space, std::uint64_t block_bytes, const Reason& reason);

    // All rules of docs/invariants.md that concern the books, recomputed from primary data.
    std::vector<Violation> check() const;
    // Writes the cache's part of the state: lanes, tiers, tables.
    void observe(Snapshot& snapshot) const;

private:
    std::uint32_t missing(const CachedSequence& s, std::uint32_t upto, const Prefix& prefix,
                          LaneId lane) const;
    LaneId tightest_lane(const CachedSequence& s, std::uint32_t upto) const;
    void take_hits(CachedSequence& s, const Prefix& prefix);
    void grow_tree(CachedSequence& s, std::int32_t priority);
    void observe_blocks(Snapshot& snapshot) const;
    void observe_places(Snapshot& snapshot) const;

    friend class CacheCheck;
    friend class Tamper;  // of the tests: breaks a rule so that check() must say so

    // Each part knows only those above it.
    CacheSpec spec_;
    EventWriter log_;
    DeviceBlocks device_;
    Transfers transfers_;
    FindableBlocks findable_;
    PrefixChains chains_;
    Tables tables_;
    Forks forks_;
    Drops drops_;
    Swap swap_;
};

}  // namespace kv
