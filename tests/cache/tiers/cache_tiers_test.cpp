// What leaves the device and comes back: requests that are swapped out, and cached blocks that are
// kept below instead of being forgotten. The bytes are real; see byte_mover.hpp.
#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/trace/event/event.hpp"
#include "tests/cache/words.hpp"

using namespace kv;
using namespace kv::test;
using Lines = std::vector<std::string>;

namespace {

CacheSpec tiered(std::uint32_t n_blocks, std::uint32_t n_host, std::uint32_t n_file) {
    CacheSpec spec = pool_of(n_blocks, 4, Sharing::CopyOnWrite);
    spec.n_host = n_host;
    spec.n_file = n_file;
    return spec;
}

std::vector<std::vector<SlotBytes>> bytes_of_blocks(Books& books, SeqId id) {
    std::vector<std::vector<SlotBytes>> bytes;
    for (const auto& block : books.cache().table(id))
        bytes.push_back(books.mover().at(Medium::Device, block->value));
    return bytes;
}

}  // namespace

TEST_CASE("a request is swapped out with a partly filled block and comes back bit for bit",
          "[cache][tiers][C150]") {
    Books books(tiered(6, 4, 0));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    const auto bytes = bytes_of_blocks(books, a);
    const std::uint64_t out = books.trace().size();
    books.swap_out(a);
    CHECK(told_since(books, out) == Lines{"TransferStarted device 1 to host 0 (room_for)",
                                          "TransferStarted device 0 to host 1 (room_for)",
                                          "BlockFreed 1 (room_for)", "BlockFreed 0 (room_for)"});
    CHECK(cache.n_free() == 6);  // two blocks more than before
    CHECK(cache.is_swapped(a));
    CHECK(cache.stored(a) == 6);
    CHECK(cache.tiers()[0].slots == 2);
    CHECK(cache.tiers()[1].slots == 4);
    CHECK(cache.tiers()[0].checksum != cache.tiers()[1].checksum);

    // Others use the pool meanwhile.
    REQUIRE(books.run(books.open(prompt(0, 16, 1))));
    const std::uint64_t back = books.trace().size();
    books.begin_loads(a);
    CHECK(cache.is_loading(a));
    CHECK(table_of(cache, a) == Ids{1, 0});
    CHECK(Tamper::pool(cache).pins(BlockId(1)) == 1);
    CHECK(cache.tiers()[0].state == PlaceState::Leaving);
    books.finish_loads(a);
    CHECK(told_since(books, back) == Lines{"BlockAllocated 1 at 0 (comes_back r0)",
                                           "TransferStarted host 1 to device 1 (comes_back r0)",
                                           "BlockRemoved 0 (reclaimed_for r0)",
                                           "BlockAllocated 0 at 1 (comes_back r0)",
                                           "TransferStarted host 0 to device 0 (comes_back r0)"});
    CHECK(!cache.is_swapped(a));
    CHECK(cache.tiers().n_free() == 4);
    CHECK(bytes_of_blocks(books, a)[0] == bytes[0]);
    CHECK(bytes_of_blocks(books, a)[1][0] == bytes[1][0]);
    CHECK(bytes_of_blocks(books, a)[1][1] == bytes[1][1]);
    // It publishes again when it goes on.
    REQUIRE(books.say(a, 3));
    CHECK(findable_of(cache) == Ids{1, 2, 3, 4, 5});
}

TEST_CASE("shared blocks that are swapped out stay with those who hold them", "[cache][tiers]") {
    Books books(tiered(8, 4, 0));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    const SeqId b = books.fork(a, {9});
    books.swap_out(a);
    CHECK(table_of(cache, b) == Ids{0, 1});
    CHECK(refs_of(cache) == Ids{1, 1, 0, 0, 0, 0, 0, 0});
    REQUIRE(books.run(b));  // in place, as the only holder
    CHECK(books.mover().n_copies() == 0);
    books.begin_loads(a);
    books.finish_loads(a);
    CHECK(table_of(cache, a) == Ids{2, 3});
}

