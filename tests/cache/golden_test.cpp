// Whole pools after each call, with the numbers of vLLM's design document and of its own tests.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/trace/event/event.hpp"
#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;
using Lines = std::vector<std::string>;

TEST_CASE("vLLM's worked example: hits, new blocks, the order of the free list and the reclaim",
          "[cache][golden]") {
    Books books(pool_of(10, 4));
    const Cache& cache = books.cache();
    const SeqId r0 = books.open(prompt(12, 3, 0));
    REQUIRE(books.run(r0));
    CHECK(table_of(cache, r0) == Ids{0, 1, 2, 3});
    CHECK(findable_of(cache) == Ids{0, 1, 2});
    CHECK(filled_of(cache) == Ids{4, 4, 4, 3, 0, 0, 0, 0, 0, 0});
    CHECK(free_of(cache) == Ids{4, 5, 6, 7, 8, 9});
    CHECK(told_since(books, 0) == Lines{"BlockAllocated 0 at 0 (stores_tokens r0)",
                                        "BlockAllocated 1 at 1 (stores_tokens r0)",
                                        "BlockAllocated 2 at 2 (stores_tokens r0)",
                                        "BlockAllocated 3 at 3 (stores_tokens r0)",
                                        "BlockStored 0 1 2 (block_is_full)"});

    const std::uint64_t at_16 = books.trace().size();
    REQUIRE(books.say(r0, 50));
    CHECK(findable_of(cache) == Ids{0, 1, 2, 3});
    CHECK(cache.n_free() == 6);
    REQUIRE(books.say(r0, 51));
    CHECK(table_of(cache, r0) == Ids{0, 1, 2, 3, 4});
    CHECK(told_since(books, at_16) ==
          Lines{"BlockStored 3 (block_is_full)", "BlockAllocated 4 at 4 (stores_tokens r0)"});

    const std::uint64_t at_r1 = books.trace().size();
    const SeqId r1 = books.open(prompt(10, 4, 1));
    REQUIRE(books.run(r1));
    CHECK(table_of(cache, r1) == Ids{0, 1, 5, 6});
    CHECK(findable_of(cache) == Ids{0, 1, 2, 3, 5});
    CHECK(free_of(cache) == Ids{7, 8, 9});
    CHECK(refs_of(cache) == Ids{2, 2, 1, 1, 1, 1, 1, 0, 0, 0});
    CHECK(told_since(books, at_r1) ==
          Lines{"BlockShared 0 at 0 (same_prefix r1)", "BlockShared 1 at 1 (same_prefix r1)",
                "BlockAllocated 5 at 2 (stores_tokens r1)",
                "BlockAllocated 6 at 3 (stores_tokens r1)", "BlockStored 5 (block_is_full)"});

    const std::uint64_t at_end = books.trace().size();
    books.close(r0);
    CHECK(free_of(cache) == Ids{7, 8, 9, 4, 3, 2});
    CHECK(refs_of(cache) == Ids{1, 1, 0, 0, 0, 1, 1, 0, 0, 0});
    CHECK(told_since(books, at_end) ==
          Lines{"BlockFreed 4 (request_ends)", "BlockFreed 3 (request_ends)",
                "BlockFreed 2 (request_ends)", "BlockFreed 1 (request_ends)",
                "BlockFreed 0 (request_ends)"});
    books.close(r1);
    CHECK(free_of(cache) == Ids{7, 8, 9, 4, 3, 2, 6, 5, 1, 0});
    CHECK(findable_of(cache) == Ids{0, 1, 2, 3, 5});

    const std::uint64_t at_r2 = books.trace().size();
    const SeqId r2 = books.open(prompt(12, 17, 2));
    REQUIRE(books.run(r2));
    CHECK(table_of(cache, r2) == Ids{0, 1, 2, 7, 8, 9, 4, 3});
    CHECK(free_of(cache) == Ids{6, 5});
    CHECK(told_since(books, at_r2) ==
          Lines{"BlockShared 0 at 0 (same_prefix r2)", "BlockShared 1 at 1 (same_prefix r2)",
                "BlockShared 2 at 2 (same_prefix r2)", "BlockAllocated 7 at 3 (stores_tokens r2)",
                "BlockAllocated 8 at 4 (stores_tokens r2)",
                "BlockAllocated 9 at 5 (stores_tokens r2)",
                "BlockAllocated 4 at 6 (stores_tokens r2)", "BlockRemoved 3 (reclaimed_for r2)",
                "BlockAllocated 3 at 7 (stores_tokens r2)", "BlockStored 7 8 9 4 (block_is_full)"});
}

