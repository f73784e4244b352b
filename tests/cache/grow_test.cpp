// Room for tokens: all or nothing, what is published when, and what must never be found.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;
using Lines = std::vector<std::string>;

TEST_CASE("a request that does not fit changes nothing at all", "[cache]") {
    Books books(pool_of(5, 4));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(8, 1, 0));
    REQUIRE(books.run(a));
    const SeqId b = books.open(prompt(8, 5, 1));  // two hits and two new ones; two are free
    CHECK(cache.missing(b, 13, cache.find_prefix(b)) == 2);
    REQUIRE(books.run(b));
    const SeqId c = books.open(prompt(8, 1, 2));
    const std::uint64_t before = books.trace().size();
    CHECK(!books.run(c));  // audits that nothing was told and that the state is what it was
    CHECK(books.trace().size() == before);
    CHECK(table_of(cache, c).empty());
    CHECK(refs_of(cache) == Ids{2, 2, 1, 1, 1});
    // Hits that wait in the free list are not counted twice: all five are free now, two of them
    // hits.
    books.close(b);
    books.close(a);
    CHECK(cache.n_free() == 5);
    const Prefix prefix = cache.find_prefix(c);
    CHECK(prefix.tokens == 8);
    CHECK(cache.free_beside(prefix) == 3);
    books.append(c, 1);
    books.append(c, 2);
    books.append(c, 3);
    for (std::uint32_t t = 0; t < 9; ++t) books.append(c, 50 + t);  // 21 tokens: 6 blocks of 5
    CHECK(cache.missing(c, 21, prefix) == 4);
    CHECK(!books.admit(c, 21));
    CHECK(books.admit(c, 20));
    CHECK(free_of(cache).empty());
}

TEST_CASE("a copy that finds no block leaves the shared one as it was", "[cache]") {
    Books books(pool_of(2, 4, Sharing::CopyOnWrite));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    const SeqId b = books.fork(a, {1});
    CHECK(cache.missing(b, 7) == 1);
    CHECK(!books.run(b));
    CHECK(refs_of(cache) == Ids{2, 2});
    CHECK(books.mover().n_copies() == 0);
    books.close(a);
    CHECK(cache.missing(b, 7) == 0);
    REQUIRE(books.run(b));
    CHECK(refs_of(cache) == Ids{1, 1});
    CHECK(books.mover().n_copies() == 0);
}

TEST_CASE("a block is taken for the token after a full one, not for the one that fills it",
          "[cache]") {
    const std::uint32_t size = GENERATE(1u, 2u, 3u, 16u);
    Books books(pool_of(6, size));
    const Cache& cache = books.cache();
    const SeqId a = books.open({5});
    REQUIRE(books.run(a));
    for (std::uint32_t n = 2; n <= 4 * size; ++n) {
        REQUIRE(books.say(a, n));
        CHECK(cache.table(a).size() == (n - 1) / size + 1);
        CHECK(cache.n_free() == 6 - ((n - 1) / size + 1));
        CHECK(findable_of(cache).size() == n / size);
    }
}

TEST_CASE("requests of one batch find each other's blocks before they are computed", "[cache]") {
    Books books(pool_of(8, 4));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(8, 1, 0)), b = books.open(prompt(8, 1, 1));
    REQUIRE((books.admit(a, 9) && books.admit(b, 9)));
    CHECK(table_of(cache, b) == Ids{0, 1, 3});
    CHECK(cache.stored(b) == 8);
    CHECK(cache.stored(a) == 0);
    books.store(b, 9);
    books.store(a, 9);
    CHECK(filled_of(cache) == Ids{4, 4, 1, 1, 0, 0, 0, 0});
}

TEST_CASE("what was published and never computed is withdrawn", "[cache]") {
    const bool swapped = GENERATE(false, true);
    CacheSpec spec = pool_of(8, 4);
    spec.n_host = 4;
    Books books(spec);
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(12, 1, 0));
    REQUIRE(books.admit(a, 4));
    books.store(a, 4);
    REQUIRE(books.grow(a, 12));
    CHECK(findable_of(cache) == Ids{0, 1, 2});
    const std::uint64_t before = books.trace().size();
    if (swapped)
        books.swap_out(a);
    else
        books.let_go(a);
    CHECK(findable_of(cache) == Ids{0});
    Lines told = told_since(books, before);
    told.resize(2);
    CHECK(told ==
          Lines{"BlockRemoved 2 (never_computed r0)", "BlockRemoved 1 (never_computed r0)"});
    CHECK(cache.find_prefix(books.open(prompt(12, 1, 0))).tokens == 4);
}

TEST_CASE("who published a block that another request counts on may not leave first", "[cache]") {
    Cache cache(pool_of(8, 4));
    const Ids tokens = prompt(5, 0, 0);
    cache.open(SeqId(0), tokens);
    cache.open(SeqId(1), tokens);
    REQUIRE(cache.grow(SeqId(0), 5, cache.find_prefix(SeqId(0))));
    REQUIRE(cache.grow(SeqId(1), 5, cache.find_prefix(SeqId(1))));
    CHECK_THROWS_AS(cache.let_go(SeqId(0), {Why::RoomFor}), BrokenAssert);
    cache.let_go(SeqId(1), {Why::RoomFor});
    cache.let_go(SeqId(0), {Why::RoomFor});
    CHECK(cache.n_free() == 8);
    CHECK(cache.check().empty());
}

