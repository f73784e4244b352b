// Every rule that the books promise, recomputed from the tables, the lists and the index themselves
// and never from a counter. The numbers are those of docs/invariants.md.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "core/base/numbers/checked.hpp"
#include "core/cache/cache.hpp"

namespace kv {

class CacheCheck {
public:
    explicit CacheCheck(const Cache& cache)
        : c_(cache), index_(cache.findable_.index()), tree_(cache.findable_.tree()) {}

    std::vector<Violation> run() {
        for (std::uint32_t lane = 0; lane < c_.spec_.n_lanes; ++lane) check_lane(LaneId(lane));
        for (const auto& [id, s] : c_.tables_.all()) check_sequence(SeqId(id), s);
        if (c_.spec_.sharing != Sharing::Off) check_sharing();
        check_index();
        check_tiers();
        return std::move(found_);
    }

private:
    void say(int invariant, std::string what, std::vector<BlockId> blocks = {}) {
        found_.push_back({invariant, std::move(what), std::move(blocks)});
    }

    // I02, I03, I01: holders counted from the tables; the list walked; the states add up.
    void check_lane(LaneId lane) {
        const BlockPool& pool = c_.device_.pool(lane);
        std::vector<std::uint32_t> held(pool.size()), loading(pool.size());
        for (const auto& [id, s] : c_.tables_.all())
            for (std::size_t entry = 0; entry < s.tables[lane.index()].size(); ++entry) {
                const auto& block = s.tables[lane.index()][entry];
                if (!block || block->value >= pool.size()) continue;
                ++held[block->index()];
                if (entry < n_loading(SeqId(id))) ++loading[block->index()];
            }
        std::uint32_t n_used = 0;
        for (std::uint32_t b = 0; b < pool.size(); ++b) {
            const BlockId block(b);
            n_used += held[b] > 0;
            if (pool.ref_count(block) != held[b])
                say(2,
                    "block " + std::to_string(b) + " counts " +
                        std::to_string(pool.ref_count(block)) + " holders, its tables " +
                        std::to_string(held[b]),
                    {block});
            if (pool.pins(block) > 0 && pool.is_free(block))
                say(23, "block " + std::to_string(b) + " is pinned and in the free list", {block});
            else if (pool.pins(block) != loading[b])
                say(23,
                    "block " + std::to_string(b) + " has " + std::to_string(pool.pins(block)) +
                        " pins and " + std::to_string(loading[b]) + " transfers",
                    {block});
            check_filled(lane, block);
        }
        for (const BlockPool::Broken& broken : pool.check()) say(3, broken.what, broken.blocks);
        if (n_used + pool.n_free() != pool.size())
            say(1, std::to_string(n_used) + " used and " + std::to_string(pool.n_free()) +
                       " free blocks do not make " + std::to_string(pool.size()));
    }

    // Entries of its table that bytes are on their way to.
    std::size_t n_loading(SeqId id) const {
        return c_.swap_.is_loading(id) ? c_.swap_.places(id).size() : 0;
    }

    // I13: what is filled fits, and of a free block only what can be found again.
    void check_filled(LaneId lane, BlockId block) {
        const std::uint32_t filled = c_.device_.filled(lane, block), size = c_.spec_.block_size;
        const std::string name = "block " + std::to_string(block.value);
        if (filled > size) say(13, name + " counts more filled slots than it has", {block});
        if (!c_.device_.pool(lane).is_free(block)) return;
        const bool found = lane == kOnlyLane && index_.node_of(block);
        if (!found && filled != 0) say(13, name + " is free and counts filled slots", {block});
        if (found && filled != size) say(13, name + " is found and was never computed", {block});
    }