TEST_CASE("a swapped request can be given up or closed", "[cache][tiers]") {
    Books books(tiered(6, 4, 2));
    const Cache& cache = books.cache();
    const SeqId a = books.open(prompt(6, 0, 0)), b = books.open(prompt(0, 7, 1));
    REQUIRE((books.run(a) && books.run(b)));
    books.swap_out(a);
    books.swap_out(b);
    CHECK(cache.tiers().n_free() == 2);
    books.close(b);
    CHECK(cache.tiers().n_free() == 4);
    SECTION("given up, it starts again") {
        books.let_go(a);
        CHECK(cache.tiers().n_free() == 6);
        CHECK(cache.stored(a) == 0);
        REQUIRE(books.run(a));
        CHECK(cache.stored(a) == 6);
    }
    SECTION("closed while its bytes are on their way") {
        books.begin_loads(a);
        books.close(a);
        CHECK(cache.tiers().n_free() == 6);
        CHECK(cache.n_free() == 6);
    }
}

TEST_CASE("under unhashed_first a swapped request's last block goes to the head as well",
          "[cache][tiers][regression]") {
    CacheSpec spec = tiered(6, 4, 0);
    spec.free_order = FreeOrder::UnhashedFirst;
    Books books(spec);
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    books.swap_out(a);
    CHECK(free_of(books.cache()) == Ids{1, 2, 3, 4, 5, 0});
}

TEST_CASE("a cold block sinks to the host, then to the file, and comes back from there",
          "[cache][tiers]") {
    CacheSpec spec = tiered(3, 1, 1);
    spec.keep_cold = true;
    Books books(spec);
    const Cache& cache = books.cache();
    const auto run_and_close = [&](const Ids& tokens) {
        const SeqId id = books.open(tokens);
        REQUIRE(books.run(id));
        books.close(id);
    };
    run_and_close(prompt(4, 0, 0));   // content 100..103 in block 0
    run_and_close(prompt(0, 12, 1));  // takes all three: block 0's content goes to the host
    CHECK(cache.tiers()[0].state == PlaceState::Held);
    CHECK(free_of(cache) == Ids{0, 2, 1});
    const SeqId again = books.open(prompt(4, 1, 0));
    const Prefix in_host = cache.find_prefix(again);
    REQUIRE(in_host.hits.size() == 1);
    CHECK(!in_host.hits[0].block);
    CHECK(in_host.hits[0].place == 0);
    CHECK(cache.missing(again, 5, in_host) == 2);

    // Another content takes its place in the host: it sinks to the file.
    const std::uint64_t sinking = books.trace().size();
    run_and_close(prompt(0, 4, 2));  // takes block 0, the last of the three contents
    CHECK(told_since(books, sinking) ==
          Lines{"TransferStarted host 0 to file 0 (tier_full)",
                "TransferStarted device 0 to host 0 (cold)", "BlockStored below (cold)",
                "BlockRemoved 0 (reclaimed_for r3)", "BlockAllocated 0 at 0 (stores_tokens r3)",
                "BlockStored 0 (block_is_full)", "BlockFreed 0 (request_ends)"});
    CHECK(cache.find_prefix(again).hits[0].place == 1);

    const std::uint64_t coming = books.trace().size();
    REQUIRE(books.admit(again, 5));  // audits the bytes that came host, file, device
    // Its place in the file is on its way out, so the host's content has nowhere to sink to.
    CHECK(told_since(books, coming) ==
          Lines{"BlockRemoved below (tier_full)", "TierPlaceFreed host 0 (tier_full)",
                "TransferStarted device 2 to host 0 (cold)", "BlockStored below (cold)",
                "BlockRemoved 2 (reclaimed_for r2)", "BlockAllocated 2 at 0 (hit_in_host r2)",
                "TransferStarted file 0 to device 2 (hit_in_host r2)",
                "BlockStored 2 (hit_in_host r2)", "TransferStarted host 0 to file 0 (tier_full)",
                "TransferStarted device 1 to host 0 (cold)", "BlockStored below (cold)",
                "BlockRemoved 1 (reclaimed_for r2)", "BlockAllocated 1 at 1 (stores_tokens r2)"});
    CHECK(cache.stored(again) == 4);
}

