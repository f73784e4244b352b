#pragma once
// The books of the radix tree as plain data: its nodes, where to find a child, and the line of
// leaves that may be evicted. Only RadixTree changes them. broken_rules() recomputes every rule
// from the nodes alone, so a test can copy a state, break it and see the rule named.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/ids.hpp"

namespace kv {

// Which leaf goes first; RadixState::place_in_line() has the key of each order. Ties of Lfu,
// Priority, Slru and Tlru go by LruSglang. A match or an insert that ends inside a node splits it,
// and is a use of its front; in every order but LruStrict the rest of the node counts as used just
// before, as SGLang has it.
enum class RadixOrder : std::uint8_t {
    LruStrict,  // unused for longest; the rest of a node that was split stays as old as it was
    Lfu,        // passed through by the fewest inserts, the one that made it counted
    Fifo,       // put in first
    Mru,        // used last
    Filo,       // put in last
    Priority,   // of the lowest priority
    LruSglang,  // unused for longest
    Slru,       // not yet passed through by enough inserts to be protected
    Tlru        // needed by no next prompt that has to be fast (arXiv 2510.15152)
};

// An order and the numbers of those that have some, under the names that SGLang gives them. In
// words "tlru:threshold=4096,next_prompt_estimate=512".
struct RadixRule {
    RadixOrder order = RadixOrder::LruStrict;
    std::uint64_t protected_threshold = 2;  // slru: inserts
    // tlru: tokens that may be computed anew in time, and tokens that a text grows by.
    std::uint64_t threshold = 0, next_prompt_estimate = 0;

    RadixRule() = default;
    RadixRule(RadixOrder o) : order(o) {}  // NOLINT: a rule is mostly its order alone
    bool operator==(const RadixRule&) const = default;
};
std::string name_of(const RadixRule& rule);
// "lru" is LruStrict, which is what it was before there were two.
std::optional<RadixRule> radix_rule_named(std::string_view name);

// A node keeps its id when its front is split off. An id is used again after its node is evicted,
// so only the id of a locked node may be kept across an evict.
using RadixNodeId = Id<struct RadixNodeTag>;

// A row of values that gives away its front without moving the rest each time: however often a long
// key is split, the work is linear in what was split off.
template <class T>
class FrontCut {
public:
    FrontCut() = default;
    explicit FrontCut(std::span<const T> values) : all_(values.begin(), values.end()) {}

    std::size_t size() const { return all_.size() - gone_; }
    std::span<const T> view() const { return std::span<const T>(all_).subspan(gone_); }
    void drop_front(std::size_t n) {
        gone_ += n;
        if (gone_ <= all_.size() / 2) return;
        const std::span<const T> rest = view();
        all_ = std::vector<T>(rest.begin(), rest.end());
        gone_ = 0;
    }

private:
    std::vector<T> all_;
    std::size_t gone_ = 0;
};

struct RadixNode {
    FrontCut<std::uint32_t> tokens;     // the key: whole blocks
    FrontCut<BlockId> blocks;           // the value: one block for each block of the key
    std::optional<RadixNodeId> parent;  // none for the root
    std::string salt;                   // of a child of the root; those below share it
    std::uint32_t n_children = 0;
    std::uint32_t lock_count = 0;
    std::int32_t priority = 0;      // the highest inserted through this node
    std::uint64_t created = 0;      // the clock when its tokens came in
    std::uint64_t last_access = 0;  // the clock of the last match or insert through it
    std::uint64_t hits = 0;         // matches through it
    std::uint64_t inserts = 0;      // through it, once for each request; the one that made it, too
    std::uint64_t depth = 0;        // tokens from the start of the sequence to its end
    std::uint64_t reach = 0;        // the deepest end below it that there has ever been
};

// A leaf's place in the line. No two leaves can be equal in `rank` and `tie`: an operation visits
// one path, and a path has one leaf.
struct RadixPlaceInLine {
    std::int64_t rank;
    std::uint64_t tie;
    RadixNodeId node;

    friend bool operator==(const RadixPlaceInLine&, const RadixPlaceInLine&) = default;
    friend bool operator<(const RadixPlaceInLine& a, const RadixPlaceInLine& b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        if (a.tie != b.tie) return a.tie < b.tie;
        return a.node < b.node;
    }
};

struct RadixState {
    std::uint32_t block_size = 1;
    RadixRule rule;
    std::vector<std::optional<RadixNode>> nodes;                   // by id; the first is the root
    std::vector<RadixNodeId> unused;                               // ids without a node
    std::unordered_multimap<std::uint64_t, RadixNodeId> children;  // by child_hash
    std::set<RadixPlaceInLine> line;  // unlocked leaves, the next to go first
    std::uint64_t clock = 0;          // matches, inserts, and splits but for LruStrict
    std::uint64_t evictable_tokens = 0, protected_tokens = 0;

    static constexpr RadixNodeId root() { return RadixNodeId(0); }
    const RadixNode& node(RadixNodeId id) const {
        KV_ASSERT(id.index() < nodes.size() && nodes[id.index()]);
        return *nodes[id.index()];
    }
    RadixNode& node(RadixNodeId id) {
        KV_ASSERT(id.index() < nodes.size() && nodes[id.index()]);
        return *nodes[id.index()];
    }
    std::span<const std::uint32_t> first_block(const RadixNode& of) const {
        return of.tokens.view().first(std::min<std::size_t>(block_size, of.tokens.size()));
    }
    RadixPlaceInLine place_in_line(RadixNodeId id) const;
    bool is_spare(const RadixNode& node) const;  // for Tlru: no next prompt needs it

    std::uint64_t child_hash(RadixNodeId parent, std::string_view salt,
                             std::span<const std::uint32_t> first_block) const;
    // The child of `parent` whose key begins with this block; the salt counts below the root only.
    std::optional<RadixNodeId> child(RadixNodeId parent, std::string_view salt,
                                     std::span<const std::uint32_t> first_block) const;
};

// A node as it is drawn. The order is a function of the contents: parents first, siblings by salt
// and then by their first block.
struct RadixNodeView {
    RadixNodeId id;
    std::optional<RadixNodeId> parent;
    std::string salt;
    std::uint64_t first = 0;  // position of its first token in the sequence
    std::vector<std::uint32_t> tokens;
    std::vector<BlockId> blocks;
    std::uint32_t lock_count = 0;
    std::int32_t priority = 0;
    std::uint64_t created = 0, last_access = 0, hits = 0, inserts = 0;
};
std::vector<RadixNodeView> describe(const RadixState& state);

// A sentence for every rule that does not hold; none when all is well.
std::vector<std::string> broken_rules(const RadixState& state);

}  // namespace kv