    // I06, I07: a table covers what is stored, with blocks of the pool, none of them twice.
    void check_sequence(SeqId id, const CachedSequence& s) {
        const std::string name = "request " + std::to_string(id.value);
        const std::size_t n_places = c_.swap_.places(id).size();
        for (std::uint32_t lane = 0; lane < c_.spec_.n_lanes; ++lane) {
            std::vector<BlockId> blocks;
            for (const auto& block : s.tables[lane])
                if (block) blocks.push_back(*block);
            for (const BlockId block : blocks)
                if (block.value >= c_.spec_.n_blocks)
                    say(6, name + " has a block that the pool lacks", {block});
            std::sort(blocks.begin(), blocks.end());
            const auto twice = std::adjacent_find(blocks.begin(), blocks.end());
            if (twice != blocks.end()) say(7, name + " has a block twice", {*twice});
            const SlotMap& slots = s.slots[lane];
            const auto known = static_cast<std::uint32_t>(s.tokens.size());
            if (n_places == 0 &&
                s.tables[lane].size() < c_.spec_.entries_for(slots.slots_taken(s.stored)))
                say(6, name + " stores more tokens than its table has room for");
            if (s.tables[lane].size() > c_.spec_.entries_for(slots.slots_taken(known)))
                say(6, name + " holds blocks beyond its last token");
            check_kept(name, s, LaneId(lane));
            if (n_places == 0) check_holes(name, s, LaneId(lane));
            if (n_places > 0 && n_places != c_.spec_.entries_for(s.stored))
                say(23, name + " is swapped out and some of its blocks are nowhere");
        }
        if (s.stored > s.tokens.size()) say(6, name + " stores more tokens than it has");
        const PrefixChain& chain = s.chain;
        if (chain.n_blocks * std::uint64_t{c_.spec_.block_size} > s.tokens.size())
            say(11, name + " has published a block that is not full");
        if (chain.end && chain.n_blocks <= s.tables[0].size() && !publishes_from(chain, s))
            say(17, name + " would publish after a content that is not its own");
        if (c_.swap_.is_loading(id) && n_places == 0) say(23, name + " is loading from nowhere");
    }

    // I21: survivors lie in the order of their positions.
    void check_kept(const std::string& name, const CachedSequence& s, LaneId lane) {
        const std::vector<std::uint32_t> kept = s.slots[lane.index()].kept(s.stored);
        if (std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) != kept.end())
            say(21, name + " keeps tokens whose positions do not rise");
    }

