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
    explicit CacheCheck(const Cache& cache) : c_(cache) {}

    std::vector<Violation> run() {
        for (std::uint32_t lane = 0; lane < c_.spec_.n_lanes; ++lane) check_lane(lane);
        for (const auto& [id, s] : c_.sequences_) check_sequence(SeqId(id), s);
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
    void check_lane(std::uint32_t lane) {
        const BlockPool& pool = c_.pools_[lane];
        std::vector<std::uint32_t> held(pool.size()), loading(pool.size());
        for (const auto& [id, s] : c_.sequences_)
            for (std::size_t entry = 0; entry < s.tables[lane].size(); ++entry) {
                const auto& block = s.tables[lane][entry];
                if (!block || block->value >= pool.size()) continue;
                ++held[block->index()];
                if (s.loading && entry < s.places.size()) ++loading[block->index()];
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

    // I13: what is filled fits, and of a free block only what can be found again.
    void check_filled(std::uint32_t lane, BlockId block) {
        const std::uint32_t filled = c_.filled_[lane][block.index()], size = c_.spec_.block_size;
        const std::string name = "block " + std::to_string(block.value);
        if (filled > size) say(13, name + " counts more filled slots than it has", {block});
        if (!c_.pools_[lane].is_free(block)) return;
        const bool found = lane == 0 && c_.index_.node_of(block);
        if (!found && filled != 0) say(13, name + " is free and counts filled slots", {block});
        if (found && filled != size) say(13, name + " is found and was never computed", {block});
    }

    // I06, I07: a table covers what is stored, with blocks of the pool, none of them twice.
    void check_sequence(SeqId id, const Cache::Sequence& s) {
        const std::string name = "request " + std::to_string(id.value);
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
            const bool elsewhere = !s.places.empty();
            const SlotMap& slots = s.slots[lane];
            const auto known = static_cast<std::uint32_t>(s.tokens.size());
            if (!elsewhere && s.tables[lane].size() < c_.entries_for(slots.slots(s.stored)))
                say(6, name + " stores more tokens than its table has room for");
            if (s.tables[lane].size() > c_.entries_for(slots.slots(known)))
                say(6, name + " holds blocks beyond its last token");
            check_dropped(name, s, lane);
            if (elsewhere && s.places.size() != c_.entries_for(s.stored))
                say(23, name + " is swapped out and some of its blocks are nowhere");
        }
        if (s.stored > s.tokens.size()) say(6, name + " stores more tokens than it has");
        if (s.published * std::uint64_t{c_.spec_.block_size} > s.tokens.size())
            say(11, name + " has published a block that is not full");
        if (s.chain && s.published <= s.tables[0].size() && !publishes_from(s))
            say(17, name + " would publish after a content that is not its own");
        if (s.loading && s.places.empty()) say(23, name + " is loading from nowhere");
    }

    // I20, I21: a hole has no living token and a block has one, or room for it; survivors lie in
    // the order of their positions.
    void check_dropped(const std::string& name, const Cache::Sequence& s, std::uint32_t lane) {
        const SlotMap& slots = s.slots[lane];
        const std::uint32_t size = c_.spec_.block_size, n = slots.slots(s.stored);
        const std::vector<std::uint32_t> kept = slots.kept(s.stored);
        if (std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) != kept.end())
            say(21, name + " keeps tokens whose positions do not rise");
        if (!s.places.empty()) return;
        for (std::uint32_t entry = 0; entry < s.tables[lane].size(); ++entry) {
            const auto& block = s.tables[lane][entry];
            if (block && c_.is_dead(s, lane, entry))
                say(20, name + " holds a block of which it has dropped every token", {*block});
            for (std::uint32_t slot = entry * size; !block && slot < (entry + 1) * size; ++slot)
                if (slot >= n || !slots.is_dropped(slot)) {
                    say(20, name + " keeps a token in a block that it has given up");
                    break;
                }
        }
    }

    // The last content that it published is the one that its own block is found by.
    bool publishes_from(const Cache::Sequence& s) const {
        if (s.published == 0) return s.chain == s.root;
        const auto& block = s.tables[0][s.published - 1];
        return block && c_.index_.node_of(*block) == s.chain;
    }

    // I08, I11: who shares a block shares all tokens up to its end; a block that can be written to
    // is neither published nor, unless copies are made on write, shared.
    void check_sharing() {
        struct Holder {
            const Cache::Sequence* s;
            std::uint32_t id, entry;
        };
        std::vector<std::vector<Holder>> holders(c_.spec_.n_blocks);
        for (const auto& [id, s] : c_.sequences_)
            for (std::uint32_t entry = 0; entry < s.tables[0].size(); ++entry)
                if (const auto block = s.tables[0][entry]; block && block->value < holders.size())
                    holders[block->index()].push_back({&s, id, entry});
        for (std::uint32_t b = 0; b < holders.size(); ++b) {
            const auto& all = holders[b];
            for (std::size_t i = 1; i < all.size(); ++i) {
                if (all[i].entry != all[0].entry || !same_beginning(all[0], all[i]))
                    say(8,
                        "block " + std::to_string(b) + " is shared by requests " +
                            std::to_string(all[0].id) + " and " + std::to_string(all[i].id) +
                            " whose tokens differ before its end",
                        {BlockId(b)});
            }
            for (const Holder& h : all) check_writable(BlockId(b), *h.s, h.entry, all.size());
        }
    }

    template <class Holder>
    bool same_beginning(const Holder& a, const Holder& b) const {
        if (a.s->root != b.s->root) return false;
        const std::size_t end = (a.entry + 1) * std::size_t{c_.spec_.block_size};
        const std::size_t n = std::min({end, std::size_t{a.s->stored}, std::size_t{b.s->stored}});
        return std::equal(a.s->tokens.begin(), a.s->tokens.begin() + static_cast<std::ptrdiff_t>(n),
                          b.s->tokens.begin());
    }

    void check_writable(BlockId block, const Cache::Sequence& s, std::uint32_t entry,
                        std::size_t holders) {
        const std::size_t end = (entry + 1) * std::size_t{c_.spec_.block_size};
        const bool full = s.tokens.size() >= end;
        const auto node = c_.index_.node_of(block);
        if (node && !full) say(11, "a block that is not full can be found", {block});
        if (holders > 1 && !full && c_.spec_.sharing == Sharing::FullBlocksOnly)
            say(12, "a partly filled block is shared", {block});
        if (node && full && !leads_to(*node, s, end))
            say(17, "a block is found by tokens that it does not hold", {block});
    }

    // From the content up to its namespace, all tokens are those of the request.
    bool leads_to(PrefixId node, const Cache::Sequence& s, std::size_t end) const {
        for (; !c_.index_.is_root(node); node = *c_.index_.parent(node)) {
            const auto tokens = c_.index_.tokens(node);
            if (end < tokens.size()) return false;
            end -= tokens.size();
            if (!std::equal(tokens.begin(), tokens.end(),
                            s.tokens.begin() + static_cast<std::ptrdiff_t>(end)))
                return false;
        }
        return end == 0 && node == s.root;
    }

    void check_index() {
        for (const char* what : c_.index_.check()) say(17, what);
        if (c_.tree_) check_tree();
    }

    // I17, I19: the tree's own rules; a block of it can be found, and a cached block is in it.
    void check_tree() {
        for (const std::string& what : c_.tree_->check()) say(19, what);
        std::uint64_t in_tree = 0;
        for (std::uint32_t b = 0; b < c_.spec_.n_blocks; ++b) {
            const BlockId block(b);
            const bool found = c_.index_.node_of(block).has_value();
            if (c_.block_in_tree_[b] && !found)
                say(17, "block " + std::to_string(b) + " is in the tree and not in the index",
                    {block});
            if (!c_.block_in_tree_[b] && found && c_.pools_[0].is_free(block))
                say(17, "block " + std::to_string(b) + " is cached and not in the tree", {block});
            in_tree += c_.block_in_tree_[b] ? 1 : 0;
        }
        if (in_tree * c_.spec_.block_size != c_.tree_->total_tokens())
            say(19, "the tree holds another number of blocks than are marked");
        std::uint64_t idle = 0;
        for (std::uint32_t b = 0; b < c_.spec_.n_blocks; ++b)
            idle += c_.block_in_tree_[b] && c_.pools_[0].is_free(BlockId(b)) ? 1 : 0;
        if (idle * c_.spec_.block_size != c_.tree_->evictable_tokens())
            say(19, "the tree would give up blocks that are held, or keep ones that are not");
    }

    // I23: every place of a lower tier belongs to one owner that knows it.
    void check_tiers() {
        std::vector<std::uint32_t> owners(c_.tiers_.size());
        for (const auto& [id, s] : c_.sequences_)
            for (std::uint32_t entry = 0; entry < s.places.size(); ++entry) {
                ++owners[s.places[entry]];
                check_owner(SeqId(id), s, entry);
            }
        std::uint32_t n_known = 0;
        for (std::uint32_t p = 0; p < c_.tiers_.size(); ++p) {
            const Tiers::Place& place = c_.tiers_[p];
            const bool known = place.node && c_.index_.place(*place.node) == p;
            const std::uint32_t n = owners[p] + (known ? 1 : 0);
            n_known += known ? 1 : 0;
            if (n != (place.state == PlaceState::Free ? 0u : 1u))
                say(23, "place " + std::to_string(p) + " of the lower tiers has " +
                            std::to_string(n) + " owners");
            if (place.state == PlaceState::Arriving)
                say(23, "place " + std::to_string(p) + " waits for a transfer that is over");
        }
        if (n_known != c_.index_.n_places())
            say(23, "a content leads to a place that holds something else");
    }

    void check_owner(SeqId id, const Cache::Sequence& s, std::uint32_t entry) {
        const Tiers::Place& place = c_.tiers_[s.places[entry]];
        const PlaceState state = s.loading ? PlaceState::Leaving : PlaceState::Held;
        if (place.request != id || place.entry != entry || place.state != state ||
            place.slots != c_.filled_slots(s, 0, entry))
            say(23, "place " + std::to_string(s.places[entry]) + " does not hold block " +
                        std::to_string(entry) + " of request " + std::to_string(id.value));
    }

    const Cache& c_;
    std::vector<Violation> found_;
};

std::vector<Violation> Cache::check() const {
    return CacheCheck(*this).run();
}

}  // namespace kv
