// The index finds blocks by what they hold, and its answers do not depend on its hash.
#include "core/cache/prefix/index.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

using namespace kv;
using Ids = std::vector<std::uint32_t>;

namespace {

std::uint64_t all_alike(std::uint64_t, std::span<const std::uint32_t>) {
    return 42;
}
std::uint64_t nearly_alike(std::uint64_t parent, std::span<const std::uint32_t> tokens) {
    return (parent + tokens[0]) % 3;
}
// A wrong one: what stands before does not count.
std::uint64_t without_parent(std::uint64_t, std::span<const std::uint32_t> tokens) {
    return tokens[0];
}

}  // namespace

TEST_CASE("a content is a block's tokens and all before them, whatever the hash says",
          "[prefix][collision]") {
    const PrefixHash hash = GENERATE(&chain_hash, &all_alike, &nearly_alike, &without_parent);
    PrefixIndex index(2, 8, "model", hash);
    const PrefixId root = index.root(""), salted = index.root("s");
    CHECK(root != salted);
    CHECK(index.root("") == root);
    const Ids ab{1, 2}, ac{1, 3}, cd{3, 4};
    const PrefixId n_ab = index.find_or_add(root, ab);
    index.add_copy(n_ab, BlockId(0));
    const PrefixId n_ac = index.find_or_add(root, ac);
    index.add_copy(n_ac, BlockId(1));
    const PrefixId after_ab = index.find_or_add(n_ab, cd);
    index.add_copy(after_ab, BlockId(2));
    CHECK(index.n_nodes() == 3);
    CHECK(index.find_or_add(root, ab) == n_ab);
    CHECK(index.find(root, ab) == n_ab);
    CHECK(index.find(root, ac) == n_ac);
    // An equal block after another beginning is another content.
    CHECK(index.find(n_ab, cd) == after_ab);
    CHECK(!index.find(n_ac, cd));
    CHECK(!index.find(root, cd));
    CHECK(!index.find(salted, ab));
    CHECK(index.parent(after_ab) == n_ab);
    CHECK(index.parent(n_ab) == root);
    CHECK(!index.parent(root));
    CHECK(index.check().empty());

    // Kept for the sake of what follows it, then forgotten with it.
    index.drop_copy(BlockId(0));
    CHECK(index.find(root, ab) == n_ab);
    CHECK(!index.copy(n_ab));
    CHECK(index.find(n_ab, cd) == after_ab);
    index.drop_copy(BlockId(2));
    CHECK(!index.find(root, ab));
    CHECK(index.n_nodes() == 1);
    CHECK(index.find(root, ac) == n_ac);
    CHECK(index.check().empty());
    CHECK_THROWS_AS(index.find(root, Ids{1}), BrokenAssert);
}

TEST_CASE("the oldest copy is the one that is found", "[prefix]") {
    PrefixIndex index(1, 5, "");
    const Ids a{7};
    const PrefixId node = index.find_or_add(index.root(""), a);
    for (const std::uint32_t b : {3u, 1u, 4u}) index.add_copy(node, BlockId(b));
    CHECK(index.copy(node) == BlockId(3));
    CHECK(!index.is_only_copy(BlockId(3)));
    CHECK_THROWS_AS(index.add_copy(node, BlockId(1)), BrokenAssert);
    CHECK_THROWS_AS(index.drop_copy(BlockId(0)), BrokenAssert);
    index.drop_copy(BlockId(1));
    CHECK(index.check().empty());
    CHECK(index.copy(node) == BlockId(3));
    index.drop_copy(BlockId(3));
    CHECK(index.copy(node) == BlockId(4));
    CHECK(index.is_only_copy(BlockId(4)));
    index.add_copy(node, BlockId(0));
    CHECK(index.copy(node) == BlockId(4));
    index.drop_copy(BlockId(0));
    index.drop_copy(BlockId(4));
    CHECK(index.n_nodes() == 0);
    CHECK(index.check().empty());
}