TEST_CASE("what is idle longest in the file is given up first", "[cache][tiers]") {
    CacheSpec spec = tiered(2, 1, 1);
    spec.keep_cold = true;
    Books books(spec);
    const Cache& cache = books.cache();
    for (std::uint32_t name = 0; name < 5; ++name) {
        const SeqId id = books.open(prompt(0, 4, name));
        REQUIRE(books.run(id));
        books.close(id);
    }
    // Two on the device, one in the host, one in the file; the first of five is gone.
    const auto known = [&](std::uint32_t name) {
        Ids tokens = prompt(0, 4, name);
        tokens.push_back(1);
        return cache.find_prefix(books.open(tokens)).tokens;
    };
    CHECK(known(0) == 0);
    for (const std::uint32_t name : {1u, 2u, 3u, 4u}) CHECK(known(name) == 4);
    books.clear();
    for (const std::uint32_t name : {1u, 2u, 3u, 4u}) CHECK(known(name) == 0);
    CHECK(cache.tiers().n_free() == 2);
}

TEST_CASE(
    "a host full of cached blocks makes room for a request, and one full of requests does not",
    "[cache][tiers]") {
    CacheSpec spec = tiered(4, 2, 0);
    spec.keep_cold = true;
    Books books(spec);
    const Cache& cache = books.cache();
    for (std::uint32_t name = 0; name < 3; ++name) {
        const SeqId id = books.open(prompt(0, 8, name));
        REQUIRE(books.run(id));
        books.close(id);
    }
    CHECK(cache.tiers().n_cached() == 2);
    CHECK(cache.places_free() == 2);
    const SeqId a = books.open(prompt(0, 8, 7)), b = books.open(prompt(0, 7, 8));
    REQUIRE((books.run(a) && books.run(b)));
    const std::uint64_t out = books.trace().size();
    books.swap_out(a);
    CHECK(told_since(books, out)[0] == "BlockRemoved below (tier_full)");
    CHECK(cache.tiers().n_cached() == 0);
    CHECK(cache.places_free() == 0);
    CHECK(cache.places_needed(b) == 2);
    CHECK_THROWS_AS(books.swap_out(b), BrokenAssert);
}

TEST_CASE("bytes that come back changed are noticed by their checksum", "[cache][tiers]") {
    CacheSpec spec = tiered(3, 2, 2);
    spec.keep_cold = true;
    Books books(spec);
    const SeqId a = books.open(prompt(6, 0, 0));
    REQUIRE(books.run(a));
    SECTION("of a swapped request") {
        books.swap_out(a);
        books.mover().at(Medium::Host, 0)[1][11] ^= 1;
        books.begin_loads(a);
        CHECK_THROWS_AS(books.finish_loads(a), BrokenAssert);
    }
    SECTION("of a cached block") {
        books.close(a);
        const SeqId b = books.open(prompt(0, 9, 1));
        REQUIRE(books.run(b));
        books.close(b);
        books.mover().at(Medium::Host, 0)[2][0] ^= 0x80;
        CHECK_THROWS_AS(books.run(books.open(prompt(6, 0, 0))), BrokenAssert);
    }
}

TEST_CASE("loads that end at any later time change nothing for anybody", "[cache][tiers]") {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        const Random random(seed, 3);
        CacheSpec spec = tiered(12, 6, 6);
        spec.keep_cold = seed % 2 == 0;
        Books books(spec);
        const Cache& cache = books.cache();
        const SeqId a = books.open(prompt(5, 5, 0));
        REQUIRE(books.run(a));
        const auto bytes = bytes_of_blocks(books, a);
        std::uint64_t draw = 0;
        for (std::uint32_t round = 0; round < 4; ++round) {
            books.swap_out(a);
            const SeqId other = books.open(prompt(5, 6 + random.below(draw++, 9), round + 1));
            REQUIRE(books.run(other));
            books.begin_loads(a);
            // Each of these audits the bytes of all who are not waiting themselves.
            for (std::uint32_t steps = random.below(draw++, 6); steps > 0; --steps)
                books.say(other, steps);
            const bool early = random.below(draw++, 2) == 0;
            if (early) books.close(other);
            books.finish_loads(a);
            const auto back = bytes_of_blocks(books, a);
            for (std::uint32_t t = 0; t < 10; ++t)
                REQUIRE(back[t / 4][t % 4] == bytes[t / 4][t % 4]);
            if (!early) books.close(other);
        }
        CHECK(cache.stored(a) == 10);
    }
}
