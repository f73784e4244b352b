// Random work on the radix tree beside a model that knows no tree: a list of the prefixes that are
// held, one entry for each block of each of them. What the model needs to know of nodes is where
// one ends, which is where a key or a match has ended.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/random.hpp"
#include "core/cache/prefix/radix_tree.hpp"

using namespace kv;

namespace {

using Tokens = std::vector<std::uint32_t>;
using Blocks = std::vector<BlockId>;

struct WholeBlocks {  // whole blocks, from the start of the sequence
    std::string salt;
    Tokens tokens;

    friend bool operator<(const WholeBlocks& a, const WholeBlocks& b) {
        return std::tie(a.salt, a.tokens) < std::tie(b.salt, b.tokens);
    }
    bool begins(const WholeBlocks& other) const {
        return salt == other.salt && tokens.size() <= other.tokens.size() &&
               std::equal(tokens.begin(), tokens.end(), other.tokens.begin());
    }
};

struct Held {
    BlockId block;  // of the last block of the prefix
    std::uint64_t created, last_access, hits, inserts, reach;
    std::int32_t priority;
    bool node_ends;
};

class Model {
public:
    Model(std::uint32_t block_size, const RadixRule& rule) : b_(block_size), rule_(rule) {}

    Blocks longest(const std::string& salt, const Tokens& tokens) const {
        Blocks found;
        for (std::size_t n = b_; n <= tokens.size(); n += b_) {
            const auto it = held_.find(cut(salt, tokens, n));
            if (it == held_.end()) break;
            found.push_back(it->second.block);
        }
        return found;
    }

    Blocks match(const std::string& salt, const Tokens& tokens) {
        Blocks found = longest(salt, tokens);
        use(salt, tokens, found.size(), [](Held& held, std::uint64_t) { ++held.hits; });
        return found;
    }

    std::size_t insert(const std::string& salt, const Tokens& tokens, const Blocks& blocks,
                       std::int32_t priority, std::uint64_t n_own) {
        const std::size_t present = longest(salt, tokens).size();
        const std::uint64_t whole = blocks.size() * b_;
        use(salt, tokens, present, [&](Held& held, std::uint64_t node_end) {
            held.priority = std::max(held.priority, priority);
            held.inserts += node_end > n_own ? 1 : 0;
            held.reach = std::max(held.reach, whole);
        });
        for (std::size_t i = present; i < blocks.size(); ++i)
            held_.insert({cut(salt, tokens, (i + 1) * b_),
                          {blocks[i], clock_, clock_, 0, whole > n_own ? 1u : 0u, whole, priority,
                           i + 1 == blocks.size()}});
        return present;
    }

    void lock(const WholeBlocks& path) { locks_.push_back(path); }
    void unlock(std::size_t i) { locks_.erase(locks_.begin() + static_cast<std::ptrdiff_t>(i)); }
    const std::vector<WholeBlocks>& locks() const { return locks_; }

    std::uint32_t lock_count(const WholeBlocks& prefix) const {
        return static_cast<std::uint32_t>(
            std::count_if(locks_.begin(), locks_.end(),
                          [&](const WholeBlocks& path) { return prefix.begins(path); }));
    }

    Blocks evict(std::uint64_t n_tokens) {
        Blocks freed;
        while (freed.size() * b_ < n_tokens) {
            const WholeBlocks* next = nullptr;
            for (const auto& [prefix, held] : held_)
                if (is_leaf(prefix) && lock_count(prefix) == 0 &&
                    (!next || place_in_line(prefix) < place_in_line(*next)))
                    next = &prefix;
            if (!next) break;
            free_leaf(*next, freed);
        }
        return freed;
    }

    std::uint64_t evictable() const {
        return b_ * static_cast<std::uint64_t>(std::count_if(
                        held_.begin(), held_.end(),
                        [&](const auto& entry) { return lock_count(entry.first) == 0; }));
    }
    std::uint64_t total() const { return b_ * held_.size(); }
    const std::map<WholeBlocks, Held>& held() const { return held_; }

private:
    static WholeBlocks cut(const std::string& salt, const Tokens& tokens, std::size_t n) {
        return {salt, Tokens(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(n))};
    }

    template <class Use>
    void use(const std::string& salt, const Tokens& tokens, std::size_t n_blocks, Use use_held) {
        if (n_blocks > 0) end_node(cut(salt, tokens, n_blocks * b_));
        ++clock_;
        std::uint64_t node_end = 0;
        for (std::size_t i = n_blocks; i > 0; --i) {
            Held& held = held_.at(cut(salt, tokens, i * b_));
            held.last_access = clock_;
            if (held.node_ends) node_end = i * b_;
            use_held(held, node_end);
        }
    }