TEST_CASE("the same example when blocks that nobody can find go to the head", "[cache][golden]") {
    Books books(pool_of(10, 4, Sharing::FullBlocksOnly, FreeOrder::UnhashedFirst));
    const Cache& cache = books.cache();
    const SeqId r0 = books.open(prompt(12, 5, 0)), r1 = books.open(prompt(10, 4, 1));
    REQUIRE((books.run(r0) && books.run(r1)));
    const std::uint64_t at_end = books.trace().size();
    books.close(r0);
    CHECK(free_of(cache) == Ids{4, 7, 8, 9, 3, 2});
    CHECK(told_since(books, at_end).front() == "BlockFreed 4 to the head (request_ends)");
    books.close(r1);
    CHECK(free_of(cache) == Ids{6, 4, 7, 8, 9, 3, 2, 5, 1, 0});
    const std::uint64_t at_r2 = books.trace().size();
    const SeqId r2 = books.open(prompt(12, 17, 2));
    REQUIRE(books.run(r2));
    CHECK(table_of(cache, r2) == Ids{0, 1, 2, 6, 4, 7, 8, 9});
    CHECK(free_of(cache) == Ids{3, 5});
    for (const std::string& line : told_since(books, at_r2))
        CHECK(line.find("BlockRemoved") == std::string::npos);
    // Two that nobody can find: the last of the table is in front.
    books.clear();
    books.close(r2);
    CHECK(free_of(cache) == Ids{9, 8, 7, 4, 6, 2, 1, 0, 3, 5});
}

