// Forks under both sharing rules, with the block ids of the figures of the PagedAttention paper
// (arXiv 2309.06180): copies are made when they must be, and only then.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/trace/event/event.hpp"
#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;
using Lines = std::vector<std::string>;

TEST_CASE(
    "40 tokens forked three ways with copies on write: five blocks, two copies, the last in "
    "place",
    "[cache][golden][C128]") {
    Books books(pool_of(8, 16, Sharing::CopyOnWrite));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(40, 0, 0));
    REQUIRE(books.run(a));
    const std::uint64_t at_fork = books.trace().size();
    const SeqId b = books.fork(a, {7}), c = books.fork(a, {8});
    CHECK(cache.stored(b) == 40);
    CHECK(refs_of(cache) == Ids{3, 3, 3, 0, 0, 0, 0, 0});
    CHECK(told_since(books, at_fork) ==
          Lines{"BlockShared 0 at 0 (fork r1)", "BlockShared 1 at 1 (fork r1)",
                "BlockShared 2 at 2 (fork r1)", "BlockShared 0 at 0 (fork r2)",
                "BlockShared 1 at 1 (fork r2)", "BlockShared 2 at 2 (fork r2)"});
    const std::uint64_t at_write = books.trace().size();
    REQUIRE(books.say(a, 6));
    CHECK(table_of(cache, a) == Ids{0, 1, 3});
    CHECK(refs_of(cache) == Ids{3, 3, 2, 1, 0, 0, 0, 0});
    REQUIRE(books.run(b));
    CHECK(table_of(cache, b) == Ids{0, 1, 4});
    REQUIRE(books.run(c));
    CHECK(table_of(cache, c) == Ids{0, 1, 2});
    CHECK(refs_of(cache) == Ids{3, 3, 1, 1, 1, 0, 0, 0});
    CHECK(filled_of(cache) == Ids{16, 16, 9, 9, 9, 0, 0, 0});
    CHECK(books.mover().n_copies() == 2);
    CHECK(told_since(books, at_write) == Lines{"BlockCopied 2 to 3, 8 slots (writes_shared r0)",
                                               "BlockCopied 2 to 4, 8 slots (writes_shared r1)"});
    // Eight slots of twelve bytes, twice.
    CHECK(books.trace().end().counters.bytes_copied == 2 * 8 * 12);
    CHECK(books.trace().end().counters.block_copies == 2);
}

TEST_CASE("the same fork with full blocks only: two are shared and eight tokens are computed again",
          "[cache][golden]") {
    Books books(pool_of(8, 16));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(40, 0, 0));
    REQUIRE(books.run(a));
    const SeqId b = books.fork(a, {7}), c = books.fork(a, {8});
    CHECK(cache.stored(b) == 32);
    CHECK(refs_of(cache) == Ids{3, 3, 1, 0, 0, 0, 0, 0});
    REQUIRE((books.say(a, 6) && books.run(b) && books.run(c)));
    CHECK(table_of(cache, a) == Ids{0, 1, 2});
    CHECK(table_of(cache, b) == Ids{0, 1, 3});
    CHECK(table_of(cache, c) == Ids{0, 1, 4});
    CHECK(refs_of(cache) == Ids{3, 3, 1, 1, 1, 0, 0, 0});
    CHECK(books.mover().n_copies() == 0);
}

TEST_CASE("shared blocks are freed when the last holder lets go, in either order",
          "[cache][C126][C127]") {
    CacheSpec spec = pool_of(16, 16);
    spec.free_list = {7, 8, 12, 15};
    const bool a_first = GENERATE(true, false);
    Books books(spec);
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(32, 16, 0)), b = books.open(prompt(32, 16, 1));
    REQUIRE((books.run(a) && books.run(b)));
    CHECK(table_of(cache, a) == Ids{7, 8, 12});
    CHECK(table_of(cache, b) == Ids{7, 8, 15});
    const SeqId first = a_first ? a : b, last = a_first ? b : a;
    books.close(first);
    CHECK(refs_of(cache)[7] == 1);
    CHECK(refs_of(cache)[8] == 1);
    CHECK(cache.n_free() == 13);
    books.close(last);
    CHECK(cache.n_free() == 16);
    const Ids free = free_of(cache);
    CHECK(Ids(free.end() - 4, free.end()) == (a_first ? Ids{12, 15, 8, 7} : Ids{15, 12, 8, 7}));
}

TEST_CASE("figures 6 and 7 of the paper: blocks 7, 1 and 3, and a second request at 5 and 2",
          "[cache][golden]") {
    CacheSpec spec = pool_of(9, 4, Sharing::CopyOnWrite);
    spec.free_list = {7, 1, 5, 2, 3};
    Books books(spec);
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(0, 7, 0)), b = books.open(prompt(0, 5, 1));
    REQUIRE((books.run(a) && books.run(b)));
    CHECK(table_of(cache, a) == Ids{7, 1});
    CHECK(table_of(cache, b) == Ids{5, 2});
    CHECK(filled_of(cache) == Ids{0, 3, 1, 0, 0, 4, 0, 4, 0});
    REQUIRE(books.say(a, 1));
    CHECK(table_of(cache, a) == Ids{7, 1});
    CHECK(filled_of(cache)[1] == 4);
    REQUIRE(books.say(a, 2));
    CHECK(table_of(cache, a) == Ids{7, 1, 3});
    CHECK(free_of(cache) == Ids{0, 4, 6, 8});
}