    // The blocks of a node follow each other: between them nothing branches off.
    void end_node(const WholeBlocks& prefix) {
        if (std::exchange(held_.at(prefix).node_ends, true)) return;
        if (rule_.order == RadixOrder::LruStrict) return;
        ++clock_;
        for (auto rest = std::next(held_.find(prefix));; ++rest) {
            rest->second.last_access = clock_;
            if (rest->second.node_ends) return;
        }
    }

    bool is_leaf(const WholeBlocks& prefix) const {
        const auto longer = held_.upper_bound(prefix);  // its extensions sort right behind it
        return longer == held_.end() || !prefix.begins(longer->first);
    }

    // Where the node that ends with this prefix begins.
    std::uint64_t begin_of_node(WholeBlocks prefix) const {
        do prefix.tokens.resize(prefix.tokens.size() - b_);
        while (!prefix.tokens.empty() && !held_.at(prefix).node_ends);
        return prefix.tokens.size();
    }

    std::tuple<std::int64_t, std::uint64_t> place_in_line(const WholeBlocks& prefix) const {
        const Held& held = held_.at(prefix);
        const auto last = static_cast<std::int64_t>(held.last_access);
        const auto created = static_cast<std::int64_t>(held.created);
        const auto inserts = static_cast<std::int64_t>(held.inserts);
        const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
        switch (rule_.order) {
            case RadixOrder::LruStrict:
            case RadixOrder::LruSglang:
                return {last, 0};
            case RadixOrder::Mru:
                return {-last, 0};
            case RadixOrder::Fifo:
                return {created, 0};
            case RadixOrder::Filo:
                return {-created, 0};
            case RadixOrder::Lfu:
                return {inserts, held.last_access};
            case RadixOrder::Slru:
                return {inserts < number(rule_.protected_threshold) ? 0 : 1, held.last_access};
            case RadixOrder::Tlru: {
                const std::int64_t needed = number(held.reach) +
                                            number(rule_.next_prompt_estimate) -
                                            number(rule_.threshold);
                return {number(begin_of_node(prefix)) >= needed ? 0 : 1, held.last_access};
            }
            case RadixOrder::Priority:
                break;
        }
        return {held.priority, held.last_access};
    }

    // From the end of the sequence back to where the node before ends.
    void free_leaf(WholeBlocks prefix, Blocks& freed) {
        while (true) {
            freed.push_back(held_.at(prefix).block);
            held_.erase(prefix);
            prefix.tokens.resize(prefix.tokens.size() - b_);
            if (prefix.tokens.empty() || held_.at(prefix).node_ends) return;
        }
    }

    std::uint32_t b_;
    RadixRule rule_;
    std::uint64_t clock_ = 0;
    std::map<WholeBlocks, Held> held_;
    std::vector<WholeBlocks> locks_;
};

// Draws in order from one stream.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : random_(seed, 0) {}
    std::uint32_t below(std::uint32_t bound) { return random_.below(n_++, bound); }

private:
    Random random_;
    std::uint64_t n_ = 0;
};

// Four kinds of block that differ nowhere, at the end, at the start or everywhere from the first
// kind, up to nine in a row and a tail that fills no block.
Tokens drawn_tokens(Draws& draws, std::uint32_t block_size) {
    Tokens tokens;
    for (std::uint32_t left = draws.below(10); left > 0; --left) {
        const std::uint32_t kind = draws.below(4);
        Tokens block(block_size, kind == 3 ? 3 : 0);
        if (kind == 1) block.back() = 1;
        if (kind == 2) block.front() = 2;
        tokens.insert(tokens.end(), block.begin(), block.end());
    }
    tokens.resize(tokens.size() + draws.below(block_size), 0);
    return tokens;
}

void compare_nodes(const RadixTree& tree, const Model& model, std::uint32_t block_size) {
    std::map<std::uint32_t, WholeBlocks> paths;
    std::size_t blocks = 0, ends = 0;
    for (const RadixNodeView& node : tree.nodes()) {
        WholeBlocks path = node.parent ? paths.at(node.parent->value) : WholeBlocks{node.salt, {}};
        path.salt = node.salt;
        REQUIRE(node.first == path.tokens.size());
        for (std::size_t i = 0; i < node.blocks.size(); ++i, ++blocks) {
            path.tokens.insert(
                path.tokens.end(),
                node.tokens.begin() + static_cast<std::ptrdiff_t>(i * block_size),
                node.tokens.begin() + static_cast<std::ptrdiff_t>((i + 1) * block_size));
            const Held& held = model.held().at(path);
            REQUIRE(held.block == node.blocks[i]);
            REQUIRE(held.node_ends == (i + 1 == node.blocks.size()));
            REQUIRE(std::tuple(held.created, held.last_access, held.hits, held.inserts,
                               held.priority, held.reach) ==
                    std::tuple(node.created, node.last_access, node.hits, node.inserts,
                               node.priority, tree.state().node(node.id).reach));
            REQUIRE(model.lock_count(path) == node.lock_count);
            ends += held.node_ends;
        }
        paths.emplace(node.id.value, std::move(path));
    }
    REQUIRE(blocks == model.held().size());
    REQUIRE(ends + 1 == tree.nodes().size());
}

