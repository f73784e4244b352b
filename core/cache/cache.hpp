#pragma once
// The books of the cache: which request holds which blocks, which blocks can be found again by what
// they hold, and what is given up for what. It knows token ids and block ids, no tensor and no
// float. Everything that changes is written to the log, with its reason.
//
// A request's life: open() makes it known, find_prefix() looks for blocks that hold its beginning,
// grow() gives it room for its next tokens, set_stored() says that these were computed, and
// let_go() gives the blocks back (to come again) or close() ends it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cache/block_pool.hpp"
#include "core/cache/prefix/index.hpp"
#include "core/cache/prefix/radix_tree.hpp"
#include "core/cache/spec.hpp"
#include "core/cache/tiers/block_mover.hpp"
#include "core/cache/tiers/tiers.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/snapshot.hpp"

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

// A broken rule: its number in docs/invariants.md, what is wrong, and the blocks that show it.
struct Violation {
    int invariant;
    std::string what;
    std::vector<BlockId> blocks;
};

class Cache {
public:
    // `log` and `mover` may be null: then nobody is told, and only books are kept.
    Cache(CacheSpec spec, EventLog* log = nullptr, BlockMover* mover = nullptr);

    const CacheSpec& spec() const { return spec_; }
    void set_free_order(FreeOrder order) { spec_.free_order = order; }
    void set_keep_cold(bool keep) { spec_.keep_cold = keep; }
    void use_mover(BlockMover* mover) { mover_ = mover; }
    void begin_iteration(std::uint32_t iteration) { iteration_ = iteration; }

    // Requests.
    void open(SeqId id, std::vector<std::uint32_t> tokens, const std::string& salt = {});
    // A request that goes on from all tokens of `parent`, then from its own. It shares the blocks
    // that the sharing rule allows, at once, and leaves at least one token to compute. What the
    // parent was given room for must have been stored.
    void open_fork(SeqId id, SeqId parent, std::span<const std::uint32_t> more);
    bool is_open(SeqId id) const { return sequences_.find(id.value) != sequences_.end(); }
    void append(SeqId id, std::uint32_t token);
    std::span<const std::uint32_t> tokens(SeqId id) const { return of(id).tokens; }
    std::uint32_t stored(SeqId id) const { return of(id).stored; }
    const std::vector<std::optional<BlockId>>& table(SeqId id, LaneId lane = LaneId(0)) const;
    bool holds_blocks(SeqId id) const;
    std::uint32_t times_let_go(SeqId id) const { return of(id).times_let_go; }

    // Room.
    Prefix find_prefix(SeqId id) const;
    // Blocks to take from the free list of a lane so that tokens [0, upto) have slots.
    std::uint32_t missing(SeqId id, std::uint32_t upto, const Prefix& prefix = {},
                          LaneId lane = LaneId(0)) const;
    // Blocks of that list that are not themselves among those found.
    std::uint32_t free_beside(const Prefix& prefix, LaneId lane = LaneId(0)) const;
    // The lane where most is missing beyond what is free.
    LaneId tightest_lane(SeqId id, std::uint32_t upto) const;
    std::uint32_t n_free() const { return pools_[0].n_free(); }
    // All or nothing: false when the free blocks do not suffice, and then nothing has changed.
    bool grow(SeqId id, std::uint32_t upto, const Prefix& prefix = {});
    void set_stored(SeqId id, std::uint32_t upto, std::int32_t priority = 0);

    // Tokens that a policy gives up, in one lane. Their slots are dead; a block whose slots are all
    // written and dead goes back, and its entry is a hole. `what` names the positions, rising, and
    // the reasons; slots and what is left are filled in here.
    void drop(SeqId id, TokensDropped what, const Reason& reason);
    // The survivors of a lane go into new blocks, side by side, and the old ones go back. False
    // when there are not enough free blocks, and then nothing has changed.
    bool compact(SeqId id, LaneId lane);
    const SlotMap& slots(SeqId id, LaneId lane = LaneId(0)) const;
    // Slots of its blocks that it has dropped; blocks that are gone do not count.
    std::uint32_t holes(SeqId id, LaneId lane) const;
    // One table, and nothing dropped: a lower tier can take its blocks.
    bool can_swap(SeqId id) const;

    // The blocks go back, the last of the table first; the tokens stay known. Nobody may rely on a
    // block that it published and has not stored: those who found it go first.
    void let_go(SeqId id, const Reason& reason);
    void close(SeqId id, const Reason& reason);