TEST_CASE("figure 8 of the paper: the first to write copies block 1 to 3, the second stays",
          "[cache][golden][C128]") {
    CacheSpec spec = pool_of(9, 4, Sharing::CopyOnWrite);
    spec.free_list = {7, 1, 3};
    Books books(spec);
    const Cache& cache = books.cache();
    const SeqId a1 = books.open(prompt(0, 7, 0));
    REQUIRE(books.run(a1));
    const SeqId a2 = books.fork(a1, {2});
    CHECK(refs_of(cache) == Ids{0, 2, 0, 0, 0, 0, 0, 2, 0});
    REQUIRE(books.say(a1, 1));
    CHECK(table_of(cache, a1) == Ids{7, 3});
    CHECK(refs_of(cache) == Ids{0, 1, 0, 1, 0, 0, 0, 2, 0});
    REQUIRE(books.run(a2));
    CHECK(table_of(cache, a2) == Ids{7, 1});
    CHECK(books.mover().n_copies() == 1);
}

TEST_CASE(
    "figure 9 of the paper: of four beams two are dropped, 2, 4, 5 and 8 are free, 9 to 12 new",
    "[cache][golden]") {
    Books books(pool_of(13, 4, Sharing::CopyOnWrite));
    const Cache& cache = books.cache();
    const auto four_more = [&](SeqId id, std::uint32_t token) {
        while (cache.tokens(id).size() % 4 != 0) books.append(id, token);
        REQUIRE(books.run(id));
    };
    const auto next_block = [&](SeqId id, std::uint32_t token) {
        books.append(id, token);
        four_more(id, token);
    };
    const SeqId c0 = books.open(prompt(4, 0, 0));
    REQUIRE(books.run(c0));
    const SeqId c3 = books.fork(c0, {33});
    next_block(c0, 1);
    four_more(c3, 3);
    next_block(c0, 1);
    next_block(c3, 3);
    const SeqId c1 = books.fork(c0, {11}), c2 = books.fork(c0, {22});
    next_block(c0, 1);
    four_more(c1, 1);
    four_more(c2, 2);
    next_block(c3, 3);
    CHECK(table_of(cache, c0) == Ids{0, 1, 3, 5});
    CHECK(table_of(cache, c1) == Ids{0, 1, 3, 6});
    CHECK(table_of(cache, c2) == Ids{0, 1, 3, 7});
    CHECK(table_of(cache, c3) == Ids{0, 2, 4, 8});
    CHECK(refs_of(cache) == Ids{4, 3, 1, 3, 1, 1, 1, 1, 1, 0, 0, 0, 0});
    books.close(c0);
    books.close(c3);
    CHECK(free_of(cache) == Ids{9, 10, 11, 12, 5, 8, 4, 2});
    const SeqId next1 = books.fork(c1, {12}), next3 = books.fork(c2, {23});
    next_block(c1, 1);
    four_more(next1, 1);
    next_block(c2, 2);
    four_more(next3, 2);
    CHECK(table_of(cache, c1) == Ids{0, 1, 3, 6, 9});
    CHECK(table_of(cache, next1) == Ids{0, 1, 3, 6, 10});
    CHECK(table_of(cache, c2) == Ids{0, 1, 3, 7, 11});
    CHECK(table_of(cache, next3) == Ids{0, 1, 3, 7, 12});
    CHECK(refs_of(cache) == Ids{4, 4, 0, 4, 0, 0, 2, 2, 0, 1, 1, 1, 1});
    CHECK(books.mover().n_copies() == 0);
}

TEST_CASE("a fork leaves at least one token to compute", "[cache]") {
    const Sharing sharing = GENERATE(Sharing::CopyOnWrite, Sharing::FullBlocksOnly, Sharing::Off);
    Books books(pool_of(8, 4, sharing));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(8, 0, 0));
    REQUIRE(books.run(a));
    const SeqId same = books.fork(a), more = books.fork(a, {1});
    CHECK(cache.stored(same) == (sharing == Sharing::CopyOnWrite      ? 7u
                                 : sharing == Sharing::FullBlocksOnly ? 4u
                                                                      : 0u));
    CHECK(cache.stored(more) == (sharing == Sharing::Off ? 0u : 8u));
    REQUIRE((books.run(same) && books.run(more)));
    CHECK(books.mover().n_copies() == (sharing == Sharing::CopyOnWrite ? 1u : 0u));
    // The forked one goes on publishing where the shared blocks end.
    const SeqId next = books.open(prompt(8, 1, 0));
    CHECK(cache.find_prefix(next).tokens == (sharing == Sharing::Off ? 0u : 8u));
}

TEST_CASE("the last holder of a published block computes its last token in place",
          "[cache][regression]") {
    Books books(pool_of(8, 4, Sharing::CopyOnWrite));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(8, 0, 0));
    REQUIRE(books.run(a));
    const SeqId b = books.fork(a);
    books.close(a);
    REQUIRE(books.run(b));
    CHECK(table_of(cache, b) == Ids{0, 1});
    CHECK(books.mover().n_copies() == 0);
    // And publishes what comes after.
    for (std::uint32_t token = 0; token < 4; ++token) REQUIRE(books.say(b, token));
    CHECK(findable_of(cache) == Ids{0, 1, 2});
}

TEST_CASE("a request that is coming back shares nothing with a fork until its bytes have arrived",
          "[cache][tiers][regression]") {
    CacheSpec spec = pool_of(8, 4, Sharing::CopyOnWrite);
    spec.n_host = 4;
    Books books(spec);
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    books.swap_out(a);
    const SeqId while_away = books.fork(a, {1});
    CHECK(books.cache().stored(while_away) == 0);
    books.begin_loads(a);
    const SeqId while_loading = books.fork(a, {1});
    CHECK(books.cache().stored(while_loading) == 0);
    CHECK(!books.cache().holds_blocks(while_loading));
    books.finish_loads(a);
    CHECK(books.cache().stored(books.fork(a, {1})) == 6);
}