class Pair {
public:
    Pair(std::uint32_t block_size, const RadixRule& rule, std::uint64_t seed)
        : b_(block_size), draws_(seed), tree_(block_size, rule), model_(block_size, rule) {}

    void step() {
        const std::uint32_t choice = draws_.below(16);
        if (choice < 5)
            match();
        else if (choice < 10)
            insert();
        else if (choice < 12)
            lock();
        else if (choice < 14)
            unlock();
        else
            evict();
        // Now and then everything goes that can, so that trees grow again from little.
        if (draws_.below(512) == 0) REQUIRE(tree_.evict(~0ull) == model_.evict(~0ull));

        REQUIRE(tree_.total_tokens() == model_.total());
        REQUIRE(tree_.evictable_tokens() == model_.evictable());
        REQUIRE(tree_.protected_tokens() == model_.total() - model_.evictable());
        const std::vector<std::string> broken = tree_.check();
        if (!broken.empty()) FAIL(broken.front());
    }
    void compare() const { compare_nodes(tree_, model_, b_); }

private:
    std::string salt() { return draws_.below(4) == 0 ? "other" : ""; }

    void match() {
        const std::string s = salt();
        const Tokens tokens = drawn_tokens(draws_, b_);
        const RadixMatch seen = tree_.peek(s, tokens), found = tree_.match(s, tokens);
        const Blocks expected = model_.match(s, tokens);
        REQUIRE(found.blocks == expected);
        REQUIRE(found.n_tokens == expected.size() * b_);
        REQUIRE(seen.blocks == expected);
        REQUIRE(seen.n_tokens == found.n_tokens);
    }

    void insert() {
        const std::string s = salt();
        const Tokens tokens = drawn_tokens(draws_, b_);
        const auto priority = static_cast<std::int32_t>(draws_.below(5)) - 2;
        Blocks blocks;
        for (std::size_t i = 0; i < tokens.size() / b_; ++i) blocks.push_back(BlockId(next_++));
        const std::uint64_t n_own = draws_.below(3) == 0 ? draws_.below(6) * b_ : 0;
        const RadixInserted done = tree_.insert(s, tokens, blocks, priority, n_own);
        REQUIRE(done.n_present == model_.insert(s, tokens, blocks, priority, n_own) * b_);
        REQUIRE(done.node == tree_.peek(s, tokens).node);
    }

    void lock() {
        if (model_.locks().size() == 6) return unlock();
        const std::string s = salt();
        Tokens tokens = drawn_tokens(draws_, b_);
        const RadixMatch found = tree_.match(s, tokens);
        model_.match(s, tokens);
        tokens.resize(static_cast<std::size_t>(found.n_tokens));
        tree_.lock(found.node);
        nodes_.push_back(found.node);
        model_.lock({s, std::move(tokens)});
    }

    void unlock() {
        if (nodes_.empty()) return;
        const std::uint32_t i = draws_.below(static_cast<std::uint32_t>(nodes_.size()));
        tree_.unlock(nodes_[i]);
        nodes_.erase(nodes_.begin() + i);
        model_.unlock(i);
    }

    void evict() {
        const std::uint64_t n = draws_.below(12 * b_);
        REQUIRE(tree_.evict(n) == model_.evict(n));
    }

    std::uint32_t b_, next_ = 0;
    Draws draws_;
    RadixTree tree_;
    Model model_;
    std::vector<RadixNodeId> nodes_;  // of the model's locks
};

}  // namespace

TEST_CASE("a radix tree agrees with the list of held prefixes",
          "[radix][I17][I18][I19][C130][heavy]") {
    const std::uint32_t block_size = GENERATE(1u, 3u, 4u, 16u);
    for (std::uint32_t order = 0; order < 9; ++order) {
        CAPTURE(block_size, order);
        RadixRule rule(static_cast<RadixOrder>(order));
        rule.threshold = 5 * std::uint64_t{block_size};
        rule.next_prompt_estimate = block_size;
        Pair pair(block_size, rule, 100 * block_size + order);
        for (int i = 0; i < 4'400; ++i) {
            pair.step();
            if (i % 16 == 0) pair.compare();
        }
    }
}
