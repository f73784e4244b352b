// Tokens of live requests that are given up: dead slots, blocks that go back, survivors that move.
// Every operation ends with an audit of books, trace and bytes.
#include <catch2/catch_test_macros.hpp>

#include "core/base/random.hpp"
#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::uint32_t kHole = 999;

Ids entries_of(const Cache& cache, SeqId id, std::uint32_t lane = 0) {
    Ids ids;
    for (const auto& block : cache.table(id, LaneId(lane)))
        ids.push_back(block ? block->value : kHole);
    return ids;
}

Ids up_to(std::uint32_t from, std::uint32_t end) {
    Ids all;
    for (; from < end; ++from) all.push_back(from);
    return all;
}

CacheSpec of_lanes(std::uint32_t n_blocks, std::uint32_t block_size, std::uint32_t n_lanes) {
    CacheSpec spec = pool_of(n_blocks, block_size);
    spec.n_lanes = n_lanes;
    spec.publish_upto = 0;
    return spec;
}

const LaneView& lane(const Books& books, std::size_t i = 0) {
    return books.trace().end().lanes[i];
}

}  // namespace

// Two KV heads, blocks of 4, 16 tokens; one head keeps the first block's tokens, the other the
// last's.
TEST_CASE("one table gives back 2 of 4 blocks, a table for each head 6 of 8", "[drop][eviction]") {
    Books shared(of_lanes(4, 4, 1));
    const SeqId a = shared.open(prompt(16, 0, 0));
    REQUIRE(shared.run(a));
    shared.drop(a, up_to(4, 12));  // what neither head keeps
    CHECK(entries_of(shared.cache(), a) == Ids{0, kHole, kHole, 3});
    CHECK(lane(shared).used == 2);

    Books narrow(of_lanes(4, 4, 2));
    const SeqId b = narrow.open(prompt(16, 0, 0));
    REQUIRE(narrow.run(b));
    CHECK(lane(narrow, 0).used + lane(narrow, 1).used == 8);
    narrow.drop(b, up_to(4, 16), LaneId(0));
    narrow.drop(b, up_to(0, 12), LaneId(1));
    CHECK(entries_of(narrow.cache(), b, 0) == Ids{0, kHole, kHole, kHole});
    CHECK(entries_of(narrow.cache(), b, 1) == Ids{kHole, kHole, kHole, 3});
    CHECK(lane(narrow, 0).used + lane(narrow, 1).used == 2);
    CHECK(narrow.trace().end().counters.tokens_dropped == 24);
}

TEST_CASE("a dead slot is a hole until its block is empty", "[drop][eviction]") {
    Books books(of_lanes(6, 4, 1));
    const SeqId a = books.open(prompt(10, 0, 0));
    REQUIRE(books.run(a));
    books.drop(a, {1, 4, 5, 6});
    CHECK(lane(books).used == 3);
    CHECK(lane(books).live == 6);
    CHECK(lane(books).dead == 4);
    CHECK(books.cache().dead_slots(a, LaneId(0)) == 4);
    books.drop(a, {7});
    CHECK(entries_of(books.cache(), a) == Ids{0, kHole, 2});
    CHECK(lane(books).live == 5);
    CHECK(lane(books).dead == 1);
    // The last block stays although all its written slots are dead: the next token goes there.
    books.drop(a, {8, 9});
    CHECK(entries_of(books.cache(), a) == Ids{0, kHole, 2});
    REQUIRE(books.say(a, 90));
    CHECK(entries_of(books.cache(), a) == Ids{0, kHole, 2});
    CHECK(books.cache().slots(a).kept(11) == Ids{0, 2, 3, 10});
    books.close(a);
    CHECK(lane(books).used == 0);
    CHECK(lane(books).live == 0);
    CHECK(lane(books).dead == 0);
    CHECK(free_of(books.cache()) == Ids{3, 4, 5, 1, 2, 0});
}

// A block that left the window comes back to the same request, and goes back once at the end.
TEST_CASE("a block that was given up and taken again is freed once", "[drop][eviction]") {
    Books books(of_lanes(3, 2, 1));
    const SeqId a = books.open(prompt(4, 0, 0));
    REQUIRE(books.run(a));
    for (std::uint32_t t = 4; t < 20; ++t) {
        if (t % 2 == 0) books.drop(a, {t - 4, t - 3});
        REQUIRE(books.say(a, t));
        CHECK(lane(books).used == 2);
    }
    CHECK(entries_of(books.cache(), a).size() == 10);
    books.close(a);
    CHECK(free_of(books.cache()).size() == 3);
}

TEST_CASE("survivors move together into new blocks, bit for bit", "[drop][eviction]") {
    Books books(of_lanes(7, 4, 1));
    const SeqId a = books.open(prompt(14, 0, 0));
    REQUIRE(books.run(a));
    books.drop(a, {0, 1, 2, 5, 8, 9, 10, 11, 13});
    CHECK(entries_of(books.cache(), a) == Ids{0, 1, kHole, 3});
    REQUIRE(books.compact(a));
    CHECK(entries_of(books.cache(), a) == Ids{4, 5});
    CHECK(books.cache().slots(a).kept(14) == Ids{3, 4, 6, 7, 12});
    CHECK(free_of(books.cache()) == Ids{6, 2, 3, 1, 0});
    CHECK(filled_of(books.cache()) == Ids{0, 0, 0, 0, 4, 1, 0});
    CHECK(books.trace().end().counters.slots_copied == 5);
    for (std::uint32_t t = 14; t < 18; ++t) REQUIRE(books.say(a, t));
    CHECK(entries_of(books.cache(), a) == Ids{4, 5, 6});
    CHECK(books.cache().slots(a).slot_of(17) == 8);
    books.drop(a, {4, 14, 17});
    REQUIRE(books.compact(a));
    CHECK(books.cache().slots(a).kept(18) == Ids{3, 6, 7, 12, 15, 16});
    books.close(a);
    CHECK(free_of(books.cache()).size() == 7);
}