TEST_CASE("a place below keeps a content known without a copy", "[prefix]") {
    PrefixIndex index(1, 2, "");
    const Ids a{7}, b{8};
    const PrefixId root = index.root(""), first = index.find_or_add(root, a);
    index.add_copy(first, BlockId(0));
    const PrefixId second = index.find_or_add(first, b);
    index.set_place(second, 5);
    index.drop_copy(BlockId(0));
    CHECK(index.find(first, b) == second);
    CHECK(index.place(second) == 5u);
    CHECK(index.n_places() == 1);
    CHECK(index.n_nodes() == 2);
    index.drop_place(second);
    CHECK(index.n_nodes() == 0);
    CHECK(index.n_places() == 0);
    CHECK(index.root("") == root);
}

TEST_CASE("clearing leaves nothing but the namespaces", "[prefix]") {
    PrefixIndex index(1, 4, "");
    PrefixId node = index.root("x");
    for (std::uint32_t b = 0; b < 4; ++b) {
        const Ids token{b};
        node = index.find_or_add(node, token);
        if (b % 2 == 0)
            index.add_copy(node, BlockId(b));
        else
            index.set_place(node, b);
    }
    index.clear();
    CHECK(index.n_nodes() == 0);
    for (std::uint32_t b = 0; b < 4; ++b) CHECK(!index.node_of(BlockId(b)));
    CHECK(index.check().empty());
}

TEST_CASE("salt and space are part of the hash, so that hashes can be compared between servers",
          "[prefix]") {
    const Ids a{7};
    const auto hash = [&](const char* space, const char* salt) {
        PrefixIndex index(1, 1, space);
        return index.hash(index.find_or_add(index.root(salt), a));
    };
    CHECK(hash("m", "s") == hash("m", "s"));
    CHECK(hash("m", "s") != hash("m", "t"));
    CHECK(hash("m", "s") != hash("n", "s"));
    CHECK(hash("m", "") != hash("", "m"));
    CHECK(chain_hash(1, a) != chain_hash(2, a));
    CHECK(chain_hash(1, Ids{1, 2}) != chain_hash(1, Ids{2, 1}));
    CHECK(chain_hash(1, Ids{0}) != chain_hash(1, Ids{0, 0}));
}

TEST_CASE("random contents are found as a plain map finds them, with any hash",
          "[prefix][random]") {
    const PrefixHash hash = GENERATE(&chain_hash, &all_alike, &nearly_alike, &without_parent);
    constexpr std::uint32_t kBlocks = 150;
    const Random random(11, 1);
    PrefixIndex index(2, kBlocks, "", hash);
    std::map<Ids, std::vector<std::uint32_t>> copies;  // by whole beginning, oldest first
    std::map<std::uint32_t, Ids> content_of;
    std::uint64_t draw = 0;
    for (int step = 0; step < 4'000; ++step) {
        const std::uint32_t b = random.below(draw++, kBlocks);
        if (const auto known = content_of.find(b); known != content_of.end()) {
            auto& list = copies[known->second];
            list.erase(std::find(list.begin(), list.end(), b));
            content_of.erase(known);
            index.drop_copy(BlockId(b));
            continue;
        }
        Ids beginning;
        PrefixId node = index.root("");
        for (std::uint32_t depth = 1 + random.below(draw++, 4); depth > 0; --depth) {
            const Ids two{random.below(draw++, 3), random.below(draw++, 3)};
            beginning.insert(beginning.end(), two.begin(), two.end());
            node = index.find_or_add(node, two);
        }
        index.add_copy(node, BlockId(b));
        copies[beginning].push_back(b);
        content_of[b] = beginning;
        if (step % 100 != 0) continue;
        REQUIRE(index.check().empty());
        for (const auto& [tokens, blocks] : copies) {
            std::optional<PrefixId> at = index.root("");
            for (std::size_t i = 0; at && i < tokens.size(); i += 2)
                at = index.find(*at, std::span(tokens).subspan(i, 2));
            const auto found = at ? index.copy(*at) : std::nullopt;
            REQUIRE(found.has_value() == !blocks.empty());
            if (found) REQUIRE(found->value == blocks.front());
        }
    }
}