TEST_CASE("vLLM's own test: three common blocks, and an exhausted pool shows the reclaim order",
          "[cache][golden]") {
    const bool by_hash = GENERATE(false, true);
    Books books(pool_of(11, 16, Sharing::FullBlocksOnly,
                        by_hash ? FreeOrder::UnhashedFirst : FreeOrder::TailReverse));
    const Cache& cache = books.cache();
    REQUIRE(books.run(books.open({1})));  // holds block 0, as the null block does there
    const SeqId r0 = books.open(prompt(48, 7, 0)), r1 = books.open(prompt(48, 5, 1));
    REQUIRE((books.run(r0) && books.run(r1)));
    CHECK(table_of(cache, r0) == Ids{1, 2, 3, 4});
    CHECK(table_of(cache, r1) == Ids{1, 2, 3, 5});
    CHECK(refs_of(cache) == Ids{1, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0});
    CHECK(cache.n_free() == 5);
    books.close(r0);
    books.close(r1);
    CHECK(free_of(cache) ==
          (by_hash ? Ids{5, 4, 6, 7, 8, 9, 10, 3, 2, 1} : Ids{6, 7, 8, 9, 10, 4, 5, 3, 2, 1}));
    const SeqId r2 = books.open(prompt(48, 6, 2));
    REQUIRE(books.run(r2));
    CHECK(table_of(cache, r2) == Ids{1, 2, 3, by_hash ? 5u : 6u});
    CHECK(cache.n_free() == 6);
    books.close(r2);
    const SeqId r3 = books.open(prompt(0, 160, 3));
    REQUIRE(books.run(r3));
    CHECK(table_of(cache, r3) ==
          (by_hash ? Ids{5, 4, 6, 7, 8, 9, 10, 3, 2, 1} : Ids{7, 8, 9, 10, 4, 5, 6, 3, 2, 1}));
    CHECK(cache.n_free() == 0);
    CHECK(findable_of(cache) == Ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("two requests can fill equal blocks, and the older copy is the one that is found",
          "[cache][golden]") {
    Books books(pool_of(8, 4));
    const Cache& cache = books.cache();
    const Ids abcdef{'A', 'B', 'C', 'D', 'E', 'F'};
    const SeqId r1 = books.open(abcdef);
    REQUIRE(books.run(r1));
    for (const std::uint32_t token : Ids{'G', 'H', 'I'}) REQUIRE(books.say(r1, token));
    CHECK(table_of(cache, r1) == Ids{0, 1, 2});
    CHECK(findable_of(cache) == Ids{0, 1});
    const SeqId r2 = books.open(abcdef);
    REQUIRE(books.run(r2));
    for (const std::uint32_t token : Ids{'G', 'H'}) REQUIRE(books.say(r2, token));
    CHECK(table_of(cache, r2) == Ids{0, 3});
    CHECK(findable_of(cache) == Ids{0, 1, 3});
    const PrefixIndex& index = Tamper::index(cache);
    CHECK(index.node_of(BlockId(1)) == index.node_of(BlockId(3)));
    CHECK(index.copy(*index.node_of(BlockId(3))) == BlockId(1));
    CHECK(index.n_nodes() == 2);

    // Its older copy goes: the other is found from then on.
    books.close(r1);
    const SeqId all = books.open(prompt(0, 24, 9));
    REQUIRE(books.run(all));
    CHECK(table_of(cache, all) == Ids{4, 5, 6, 7, 2, 1});
    const SeqId r3 = books.open({'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'});
    const Prefix prefix = cache.find_prefix(r3);
    REQUIRE(prefix.hits.size() == 2);
    CHECK(prefix.hits[1].block == BlockId(3));
}

TEST_CASE("a prompt that is known as a whole still has a token computed", "[cache][golden]") {
    Books books(pool_of(12, 16));
    REQUIRE(books.run(books.open(prompt(64, 0, 0))));
    const auto found = [&](std::uint32_t n) {
        return books.cache().find_prefix(books.open(prompt(n, 0, 0))).tokens;
    };
    CHECK(found(64) == 48);
    CHECK(found(65) == 64);
    CHECK(found(63) == 48);
    CHECK(found(49) == 48);
    CHECK(found(48) == 32);
    CHECK(found(17) == 16);
    CHECK(found(16) == 0);
    CHECK(found(1) == 0);
}

TEST_CASE("block size 1: all but the last token can be found", "[cache][golden]") {
    Books books(pool_of(9, 1));
    REQUIRE(books.run(books.open({1, 2, 3, 4})));
    const SeqId same = books.open({1, 2, 3, 4}), longer = books.open({1, 2, 3, 4, 5});
    CHECK(books.cache().find_prefix(same).tokens == 3);
    CHECK(books.cache().find_prefix(longer).tokens == 4);
    REQUIRE(books.run(same));
    CHECK(table_of(books.cache(), same) == Ids{0, 1, 2, 4});
}

TEST_CASE("a thousand tokens in blocks of 16: 62 can be shared and the last holds 8",
          "[cache][C129]") {
    Books books(pool_of(70, 16));
    const SeqId a = books.open(prompt(1000, 0, 0));
    REQUIRE(books.run(a));
    CHECK(books.cache().table(a).size() == 63);
    CHECK(findable_of(books.cache()).size() == 62);
    CHECK(filled_of(books.cache())[62] == 8);
    CHECK(books.cache().find_prefix(books.open(prompt(1000, 1, 0))).tokens == 62 * 16);
}

TEST_CASE("three requests at given blocks are disjoint, and a new one takes any four that are free",
          "[cache][C118][C119][C120]") {
    CacheSpec spec = pool_of(18, 16);
    spec.free_list = {3, 7, 12, 1, 9, 2, 4, 5, 11};
    Books books(spec);
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(0, 48, 0)), b = books.open(prompt(0, 32, 1)),
                c = books.open(prompt(0, 64, 2));
    REQUIRE((books.run(a) && books.run(b) && books.run(c)));
    CHECK(table_of(cache, a) == Ids{3, 7, 12});
    CHECK(table_of(cache, b) == Ids{1, 9});
    CHECK(table_of(cache, c) == Ids{2, 4, 5, 11});
    CHECK(free_of(cache) == Ids{0, 6, 8, 10, 13, 14, 15, 16, 17});
    CHECK(refs_of(cache) == Ids{0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0});
    const SeqId d = books.open(prompt(0, 64, 3));
    REQUIRE(books.run(d));
    CHECK(table_of(cache, d) == Ids{0, 6, 8, 10});
    // Less than a block is idle in any of them.
    for (const SeqId id : {a, b, c, d}) CHECK(cache.table(id).size() * 16 - cache.stored(id) < 16);
}