    // Tiers. Out: every block that holds something of the request is copied to a lower tier and
    // then given back; places_free() must suffice for places_needed().
    std::uint32_t places_needed(SeqId id) const { return entries_for(of(id).stored); }
    std::uint32_t places_free() const { return tiers_.n_free() + tiers_.n_cached(); }
    void swap_out(SeqId id, const Reason& reason);
    bool is_swapped(SeqId id) const { return !of(id).places.empty(); }
    // Back into as many blocks from the free list, which must suffice. Loads are begun, pinning
    // both ends, and end when finish_loads() is called: at once, or iterations later.
    void begin_loads(SeqId id);
    bool is_loading(SeqId id) const { return of(id).loading; }
    void finish_loads(SeqId id);
    const Tiers& tiers() const { return tiers_; }
    // With the radix rule: the prefixes as a tree. None with the chain's.
    const std::optional<RadixTree>& tree() const { return tree_; }

    // Forgets what can be found: AllBlocksCleared.
    void clear_prefixes(const Reason& reason = {Why::ByCommand});
    // What is stored from here on is of another kind, in blocks of another size.
    void change_space(std::string space, std::uint64_t block_bytes, const Reason& reason);

    // All rules of docs/invariants.md that concern the books, recomputed from primary data.
    std::vector<Violation> check() const;
    // Its part of the state: lanes, tiers, tables.
    void observe(Snapshot& snapshot) const;

private:
    struct Sequence {
        std::vector<std::uint32_t> tokens;
        std::uint32_t stored = 0, times_let_go = 0;
        std::vector<std::vector<std::optional<BlockId>>> tables;  // by lane
        std::vector<SlotMap> slots;                               // likewise
        // Publishing: the content of its first `published` blocks; none when it has stopped.
        std::optional<PrefixId> chain;
        PrefixId root{0};
        std::uint32_t published = 0;
        std::vector<std::uint32_t> places;  // by table entry, while it is swapped out
        bool loading = false;
        std::string salt;
        std::optional<RadixNodeId> locked;  // the end of its part of the tree
        std::uint32_t in_tree = 0;          // blocks of it
    };

    Sequence& of(SeqId id);
    const Sequence& of(SeqId id) const;
    template <class What>
    void tell(SeqId id, const Reason& reason, What what);
    template <class What>
    void tell(const Reason& reason, What what);

    std::uint32_t entries_for(std::uint32_t tokens) const;
    std::uint32_t filled_slots(const Sequence& s, std::uint32_t lane, std::uint32_t entry) const;
    BlockId take_block(SeqId id, LaneId lane);  // from the head of the free list
    void forget(LaneId lane, BlockId block, const Reason& reason, FreeEnd end = FreeEnd::Tail);
    bool in_tree(BlockId block) const;
    bool stays_findable(BlockId block) const;
    void grow_tree(SeqId id, std::int32_t priority);
    void replace_duplicate(SeqId id, std::uint32_t entry, BlockId with);
    void lock_tree(SeqId id, std::uint32_t n_tokens);
    void lock(Sequence& s, RadixNodeId node, std::uint32_t blocks);
    void unlock_tree(SeqId id);
    void evict_leaf(SeqId for_whom);
    void clear_tree();
    void enter(SeqId id, LaneId lane, std::uint32_t entry, BlockId block);
    void take_hits(SeqId id, const Prefix& prefix);
    bool writes_shared_tail(const Sequence& s, std::uint32_t upto) const;
    void copy_shared_tail(SeqId id);
    void share_blocks(SeqId id, SeqId parent, std::uint32_t n_tokens);
    void publish(SeqId id, std::uint32_t upto);
    void withdraw_uncomputed(SeqId id);
    void give_back_blocks(SeqId id, const Reason& reason);
    void drop_entry(SeqId id, LaneId lane, std::uint32_t entry, const Reason& reason, FreeEnd end);
    bool is_dead(const Sequence& s, std::uint32_t lane, std::uint32_t entry) const;
    void count_dead(Snapshot& snapshot) const;

    bool make_place();  // in the tiers, by giving up what was cached there and idle longest
    void keep_in_host(BlockId block, PrefixId node);
    BlockStored stored_in(PrefixId node, Medium medium, std::vector<std::uint32_t> blocks) const;
    void sink_to_file(std::uint32_t place);
    void give_up(std::uint32_t place);
    void load_hit(SeqId id, const Prefix::Hit& hit, std::uint32_t entry);
    void check_arrival(Medium from, std::uint32_t from_id, const MoveResult& result) const;
    void carry_out(std::optional<SeqId> id, const Reason& reason, const TransferStarted& transfer);

    friend class CacheCheck;
    friend class Tamper;

    CacheSpec spec_;
    EventLog* log_;
    BlockMover* mover_;
    std::uint32_t iteration_ = 0;
    std::vector<BlockPool> pools_;  // by lane
    // Slots with keys and values, by lane and block.
    std::vector<std::vector<std::uint32_t>> filled_;
    PrefixIndex index_;
    std::optional<RadixTree> tree_;
    std::vector<bool> block_in_tree_;
    Tiers tiers_;
    std::map<std::uint32_t, Sequence> sequences_;  // by SeqId, in order
};

}  // namespace kv
