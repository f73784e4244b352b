#include "core/base/random.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"

using kv::philox4x32;
using kv::PhiloxBlock;
using kv::Random;

namespace {

std::array<std::uint32_t, 4> words(const PhiloxBlock& block) {
    return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

using Words = std::array<std::uint32_t, 4>;

// How far a count of successes may lie from its mean: five standard deviations. The draws are
// fixed, so this is no question of luck: it holds or it does not.
bool is_plausible(std::uint64_t count, std::uint64_t draws, double probability) {
    const double mean = static_cast<double>(draws) * probability;
    const double deviation = std::sqrt(mean * (1 - probability));
    return std::abs(static_cast<double>(count) - mean) < 5 * deviation;
}

}  // namespace

TEST_CASE("Philox 4x32-10 gives the known answers published with the paper", "[random]") {
    CHECK(words(philox4x32({{0, 0, 0, 0}}, {{0, 0}})) ==
          Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const std::uint32_t ones = 0xffffffff;
    CHECK(words(philox4x32({{ones, ones, ones, ones}}, {{ones, ones}})) ==
          Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(words(philox4x32({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                           {{0xa4093822, 0x299f31d0}})) ==
          Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("draws come from the block of their number, stream and seed", "[random]") {
    // The first known answer again, word by word.
    const Random zero(0, 0);
    CHECK(zero.bits(0) == 0x6627e8d5);
    CHECK(zero.bits(1) == 0xe169c58d);
    CHECK(zero.bits(2) == 0xbc57ac4c);
    CHECK(zero.bits(3) == 0x9b00dbd8);

    const Random random(0x299f31d0a4093822, 0x0370734413198a2e);
    const PhiloxBlock fifth =
        philox4x32({{5, 0, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}});
    CHECK(random.bits(21) == fifth.word[1]);
    const PhiloxBlock far =
        philox4x32({{0xffffffff, 0x3fffffff, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}});
    CHECK(random.bits(0xffffffffffffffff) == far.word[3]);
}

TEST_CASE("a draw is the same whatever was drawn before it", "[random]") {
    const Random random(42, 7);
    std::vector<std::uint32_t> forwards, backwards(100);
    for (std::uint64_t n = 0; n < 100; ++n) forwards.push_back(random.below(n, 1000));
    for (std::uint64_t n = 100; n-- > 0;) backwards[n] = Random(42, 7).below(n, 1000);
    CHECK(forwards == backwards);
}

TEST_CASE("seeds and streams give unrelated draws", "[random]") {
    const Random a(1, 0), b(2, 0), c(1, 1);
    int ab = 0, ac = 0, bits_apart = 0;
    for (std::uint64_t n = 0; n < 1000; ++n) {
        ab += a.bits(n) == b.bits(n);
        ac += a.bits(n) == c.bits(n);
        bits_apart += __builtin_popcount(a.bits(n) ^ c.bits(n));
    }
    CHECK(ab == 0);
    CHECK(ac == 0);
    CHECK(is_plausible(static_cast<std::uint64_t>(bits_apart), 32000, 0.5));
}

TEST_CASE("every bit of the draws is set half of the time", "[random]") {
    const Random random(2024, 3);
    std::array<std::uint64_t, 32> set{};
    for (std::uint64_t n = 0; n < 20000; ++n) {
        for (std::size_t bit = 0; bit < 32; ++bit) set[bit] += random.bits(n) >> bit & 1;
    }
    for (const std::uint64_t count : set) CHECK(is_plausible(count, 20000, 0.5));
}

TEST_CASE("unit draws are made of 53 bits and fill the unit interval evenly", "[random]") {
    const Random random(8, 0);
    std::array<std::uint64_t, 16> buckets{};
    for (std::uint64_t n = 0; n < 16000; ++n) {
        const double unit = random.unit(n);
        REQUIRE(unit >= 0.0);
        REQUIRE(unit < 1.0);
        ++buckets[static_cast<std::size_t>(unit * 16)];
        // The first 27 bits come from draw 2n, the last 26 from draw 2n + 1; both sums are exact.
        const double expected =
            std::ldexp(random.bits(2 * n) >> 5, -27) + std::ldexp(random.bits(2 * n + 1) >> 6, -53);
        REQUIRE(unit == expected);
    }
    for (const std::uint64_t count : buckets) CHECK(is_plausible(count, 16000, 1.0 / 16));
}

TEST_CASE("below stays below its bound and treats all results alike", "[random]") {
    const Random random(13, 0);
    std::array<std::uint64_t, 6> faces{};
    for (std::uint64_t n = 0; n < 60000; ++n) ++faces.at(random.below(n, 6));
    for (const std::uint64_t count : faces) CHECK(is_plausible(count, 60000, 1.0 / 6));

    for (std::uint64_t n = 0; n < 100; ++n) CHECK(random.below(n, 1) == 0);
    CHECK_THROWS_AS(random.below(0, 0), kv::BrokenAssert);
}

TEST_CASE("below has no modulo bias where it would be largest", "[random]") {
    // 2^32 words over 3 x 2^30 results: every third result (or the lowest third, if made by a
    // remainder) would come twice as often as the others.
    const Random random(17, 0);
    const std::uint32_t bound = 3u << 30;
    const std::uint64_t draws = 30000;
    std::array<std::uint64_t, 3> rests{}, thirds{};
    for (std::uint64_t n = 0; n < draws; ++n) {
        const std::uint32_t value = random.below(n, bound);
        REQUIRE(value < bound);
        ++rests[value % 3];
        ++thirds[value >> 30];
    }
    for (const std::uint64_t count : rests) CHECK(is_plausible(count, draws, 1.0 / 3));
    for (const std::uint64_t count : thirds) CHECK(is_plausible(count, draws, 1.0 / 3));
}

TEST_CASE("a draw turned away for one bound leaves its neighbours alone", "[random]") {
    // Under this bound nearly half of the words are turned away; under a power of two none is, and
    // below() is the top bits of the draw.
    const Random random(19, 0);
    std::uint64_t kept = 0;
    for (std::uint64_t n = 0; n < 10000; ++n) {
        const std::uint64_t product = std::uint64_t{random.bits(n)} * 0x80000001u;
        kept += random.below(n, 0x80000001u) == product >> 32;
        REQUIRE(random.below(n, 1u << 31) == random.bits(n) >> 1);
    }
    CHECK(is_plausible(kept, 10000, 0.5));
}