    // I20: a hole has no living token, and a block has one, or room for it.
    void check_holes(const std::string& name, const CachedSequence& s, LaneId lane) {
        const auto& table = s.tables[lane.index()];
        const SlotMap& slots = s.slots[lane.index()];
        const std::uint32_t size = c_.spec_.block_size, n = slots.slots_taken(s.stored);
        for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
            if (table[entry] && c_.drops_.is_dead(s, lane, entry))
                say(20, name + " holds a block of which it has dropped every token",
                    {*table[entry]});
            for (std::uint32_t slot = entry * size; !table[entry] && slot < (entry + 1) * size;
                 ++slot)
                if (slot >= n || !slots.is_dropped(slot)) {
                    say(20, name + " keeps a token in a block that it has given up");
                    break;
                }
        }
    }

    // The last content that it published is the one that its own block is found by.
    bool publishes_from(const PrefixChain& chain, const CachedSequence& s) const {
        if (chain.n_blocks == 0) return chain.end == chain.root;
        const auto& block = s.tables[0][chain.n_blocks - 1];
        return block && index_.node_of(*block) == chain.end;
    }

    struct Holder {
        const CachedSequence* s;
        SeqId id;
        std::uint32_t entry;
    };

    // I08, I11: who shares a block shares all tokens up to its end; a block that can be written to
    // is neither published nor, unless copies are made on write, shared.
    void check_sharing() {
        std::vector<std::vector<Holder>> holders(c_.spec_.n_blocks);
        for (const auto& [id, s] : c_.tables_.all())
            for (std::uint32_t entry = 0; entry < s.tables[0].size(); ++entry)
                if (const auto block = s.tables[0][entry]; block && block->value < holders.size())
                    holders[block->index()].push_back({&s, SeqId(id), entry});
        for (std::uint32_t b = 0; b < holders.size(); ++b) {
            const auto& all = holders[b];
            for (std::size_t i = 1; i < all.size(); ++i) {
                if (all[i].entry != all[0].entry || !same_beginning(all[0], all[i]))
                    say(8,
                        "block " + std::to_string(b) + " is shared by requests " +
                            std::to_string(all[0].id.value) + " and " +
                            std::to_string(all[i].id.value) + " whose tokens differ before its end",
                        {BlockId(b)});
            }
            for (const Holder& h : all) check_writable(BlockId(b), h, all.size());
        }
    }

    bool same_beginning(const Holder& a, const Holder& b) const {
        if (a.s->chain.root != b.s->chain.root) return false;
        const std::size_t end = (a.entry + 1) * std::size_t{c_.spec_.block_size};
        const std::size_t n = std::min({end, std::size_t{a.s->stored}, std::size_t{b.s->stored}});
        return std::equal(a.s->tokens.begin(), a.s->tokens.begin() + static_cast<std::ptrdiff_t>(n),
                          b.s->tokens.begin());
    }

    void check_writable(BlockId block, const Holder& h, std::size_t holders) {
        const CachedSequence& s = *h.s;
        const std::size_t end = (h.entry + 1) * std::size_t{c_.spec_.block_size};
        const bool full = s.tokens.size() >= end;
        const auto node = index_.node_of(block);
        if (node && !full) say(11, "a block that is not full can be found", {block});
        if (holders > 1 && !full && c_.spec_.sharing == Sharing::FullBlocksOnly)
            say(12, "a partly filled block is shared", {block});
        if (node && full && !leads_to(*node, h, end))
            say(17, "a block is found by tokens that it does not hold", {block});
    }

    // Whether all tokens from the content up to its root are those of the request.
    bool leads_to(PrefixId node, const Holder& h, std::size_t end) const {
        const auto& known = h.s->tokens;
        for (; !index_.is_root(node); node = *index_.parent(node)) {
            const auto tokens = index_.tokens(node);
            if (end < tokens.size()) return false;
            end -= tokens.size();
            if (!std::equal(tokens.begin(), tokens.end(),
                            known.begin() + static_cast<std::ptrdiff_t>(end)))
                return false;
        }
        return end == 0 && node == h.s->chain.root;
    }

    void check_index() {
        for (const char* what : index_.check()) say(17, what);
        if (tree_) check_tree();
    }

    // I17, I19: the tree's own rules; a block of it can be found, and a cached block is in it.
    void check_tree() {
        for (const std::string& what : tree_->tree().check()) say(19, what);
        std::uint64_t n_blocks = 0, n_idle = 0;
        for (std::uint32_t b = 0; b < c_.spec_.n_blocks; ++b) {
            const BlockId block(b);
            const bool found = index_.node_of(block).has_value();
            const bool in_tree = tree_->has(block),
                       idle = c_.device_.pool(kOnlyLane).is_free(block);
            if (in_tree && !found)
                say(17, "block " + std::to_string(b) + " is in the tree and not in the index",
                    {block});
            if (!in_tree && found && idle)
                say(17, "block " + std::to_string(b) + " is cached and not in the tree", {block});
            n_blocks += in_tree ? 1 : 0;
            n_idle += in_tree && idle ? 1 : 0;
        }
        if (n_blocks * c_.spec_.block_size != tree_->tree().total_tokens())
            say(19, "the tree holds another number of blocks than are marked");
        if (n_idle * c_.spec_.block_size != tree_->tree().evictable_tokens())
            say(19, "the tree would give up blocks that are held, or keep ones that are not");
    }

    // I23: every place of a lower tier belongs to one owner that knows it.
    void check_tiers() {
        const Tiers& tiers = c_.tiers();
        std::vector<std::uint32_t> owners(tiers.size());
        for (const auto& [id, s] : c_.tables_.all())
            for (std::uint32_t entry = 0; entry < c_.swap_.places(SeqId(id)).size(); ++entry) {
                ++owners[c_.swap_.places(SeqId(id))[entry]];
                check_owner(SeqId(id), s, entry);
            }
        std::uint32_t n_known = 0;
        for (std::uint32_t p = 0; p < tiers.size(); ++p) {
            const Tiers::Place& place = tiers[p];
            const bool known = place.node && index_.place(*place.node) == p;
            const std::uint32_t n = owners[p] + (known ? 1 : 0);
            n_known += known ? 1 : 0;
            if (n != (place.state == PlaceState::Free ? 0u : 1u))
                say(23, "place " + std::to_string(p) + " of the lower tiers has " +
                            std::to_string(n) + " owners");
            if (place.state == PlaceState::Arriving)
                say(23, "place " + std::to_string(p) + " waits for a transfer that is over");
        }
        if (n_known != index_.n_places())
            say(23, "a content leads to a place that holds something else");
    }

    void check_owner(SeqId id, const CachedSequence& s, std::uint32_t entry) {
        const std::uint32_t at = c_.swap_.places(id)[entry];
        const Tiers::Place& place = c_.tiers()[at];
        const PlaceState state = c_.swap_.is_loading(id) ? PlaceState::Leaving : PlaceState::Held;
        if (place.request != id || place.entry != entry || place.state != state ||
            place.slots != s.filled_slots(kOnlyLane, entry, c_.spec_.block_size))
            say(23, "place " + std::to_string(at) + " does not hold block " +
                        std::to_string(entry) + " of request " + std::to_string(id.value));
    }

    const Cache& c_;
    const PrefixIndex& index_;
    const std::optional<LockedTree>& tree_;
    std::vector<Violation> found_;
};

std::vector<Violation> Cache::check() const {
    return CacheCheck(*this).run();
}

}  // namespace kv
