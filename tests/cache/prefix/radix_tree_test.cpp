#include "core/cache/prefix/radix_tree.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

using namespace kv;

namespace {

using Tokens = std::vector<std::uint32_t>;
using Blocks = std::vector<BlockId>;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

Tokens run(std::uint32_t first, std::uint32_t count) {
    Tokens tokens(count);
    for (std::uint32_t i = 0; i < count; ++i) tokens[i] = first + i;
    return tokens;
}

Tokens joined(std::initializer_list<Tokens> parts) {
    Tokens all;
    for (const Tokens& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Blocks blocks(std::initializer_list<std::uint32_t> ids) {
    Blocks all;
    for (const std::uint32_t id : ids) all.push_back(BlockId(id));
    return all;
}

Blocks blocks_from(std::uint32_t first, std::size_t count) {
    Blocks all;
    for (std::uint32_t i = 0; i < count; ++i) all.push_back(BlockId(first + i));
    return all;
}

// Inserts with the blocks first, first + 1, ... and returns the tokens that were present.
std::uint64_t put(RadixTree& tree, const Tokens& tokens, std::uint32_t first_block,
                  std::int32_t priority = 0, std::string_view salt = "") {
    const std::uint64_t present =
        tree.insert(salt, tokens, blocks_from(first_block, tokens.size() / tree.block_size()),
                    priority)
            .n_present;
    CHECK(tree.check().empty());
    return present;
}

// The keys of the nodes below the root, as they are drawn.
std::vector<Tokens> keys(const RadixTree& tree) {
    std::vector<Tokens> all;
    for (const RadixNodeView& node : tree.nodes())
        if (node.parent) all.push_back(node.tokens);
    return all;
}

RadixNodeView view_of(const RadixTree& tree, RadixNodeId id) {
    for (RadixNodeView& node : tree.nodes())
        if (node.id == id) return std::move(node);
    FAIL("no such node");
    return {id, {}, {}, 0, {}, {}, 0, 0, 0, 0, 0};
}

bool mentions(const std::vector<std::string>& sentences, std::string_view words) {
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("the demonstration of a radix tree gives its five nodes", "[radix]") {
    RadixTree tree(1, RadixOrder::LruStrict);
    CHECK(put(tree, {1, 2, 3}, 0) == 0);
    CHECK(put(tree, {1, 2, 3}, 10) == 3);
    CHECK(put(tree, {1, 2, 4, 5}, 20) == 2);
    CHECK(put(tree, {1, 2, 4, 5, 6, 7}, 30) == 4);
    CHECK(put(tree, {8, 9, 10, 11, 12}, 40) == 0);

    CHECK(keys(tree) == std::vector<Tokens>{{1, 2}, {3}, {4, 5}, {6, 7}, {8, 9, 10, 11, 12}});
    CHECK(tree.total_tokens() == 12);
    CHECK(tree.evictable_tokens() == 12);

    const RadixMatch found = tree.match("", Tokens{1, 2, 3, 13, 14});
    CHECK(found.n_tokens == 3);
    CHECK(found.blocks == blocks({0, 1, 2}));
    // What was inserted later kept only what was new: 4 5 of the third, 6 7 of the fourth.
    CHECK(tree.peek("", Tokens{1, 2, 4, 5, 6, 7}).blocks == blocks({0, 1, 22, 23, 34, 35}));
}

TEST_CASE("two sequences part inside a block or between blocks", "[radix]") {
    RadixTree fine(1, RadixOrder::LruStrict);
    put(fine, run(1, 6), 0);
    CHECK(fine.match("", Tokens{1, 2, 3, 9}).n_tokens == 3);
    CHECK(put(fine, {1, 2, 3, 9}, 10) == 3);
    CHECK(keys(fine) == std::vector<Tokens>{{1, 2, 3}, {4, 5, 6}, {9}});
    CHECK(fine.total_tokens() == 7);

    // Blocks of 4: 1..6 is cut to 1..4, and 1 2 3 9 differs from it inside the block.
    RadixTree coarse(4, RadixOrder::LruStrict);
    put(coarse, run(1, 6), 0);
    CHECK(coarse.match("", Tokens{1, 2, 3, 9}).n_tokens == 0);
    CHECK(coarse.match("", Tokens{1, 2, 3, 9}).node == RadixState::root());
    CHECK(put(coarse, {1, 2, 3, 9}, 10) == 0);
    CHECK(keys(coarse) == std::vector<Tokens>{{1, 2, 3, 4}, {1, 2, 3, 9}});
    CHECK(coarse.match("", run(1, 6)).n_tokens == 4);
}

// System prompt 512, document A 1,024, document B 2,048, queries 64; blocks of 16. Query 1 brings
// blocks 0 to 99: 0-31 the system prompt, 32-95 document A, 96-99 itself. Query 2 brings 100 to
// 199 and keeps 196-199. Query 3 brings 200 to 363 and keeps 232-359 of document B, 360-363 itself.
TEST_CASE("a shared system prompt and documents save what the chapter says",
          "[radix][C131][C132]") {
    const Tokens system = run(0, 512), a = run(1'000, 1'024), b = run(10'000, 2'048);
    const Tokens requests[3] = {joined({system, a, run(20'000, 64)}),
                                joined({system, a, run(30'000, 64)}),
                                joined({system, b, run(40'000, 64)})};
    RadixTree tree(16, RadixOrder::LruStrict);
    std::uint64_t unshared = 0, recomputed = 0, first_block = 0;
    std::vector<RadixNodeId> ends;
    for (const Tokens& request : requests) {
        const std::uint64_t known = tree.match("", request).n_tokens;
        const auto done = tree.insert(
            "", request, blocks_from(static_cast<std::uint32_t>(first_block), request.size() / 16),
            0);
        CHECK(done.n_present == known);
        tree.lock(done.node);
        ends.push_back(done.node);
        unshared += request.size();
        recomputed += request.size() - known;
        first_block += request.size() / 16;
    }
    CHECK(tree.check().empty());
    CHECK(unshared == 5'824);
    CHECK(recomputed == 3'776);
    CHECK(tree.total_tokens() == 3'776);
    CHECK((unshared - tree.total_tokens()) * 1'000 / unshared == 351);          // 35.16 %
    CHECK(first_block - tree.total_tokens() / 16 == (512 + 1'024 + 512) / 16);  // blocks not stored

    // Three requests hold the system prompt, two document A, one document B.
    CHECK(view_of(tree, tree.peek("", system).node).lock_count == 3);
    CHECK(view_of(tree, tree.peek("", joined({system, a})).node).lock_count == 2);
    CHECK(view_of(tree, tree.peek("", joined({system, b})).node).lock_count == 1);
    CHECK(tree.protected_tokens() == 3'776);
    CHECK(tree.evict(100).empty());

    tree.unlock(ends[0]);
    tree.unlock(ends[1]);
    CHECK(tree.evictable_tokens() == 1'024 + 64 + 64);
    CHECK(tree.evict(100) == blocks({99, 98, 97, 96, 199, 198, 197, 196}));  // 128 tokens
    CHECK(tree.evictable_tokens() == 1'024);
    CHECK(tree.check().empty());

    // Now document A is a leaf; query 3 keeps its document and the system prompt.
    Blocks document = blocks_from(32, 64);
    std::reverse(document.begin(), document.end());
    CHECK(tree.evict(kAll) == document);
    CHECK(tree.total_tokens() == 512 + 2'048 + 64);
    CHECK(tree.peek("", requests[2]).n_tokens == requests[2].size());
    CHECK(tree.check().empty());
}

// Leaves 1 2 3 4 come in at times 1 2 3 4 with priorities 1 3 1 0; then 3, 3, 1 and 4 are matched
// at times 5 6 7 8. Last use: 7 2 6 8; hits: 1 0 2 1.
TEST_CASE("each order of eviction takes the leaves it promises", "[radix][I19]") {
    const auto evicted = [](RadixOrder order) {
        RadixTree tree(1, order);
        put(tree, {1}, 1, 1);
        put(tree, {2}, 2, 3);
        put(tree, {3}, 3, 1);
        put(tree, {4}, 4, 0);
        for (const std::uint32_t token : {3u, 3u, 1u, 4u}) tree.match("", Tokens{token});
        Blocks gone;
        while (tree.total_tokens() > 0) {
            const Blocks one = tree.evict(1);
            CHECK(one.size() == 1);
            CHECK(tree.check().empty());
            gone.insert(gone.end(), one.begin(), one.end());
        }
        return gone;
    };
    CHECK(evicted(RadixOrder::LruStrict) == blocks({2, 3, 1, 4}));
    CHECK(evicted(RadixOrder::LruSglang) == blocks({2, 3, 1, 4}));
    CHECK(evicted(RadixOrder::Lfu) == blocks({2, 3, 1, 4}));  // matches are no inserts
    CHECK(evicted(RadixOrder::Fifo) == blocks({1, 2, 3, 4}));
    CHECK(evicted(RadixOrder::Mru) == blocks({4, 1, 3, 2}));
    CHECK(evicted(RadixOrder::Filo) == blocks({4, 3, 2, 1}));
    CHECK(evicted(RadixOrder::Priority) == blocks({4, 3, 1, 2}));
}

TEST_CASE("an order is named with the numbers that are not its own", "[radix]") {
    for (const char* name :
         {"lru-strict", "lru-sglang", "lfu", "slru", "tlru", "fifo", "mru", "filo", "priority",
          "slru:protected_threshold=3", "tlru:threshold=64,next_prompt_estimate=16",
          "tlru:next_prompt_estimate=1"}) {
        INFO(name);
        const auto rule = radix_rule_named(name);
        REQUIRE(rule);
        CHECK(name_of(*rule) == name);
    }
    CHECK(radix_rule_named("lru") == RadixRule(RadixOrder::LruStrict));
    CHECK(radix_rule_named("tlru:next_prompt_estimate=2,threshold=7")->threshold == 7);
    CHECK(name_of(*radix_rule_named("slru:protected_threshold=2")) == "slru");
    for (const char* name :
         {"", "LRU", "lru:threshold=1", "tlru:", "tlru:threshold", "slru:2", "tlru:threshold=-1",
          "tlru:protected_threshold=2", "tlru:threshold=1,"})
        CHECK_FALSE(radix_rule_named(name));
}

// In the tree of SGLang 0.5.23, and in lru-strict where only what a use went through is young.
TEST_CASE("a split refreshes the rest of the node, or leaves it as old as it was", "[radix][I19]") {
    const auto one_evicted = [](RadixOrder order) {
        RadixTree tree(1, order);
        put(tree, {1, 2, 3, 4}, 0);
        put(tree, {9}, 4);
        tree.match("", Tokens{1, 2});
        return tree.evict(1);
    };
    CHECK(one_evicted(RadixOrder::LruSglang) == blocks({4}));
    CHECK(one_evicted(RadixOrder::LruStrict) == blocks({3, 2}));

    const auto all_evicted = [](RadixOrder order) {
        RadixTree tree(1, order);
        put(tree, {1, 2, 3}, 0);
        put(tree, {9}, 3);
        tree.insert("", Tokens{1, 5}, blocks({0, 4}), 0);
        CHECK(tree.check().empty());
        return tree.evict(kAll);
    };
    CHECK(all_evicted(RadixOrder::LruSglang) == blocks({3, 2, 1, 4, 0}));
    CHECK(all_evicted(RadixOrder::LruStrict) == blocks({2, 1, 3, 4, 0}));
}

// Texts 1, 2 and 3 are put in at times 1, 2 and 3, text 1 again by a second request, text 2 again
// by the request that put it in, and text 3 is matched three times.
TEST_CASE("lfu counts the requests that insert a text, and slru protects from the second on",
          "[radix][I19]") {
    const auto evicted = [](const char* name) {
        RadixTree tree(1, *radix_rule_named(name));
        for (const std::uint32_t text : {1u, 2u, 3u}) put(tree, {text}, text);
        tree.insert("", Tokens{1}, blocks({1}), 0);
        tree.insert("", Tokens{2}, blocks({2}), 0, 1);
        for (int i = 0; i < 3; ++i) tree.match("", Tokens{3});
        return tree.evict(kAll);
    };
    CHECK(evicted("lru-sglang") == blocks({1, 2, 3}));
    CHECK(evicted("lfu") == blocks({2, 3, 1}));
    CHECK(evicted("slru") == blocks({2, 3, 1}));
    CHECK(evicted("slru:protected_threshold=1") == blocks({1, 2, 3}));
}

// A chat of 8 tokens that went on to 10, and texts of 3, 2 and 10. With a threshold of 4 tokens and
// 2 that come next, 8 of the longest have to be here, 1 of the second and none of the third.
TEST_CASE("tlru gives up first what the next prompt does not need in time", "[radix][I19]") {
    const auto evicted = [](const char* name) {
        RadixTree tree(1, *radix_rule_named(name));
        put(tree, run(100, 8), 0);
        put(tree, run(20, 3), 20);
        put(tree, run(30, 2), 30);
        put(tree, run(40, 10), 40);
        put(tree, run(100, 10), 0);
        std::vector<BlockId> first;  // of what goes together
        while (tree.total_tokens() > 0) first.push_back(tree.evict(1).back());
        CHECK(tree.check().empty());
        return first;
    };
    // By their first blocks: the chat 0, what it went on by 8, the others 20, 30 and 40.
    CHECK(evicted("lru-sglang") == blocks({20, 30, 40, 8, 0}));
    CHECK(evicted("tlru") == blocks({20, 30, 40, 8, 0}));
    CHECK(evicted("tlru:threshold=4,next_prompt_estimate=2") == blocks({30, 8, 20, 40, 0}));
    // Of 10 tokens and 2 more the first has to be here; of 8 and 2 none. What was given up stays
    // part of the chat's length.
    CHECK(evicted("tlru:threshold=11,next_prompt_estimate=2") == blocks({20, 30, 8, 40, 0}));
}

TEST_CASE("eviction takes whole leaves, then parents, and stops when it has enough",
          "[radix][I19]") {
    RadixTree tree(4, RadixOrder::LruStrict);
    put(tree, run(0, 16), 0);                        // blocks 0 1 2 3
    put(tree, joined({run(0, 8), run(50, 8)}), 10);  // keeps 12 13
    CHECK(tree.evict(0).empty());
    CHECK(tree.evict(1) == blocks({3, 2}));          // 8 tokens, though 1 was asked for
    CHECK(tree.evict(9) == blocks({13, 12, 1, 0}));  // the leaf, then the parent it leaves
    CHECK(tree.total_tokens() == 0);
    CHECK(tree.nodes().size() == 1);
    CHECK(tree.evict(kAll).empty());
    CHECK(tree.check().empty());
}

TEST_CASE("a salt is a world of its own", "[radix]") {
    RadixTree tree(2, RadixOrder::LruStrict);
    put(tree, run(0, 4), 0, 0, "");
    CHECK(put(tree, run(0, 4), 10, 0, "a") == 0);
    CHECK(put(tree, run(0, 6), 20, 0, "ab") == 0);
    CHECK(tree.match("b", run(0, 4)).n_tokens == 0);
    CHECK(tree.match("ab", run(0, 2)).blocks == blocks({20}));  // splits in its own world only
    CHECK(tree.match("a", run(0, 6)).blocks == blocks({10, 11}));
    CHECK(tree.match("", run(0, 6)).blocks == blocks({0, 1}));
    CHECK(tree.check().empty());

    std::vector<std::pair<std::string, Tokens>> drawn;
    for (const RadixNodeView& node : tree.nodes()) drawn.emplace_back(node.salt, node.tokens);
    CHECK(drawn ==
          std::vector<std::pair<std::string, Tokens>>{
              {"", {}}, {"", run(0, 4)}, {"a", run(0, 4)}, {"ab", run(0, 2)}, {"ab", run(2, 4)}});

    tree.lock(tree.match("a", run(0, 4)).node);
    tree.evict(kAll);
    CHECK(tree.total_tokens() == 4);
    CHECK(tree.peek("a", run(0, 4)).n_tokens == 4);
    CHECK(tree.peek("", run(0, 4)).n_tokens == 0);
    CHECK(tree.check().empty());
}

// A request holds 1..12. Another one parts from it after 4 tokens, which splits its node: both
// parts must stay protected, and the same id must let go of both.
TEST_CASE("a lock holds across a split, by a match or by an insert", "[radix][I19]") {
    const bool by_insert = GENERATE(false, true);
    RadixTree tree(4, RadixOrder::LruStrict);
    put(tree, run(1, 12), 0);
    const RadixNodeId held = tree.match("", run(1, 12)).node;
    tree.lock(held);
    CHECK(tree.protected_tokens() == 12);

    const Tokens other = joined({run(1, 4), run(90, 4)});
    const RadixNodeId upper = tree.match("", other).node;
    if (by_insert) CHECK(put(tree, other, 10) == 4);
    CHECK(tree.check().empty());
    CHECK(upper != held);
    CHECK(view_of(tree, upper).lock_count == 1);
    CHECK(view_of(tree, upper).tokens == run(1, 4));
    CHECK(view_of(tree, held).tokens == run(5, 8));
    CHECK(view_of(tree, held).first == 4);
    CHECK(tree.protected_tokens() == 12);
    CHECK(tree.evictable_tokens() == (by_insert ? 4 : 0));
    CHECK(tree.evict(kAll) == (by_insert ? blocks({11}) : Blocks{}));
    CHECK(tree.peek("", run(1, 12)).blocks == blocks({0, 1, 2}));

    // The other request holds the first part as well, and outlives the first request.
    tree.lock(upper);
    CHECK(view_of(tree, upper).lock_count == 2);
    tree.unlock(held);
    CHECK(tree.check().empty());
    CHECK(tree.protected_tokens() == 4);
    CHECK(tree.evict(kAll) == blocks({2, 1}));
    tree.unlock(upper);
    CHECK(tree.evict(kAll) == blocks({0}));
    CHECK(tree.check().empty());
}

TEST_CASE("locks add up, and none can be given back twice", "[radix][I19]") {
    RadixTree tree(1, RadixOrder::LruStrict);
    put(tree, {1, 2}, 0);
    const RadixNodeId node = tree.match("", Tokens{1, 2}).node;
    tree.lock(node);
    tree.lock(node);
    tree.unlock(node);
    CHECK(tree.evict(kAll).empty());
    tree.unlock(node);
    const auto before = tree.state().line;
    CHECK_THROWS_AS(tree.unlock(node), BrokenAssert);
    CHECK(tree.check().empty());
    CHECK(tree.state().line == before);
    CHECK(tree.evict(kAll).size() == 2);
    CHECK_THROWS_AS(tree.lock(node), BrokenAssert);  // it is gone
    CHECK_THROWS_AS(tree.unlock(node), BrokenAssert);

    // The root stands for "nothing found": to lock it changes nothing.
    tree.lock(RadixState::root());
    tree.unlock(RadixState::root());
    tree.unlock(RadixState::root());
    CHECK(tree.check().empty());
}

TEST_CASE("keys are cut to whole blocks, each with its block", "[radix][I17]") {
    RadixTree tree(4, RadixOrder::LruStrict);
    CHECK(put(tree, {}, 0) == 0);
    CHECK(put(tree, run(0, 3), 0) == 0);
    CHECK(tree.nodes().size() == 1);
    CHECK(tree.match("", {}).n_tokens == 0);
    CHECK(put(tree, run(0, 11), 0) == 0);
    CHECK(tree.total_tokens() == 8);
    for (const std::uint32_t n : {3u, 4u, 5u, 7u, 8u, 9u, 11u, 12u})
        CHECK(tree.peek("", run(0, n)).n_tokens == std::min(8u, n / 4 * 4));
    CHECK_THROWS_AS(tree.insert("", run(0, 8), blocks({7}), 0), BrokenAssert);
    CHECK_THROWS_AS(tree.insert("", run(0, 7), blocks({7, 8}), 0), BrokenAssert);
    CHECK_THROWS_AS(RadixTree(0, RadixOrder::LruStrict), BrokenAssert);
    CHECK(tree.check().empty());
}

TEST_CASE("a peek finds what a match finds and leaves no trace", "[radix]") {
    RadixTree tree(2, RadixOrder::LruStrict);
    put(tree, run(0, 8), 0);
    put(tree, {50, 51}, 10);
    const RadixMatch seen = tree.peek("", joined({run(0, 4), {70, 71}}));
    CHECK(tree.state().clock == 2);
    CHECK(keys(tree) == std::vector<Tokens>{run(0, 8), {50, 51}});
    CHECK(view_of(tree, seen.node).tokens == run(0, 8));  // it goes on behind the tokens
    CHECK(view_of(tree, seen.node).hits == 0);

    const RadixMatch found = tree.match("", joined({run(0, 4), {70, 71}}));
    CHECK(found.n_tokens == seen.n_tokens);
    CHECK(found.blocks == seen.blocks);
    CHECK(found.blocks == blocks({0, 1}));
    CHECK(tree.state().clock == 3);
    CHECK(view_of(tree, found.node).tokens == run(0, 4));
}

// 0..5 comes in at time 1; its first two tokens are matched at time 2, all of it at time 3, and at
// time 4 a sequence with the same first four comes in.
TEST_CASE("only what was matched counts as used", "[radix]") {
    RadixTree tree(2, RadixOrder::LruStrict);
    put(tree, run(0, 6), 0, 5);
    tree.match("", run(0, 2));
    tree.match("", run(0, 6));
    put(tree, joined({run(0, 4), {80, 81}}), 10, 7);

    struct Row {
        Tokens tokens;
        std::uint64_t first, created, last_access, hits;
        std::int32_t priority;
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rows;
    for (const RadixNodeView& n : tree.nodes())
        if (n.parent)
            rows.push_back({n.tokens, n.first, n.created, n.last_access, n.hits, n.priority});
    CHECK(rows == std::vector<Row>{{{0, 1}, 0, 1, 4, 2, 7},
                                   {{2, 3}, 2, 1, 4, 1, 7},
                                   {{4, 5}, 4, 1, 3, 1, 5},
                                   {{80, 81}, 4, 4, 4, 0, 7}});
}

TEST_CASE("a lower priority does not take back a higher one", "[radix]") {
    RadixTree tree(1, RadixOrder::Priority);
    put(tree, {1, 2}, 0, 9);
    put(tree, {1, 2}, 10, -3);
    put(tree, {5}, 20, 8);
    CHECK(tree.evict(1) == blocks({20}));
    CHECK(view_of(tree, tree.peek("", Tokens{1, 2}).node).priority == 9);
}

TEST_CASE("the drawing order is a function of the contents", "[radix]") {
    const std::vector<Tokens> sequences{{5, 6, 7}, {1, 2}, {5, 6, 1}, {1, 9, 9}, {0}, {5}};
    RadixTree forwards(1, RadixOrder::LruStrict), backwards(1, RadixOrder::LruStrict);
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        put(forwards, sequences[i], static_cast<std::uint32_t>(10 * i));
        put(backwards, sequences[sequences.size() - 1 - i], static_cast<std::uint32_t>(10 * i));
    }
    CHECK(keys(forwards) == std::vector<Tokens>{{0}, {1}, {2}, {9, 9}, {5}, {6}, {1}, {7}});
    CHECK(keys(backwards) == keys(forwards));
}

TEST_CASE("a long key can be cut a thousand times", "[radix]") {
    RadixTree tree(3, RadixOrder::LruStrict);
    put(tree, run(0, 3'000), 0);
    const RadixNodeId last = tree.peek("", run(0, 3'000)).node;
    for (std::uint32_t n = 1; n <= 1'000; ++n) {
        const Tokens tokens = run(0, 3 * n);
        const RadixMatch found = tree.match("", tokens);
        CHECK(found.n_tokens == tokens.size());
        CHECK(found.blocks == blocks_from(0, n));
    }
    CHECK(tree.check().empty());
    CHECK(tree.nodes().size() == 1'001);
    CHECK(view_of(tree, last).tokens == run(2'997, 3));
    CHECK(view_of(tree, last).blocks == blocks({999}));

    tree.lock(last);
    CHECK(tree.protected_tokens() == 3'000);
    tree.unlock(last);
    Blocks backwards = blocks_from(0, 1'000);
    std::reverse(backwards.begin(), backwards.end());
    CHECK(tree.evict(kAll) == backwards);
}

// The hash folds 64 bits onto one token at a time: two first tokens whose hashes share their upper
// half collide for a suitable second token.
TEST_CASE("blocks with the same hash are told apart by their tokens", "[radix][I18]") {
    RadixTree tree(2, RadixOrder::LruStrict);
    const auto hash = [&](const Tokens& tokens) {
        return tree.state().child_hash(RadixState::root(), "", tokens);
    };
    std::vector<std::pair<std::uint64_t, std::uint32_t>> first;
    const Random random(1, 0);
    for (std::uint32_t i = 0; i < 400'000; ++i) {
        const std::uint32_t token = random.bits(i);
        first.emplace_back(hash({token}), token);
    }
    std::sort(first.begin(), first.end());
    const auto same =
        std::adjacent_find(first.begin(), first.end(), [](const auto& a, const auto& b) {
            return a.first >> 32 == b.first >> 32 && a.second != b.second;
        });
    REQUIRE(same != first.end());
    const Tokens a{same->second, 0};
    const Tokens b{(same + 1)->second, static_cast<std::uint32_t>(same->first ^ (same + 1)->first)};
    REQUIRE(hash(a) == hash(b));

    put(tree, a, 0);
    CHECK(tree.match("", b).n_tokens == 0);
    CHECK(put(tree, b, 1) == 0);
    CHECK(tree.match("", a).blocks == blocks({0}));
    CHECK(tree.match("", b).blocks == blocks({1}));
    CHECK(tree.evict(2) == blocks({0}));
    CHECK(tree.match("", b).blocks == blocks({1}));
    CHECK(tree.check().empty());
}

// As if the hashes of another salt and of another parent had met that of the key.
TEST_CASE("a child is told from others by its salt and its parent", "[radix][I18]") {
    RadixTree tree(1, RadixOrder::LruStrict);
    put(tree, {9}, 0, 0, "s");
    const RadixNodeId other = tree.insert("", Tokens{5}, blocks({1}), 0).node;
    RadixState state = tree.state();
    const RadixNodeId nine = *state.child(RadixState::root(), "s", Tokens{9});
    state.children.emplace(state.child_hash(RadixState::root(), "t", Tokens{9}), nine);
    state.children.emplace(state.child_hash(other, "s", Tokens{9}), nine);
    CHECK_FALSE(state.child(RadixState::root(), "t", Tokens{9}));
    CHECK_FALSE(state.child(other, "s", Tokens{9}));
    CHECK(state.child(RadixState::root(), "s", Tokens{9}) == nine);
}

TEST_CASE("a copy of a tree goes its own way", "[radix]") {
    RadixTree tree(1, RadixOrder::LruStrict);
    put(tree, {1, 2, 3}, 0);
    RadixTree branch = tree;
    put(branch, {1, 5}, 10);
    CHECK(tree.evict(kAll).size() == 3);
    CHECK(keys(branch) == std::vector<Tokens>{{1}, {2, 3}, {5}});
    CHECK(branch.check().empty());
}

TEST_CASE("a million blocks are matched, locked and evicted", "[radix]") {
    constexpr std::uint32_t kEach = 1'000;
    constexpr std::uint64_t kDocuments = 1'000;
    RadixTree tree(1, RadixOrder::LruStrict);
    Tokens tokens = run(0, kEach + 1);
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
        tokens[1] = 10'000 + d;  // one shared token, then 1,000 of its own, the first of them new
        tree.insert("", tokens, blocks_from(d * (kEach + 1), kEach + 1), 0);
    }
    CHECK(tree.total_tokens() == 1 + kDocuments * kEach);
    const RadixMatch last = tree.match("", tokens);
    CHECK(last.n_tokens == kEach + 1);
    tree.lock(last.node);
    CHECK(tree.check().empty());
    CHECK(tree.evict(kAll).size() == (kDocuments - 1) * kEach);
    CHECK(tree.total_tokens() == kEach + 1);
    CHECK(tree.check().empty());
}

// Nodes: 1 holds [3 4] behind 3, which holds [1 2]; 2 holds [9] under the salt "s".
TEST_CASE("check names the rule that is broken", "[radix][I17][I19]") {
    RadixTree tree(1, RadixOrder::LruStrict);
    tree.insert("", Tokens{1, 2, 3, 4}, blocks({1, 2, 3, 4}), 0);
    tree.insert("s", Tokens{9}, blocks({9}), 0);
    const RadixNodeId upper = tree.match("", Tokens{1, 2}).node;
    tree.lock(RadixNodeId(1));
    REQUIRE(upper == RadixNodeId(3));
    REQUIRE(tree.check().empty());

    const auto broken = [&](const std::function<void(RadixState&)>& damage) {
        RadixState state = tree.state();
        damage(state);
        return broken_rules(state);
    };
    const auto node = [](RadixState& s, std::uint32_t id) -> RadixNode& { return *s.nodes[id]; };
    const auto key = [](const Tokens& tokens) {
        return FrontCut<std::uint32_t>(std::span<const std::uint32_t>(tokens));
    };
    const auto value = [](const Blocks& ids) {
        return FrontCut<BlockId>(std::span<const BlockId>(ids));
    };

    CHECK(mentions(broken([&](RadixState& s) { node(s, 3).lock_count = 0; }),
                   "I19: node 1 has lock 1, its parent node 3 only 0"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 0).lock_count = 0; }), "root has lock 0"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 0).tokens = key({1}); }), "I17: the root"));
    CHECK(mentions(broken([&](RadixState& s) { s.nodes[0].reset(); }), "root is missing"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 1).blocks = value(blocks({3})); }),
                   "I17: node 1 has 2 tokens and 1 blocks of 1"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 2).tokens = key({}); }), "an empty key"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 2).parent.reset(); }), "no parent"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 2).parent = RadixNodeId(7); }),
                   "I17: node 2 has no parent in the tree"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 3).n_children = 2; }),
                   "I17: node 3 counts 2 children, but 1 name it"));
    CHECK(mentions(broken([&](RadixState& s) {
                       node(s, 3).parent = RadixNodeId(1);
                       node(s, 1).n_children = 1;
                       node(s, 0).n_children = 1;
                   }),
                   "I17: of 4 nodes the root reaches 2"));
    CHECK(mentions(broken([&](RadixState& s) {
                       node(s, 2).tokens = key({1});
                       node(s, 2).salt.clear();
                   }),
                   "siblings with the same first block"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 1).salt = "s"; }), "no child of the root"));
    CHECK(mentions(broken([&](RadixState& s) {
                       node(s, 1).tokens = key({7, 4});
                   }),
                   "I17: the index does not find node 1"));
    CHECK(mentions(broken([&](RadixState& s) { s.children.clear(); }), "index holds 0"));
    CHECK(mentions(broken([&](RadixState& s) { s.children.begin()->second = RadixNodeId(8); }),
                   "nodes that are not in the tree"));
    CHECK(
        mentions(broken([&](RadixState& s) { s.line.clear(); }), "I19: the unlocked leaf node 2"));
    CHECK(mentions(broken([&](RadixState& s) { s.line.insert(s.place_in_line(RadixNodeId(1))); }),
                   "I19: 2 stand in line"));
    CHECK(mentions(broken([&](RadixState& s) { ++s.evictable_tokens; }),
                   "I19: 2 evictable and 4 protected"));
    CHECK(mentions(broken([&](RadixState& s) { --s.protected_tokens; }),
                   "I19: 1 evictable and 3 protected"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 2).blocks = value(blocks({3})); }),
                   "I19: block 3 stands in the tree twice"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 1).hits = 2; }), "more used"));
    CHECK(mentions(broken([&](RadixState& s) { node(s, 1).priority = 1; }), "higher priority"));
    CHECK(
        mentions(broken([&](RadixState& s) { s.unused.push_back(RadixNodeId(2)); }), "unused ids"));
}
