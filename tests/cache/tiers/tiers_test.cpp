// The places below the device: the lowest free one first, and the cached one that is idle longest.
#include "core/cache/tiers/tiers.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"

using namespace kv;

TEST_CASE("places are numbered through, the host's before the file's", "[tiers]") {
    const Tiers tiers(2, 3);
    CHECK(tiers.size() == 5);
    CHECK(tiers.medium(1) == Medium::Host);
    CHECK(tiers.medium(2) == Medium::File);
    CHECK(tiers.number(1) == 1);
    CHECK(tiers.number(4) == 2);
    for (std::uint32_t p = 0; p < 5; ++p) CHECK(tiers.place(tiers.medium(p), tiers.number(p)) == p);
    CHECK(tiers.n_free() == 5);
    CHECK(tiers.n_free(Medium::Host) == 2);
    CHECK(tiers.n_free(Medium::File) == 3);
    CHECK(tiers.next_free() == 0u);
    CHECK(tiers.next_free(Medium::File) == 2u);
    const Tiers none(0, 0);
    CHECK(!none.next_free());
    CHECK(!none.next_free(Medium::Host));
    CHECK(!none.next_free(Medium::File));
    CHECK(!none.oldest_cached(Medium::Host));
}

TEST_CASE("a place arrives, is held, leaves and is free again", "[tiers]") {
    Tiers tiers(1, 1);
    tiers.take(0, SeqId(7), 3, 2);
    CHECK(tiers[0].state == PlaceState::Arriving);
    CHECK_THROWS_AS(tiers.take(0, SeqId(8), 0, 1), BrokenAssert);
    CHECK_THROWS_AS(tiers.leave(0), BrokenAssert);
    tiers.arrived(0, 99);
    CHECK_THROWS_AS(tiers.arrived(0, 99), BrokenAssert);
    CHECK(tiers[0].checksum == 99);
    CHECK(tiers[0].request == SeqId(7));
    CHECK(tiers[0].entry == 3);
    CHECK(tiers[0].slots == 2);
    CHECK(tiers.n_used(Medium::Host) == 1);
    CHECK(tiers.n_cached() == 0);
    CHECK(!tiers.next_free(Medium::Host));
    CHECK(tiers.next_free() == 1u);
    tiers.leave(0);
    CHECK(tiers[0].state == PlaceState::Leaving);
    tiers.release(0);
    CHECK(tiers[0].state == PlaceState::Free);
    CHECK(tiers.n_free() == 2);
    CHECK_THROWS_AS(tiers.release(0), BrokenAssert);
}

TEST_CASE("of cached places the one that is idle longest is given up first, in each tier",
          "[tiers]") {
    Tiers tiers(3, 2);
    for (const std::uint32_t p : {2u, 0u, 4u, 1u, 3u}) {
        tiers.take(p, PrefixId(p), 4);
        tiers.arrived(p, p);
    }
    CHECK(tiers.n_cached() == 5);
    CHECK(tiers.oldest_cached(Medium::Host) == 2u);
    CHECK(tiers.oldest_cached(Medium::File) == 4u);
    tiers.leave(2);  // on its way: nobody may give it up
    CHECK(tiers.oldest_cached(Medium::Host) == 0u);
    CHECK(tiers.n_cached() == 4);
    tiers.release(2);
    tiers.release(0);
    CHECK(tiers.oldest_cached(Medium::Host) == 1u);
    tiers.release(4);
    CHECK(tiers.oldest_cached(Medium::File) == 3u);
    CHECK(tiers.next_free() == 0u);
    tiers.take(0, SeqId(1), 0, 1);
    tiers.arrived(0, 5);
    CHECK(tiers.oldest_cached(Medium::Host) == 1u);
}