TEST_CASE("without free blocks survivors stay where they are", "[drop][eviction]") {
    Books books(of_lanes(3, 4, 1));
    const SeqId a = books.open(prompt(12, 0, 0));
    REQUIRE(books.run(a));
    books.drop(a, {0, 4, 8});
    CHECK(!books.compact(a));
    CHECK(entries_of(books.cache(), a) == Ids{0, 1, 2});
}

TEST_CASE("a drop inside a shared block touches the request's own table alone",
          "[drop][eviction]") {
    Books books(pool_of(6, 4));
    const SeqId a = books.open(prompt(8, 1, 0)), b = books.open(prompt(8, 1, 1));
    REQUIRE((books.run(a) && books.run(b)));
    REQUIRE(refs_of(books.cache()) == Ids{2, 2, 1, 1, 0, 0});
    books.drop(a, {0, 1, 5});
    CHECK(lane(books).dead == 0);  // b has them still
    books.drop(b, {1});
    CHECK(lane(books).dead == 1);
    books.drop(a, {2, 3});
    CHECK(entries_of(books.cache(), a) == Ids{kHole, 1, 2});
    CHECK(refs_of(books.cache()) == Ids{1, 2, 1, 1, 0, 0});
    CHECK(lane(books).dead == 1);
    books.close(b);
    CHECK(lane(books).dead == 1);  // of block 1, which a has alone: token 5
    CHECK(findable_of(books.cache()) == Ids{0, 1});
    // Who comes later finds the block whole.
    const SeqId c = books.open(prompt(8, 1, 2));
    REQUIRE(books.run(c));
    CHECK(books.cache().table(c)[0] == BlockId(0));
    CHECK(lane(books).dead == 0);
}

TEST_CASE("what was dropped is published no more and not swapped out", "[drop][eviction]") {
    Books books(pool_of(8, 4));
    const SeqId a = books.open(prompt(8, 1, 0));
    REQUIRE(books.run(a));
    CHECK(books.cache().has_plain_table(a));
    books.drop(a, {2});
    CHECK(!books.cache().has_plain_table(a));
    for (std::uint32_t t = 9; t < 17; ++t) REQUIRE(books.say(a, t));
    CHECK(findable_of(books.cache()) == Ids{0, 1});
    books.let_go(a);
    CHECK(books.cache().has_plain_table(a));
    CHECK(books.cache().times_let_go(a) == 1);
    REQUIRE(books.run(a));
    CHECK(books.cache().slots(a).is_plain());
}

TEST_CASE("blocks behind a hidden token are not published", "[drop][eviction]") {
    CacheSpec spec = pool_of(8, 4);
    spec.publish_upto = 10;
    Books books(spec);
    const SeqId a = books.open(prompt(16, 1, 0));
    REQUIRE(books.run(a));
    CHECK(findable_of(books.cache()) == Ids{0, 1});
}

TEST_CASE("I20: a hole that has a living token, and a block that has none", "[check][I20]") {
    Books books(of_lanes(6, 4, 1), false);
    const SeqId a = books.open(prompt(12, 0, 0));
    REQUIRE(books.run(a));
    books.drop(a, {4, 5, 6, 7});
    Tamper tamper(books.cache());
    const auto says = [&](int invariant) {
        for (const Violation& v : books.cache().check())
            if (v.invariant == invariant) return true;
        return false;
    };
    CHECK(!says(20));
    SECTION("a living token") {
        tamper.slots(a) = {};
        CHECK(says(20));
    }
    SECTION("no living token") {
        for (std::uint32_t slot = 0; slot < 4; ++slot) tamper.slots(a).drop(slot);
        CHECK(says(20));
    }
}

// Any tokens at any time, in any lane, with and without moving, beside a request that shares.
TEST_CASE("random drops and moves keep books, trace and bytes in step", "[drop][eviction]") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Random random(seed, 3);
        std::uint64_t n = 0;
        const auto below = [&](std::uint32_t bound) { return random.below(n++, bound); };
        CAPTURE(seed);
        const std::uint32_t lanes = 1 + below(3), size = 1 + below(5);
        Books books(of_lanes(60 / size + 4, size, lanes));
        std::vector<std::vector<bool>> kept(lanes);
        const SeqId a = books.open(prompt(1 + below(12), 0, 0));
        REQUIRE(books.run(a));
        for (int step = 0; step < 40; ++step) {
            const std::uint32_t stored = books.cache().stored(a);
            const LaneId lane(below(lanes));
            kept[lane.index()].resize(stored, true);
            Ids out;
            for (std::uint32_t t = 0; t + 1 < stored; ++t)
                if (kept[lane.index()][t] && below(4) == 0) out.push_back(t);
            for (const std::uint32_t t : out) kept[lane.index()][t] = false;
            books.drop(a, out, lane);
            if (below(3) == 0) books.compact(a, lane);
            Ids expected;
            for (std::uint32_t t = 0; t < stored; ++t)
                if (kept[lane.index()][t]) expected.push_back(t);
            REQUIRE(books.cache().slots(a, lane).kept(stored) == expected);
            if (!books.say(a, below(90))) break;
        }
        books.close(a);
        CHECK(free_of(books.cache()).size() == books.cache().spec().n_blocks);
    }
}