TEST_CASE("room is asked for twice before anything is computed: others still find the first block",
          "[cache][regression]") {
    Books books(pool_of(8, 4, Sharing::CopyOnWrite));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(12, 1, 0)), b = books.open(prompt(8, 1, 1));
    REQUIRE(books.admit(a, 6));
    books.store(a, 6);
    REQUIRE(books.grow(a, 8));   // publishes the second block
    REQUIRE(books.admit(b, 9));  // finds it
    REQUIRE(books.grow(a, 13));  // its own block: to be filled there, not in a copy
    CHECK(table_of(cache, a) == Ids{0, 1, 3, 4});
    CHECK(books.mover().n_copies() == 0);
    books.store(a, 13);
    books.store(b, 9);
}

TEST_CASE("clearing forgets what can be found; who runs keeps its blocks", "[cache]") {
    Books books(pool_of(8, 4));
    const Cache& cache = books.cache();
    const SeqId ended = books.open(prompt(0, 8, 5));
    REQUIRE(books.run(ended));
    books.close(ended);
    const SeqId a = books.open(prompt(8, 1, 0)), waits = books.open(prompt(8, 1, 1));
    REQUIRE(books.run(a));
    const std::uint64_t before = books.trace().size();
    books.clear();
    CHECK(told_since(books, before) == Lines{"AllBlocksCleared (by_command)"});
    CHECK(findable_of(cache).empty());
    CHECK(Tamper::index(cache).n_nodes() == 0);
    CHECK(filled_of(cache) == Ids{0, 0, 4, 4, 1, 0, 0, 0});
    CHECK(cache.find_prefix(waits).hits.empty());
    // It does not publish what nobody could reach; one that has not begun does.
    for (std::uint32_t token = 0; token < 4; ++token) REQUIRE(books.say(a, token));
    CHECK(findable_of(cache).empty());
    REQUIRE(books.run(waits));
    CHECK(findable_of(cache) == Ids{6, 7});
    // After it came back it publishes again.
    books.let_go(a);
    REQUIRE(books.run(a));
    CHECK(table_of(cache, a).size() == 4);
    CHECK(table_of(cache, a)[0] == 6);
}

TEST_CASE("another salt and another space never meet", "[cache]") {
    Books books(pool_of(8, 4));
    const Cache& cache = books.cache();
    REQUIRE(books.run(books.open(prompt(5, 0, 0))));
    CHECK(cache.find_prefix(books.open(prompt(5, 0, 0))).tokens == 4);
    const SeqId salted = books.open(prompt(5, 0, 0), "tenant");
    CHECK(cache.find_prefix(salted).tokens == 0);
    REQUIRE(books.run(salted));
    CHECK(cache.find_prefix(books.open(prompt(5, 0, 0), "tenant")).hits[0].block == BlockId(2));
    CHECK(cache.find_prefix(books.open(prompt(5, 0, 0))).hits[0].block == BlockId(0));
    const PrefixIndex& index = Tamper::index(cache);
    CHECK(index.hash(*index.node_of(BlockId(0))) != index.hash(*index.node_of(BlockId(2))));
}

TEST_CASE("with sharing off nothing is looked up and nothing published", "[cache]") {
    Books books(pool_of(8, 4, Sharing::Off));
    const Cache& cache = books.cache();
    REQUIRE(books.run(books.open(prompt(9, 0, 0))));
    CHECK(findable_of(cache).empty());
    const SeqId b = books.open(prompt(9, 0, 0));
    CHECK(cache.find_prefix(b).hits.empty());
    REQUIRE(books.run(b));
    CHECK(table_of(cache, b) == Ids{3, 4, 5});
    CHECK(told_since(books, 0).size() == 6);
}

TEST_CASE("a table per lane: the same ids everywhere, each lane with a pool of its own",
          "[cache]") {
    CacheSpec spec = pool_of(4, 4, Sharing::Off);
    spec.n_lanes = 3;
    Trace trace;
    Cache cache(spec, &trace);
    trace.append(
        {1, SeqId(0), {}, RequestArrived{.name = "a", .prompt = prompt(6, 0, 0), .max_new = 1}});
    trace.append({1, SeqId(0), {}, RequestAdmitted{0, 0}});
    cache.begin_iteration(1);
    cache.open(SeqId(0), prompt(6, 0, 0));
    REQUIRE(cache.grow(SeqId(0), 6));
    trace.append({1, SeqId(0), {}, TokensStored{0, 6}});
    cache.set_stored(SeqId(0), 6);
    const auto agree = [&] {
        CHECK(cache.check().empty());
        Snapshot seen = trace.end();
        cache.observe(seen);
        CHECK(differences(seen, trace.end()).empty());
    };
    agree();
    for (std::uint32_t lane = 0; lane < 3; ++lane) {
        CHECK(cache.table(SeqId(0), LaneId(lane)).size() == 2);
        CHECK(Tamper::pool(cache, lane).n_free() == 2);
        CHECK(Tamper::filled(cache, BlockId(1), lane) == 2);
    }
    trace.append({1, SeqId(0), {}, RequestFinished{Finish::Length}});
    cache.close(SeqId(0), {Why::RequestEnds});
    agree();
    for (std::uint32_t lane = 0; lane < 3; ++lane) CHECK(Tamper::pool(cache, lane).n_free() == 4);
}
