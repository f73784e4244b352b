// Blocks and pools: rows 59 to 61, 107 to 117, 129 of the checks and the pages lesson's instances.
#include "core/cost/cache/capacity.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <utility>
#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;
using Catch::Approx;

TEST_CASE("8,192 slots reserved and 200 used leave 2,618,818,560 B idle", "[capacity][C107]") {
    CHECK((8192 - 200) * bytes_per_token(cache_70b(), kBf16Pair) == 2'618'818'560);
    CHECK(2'618'818'560.0 / static_cast<double>(kGiB) == Approx(2.44).epsilon(0.001));
}

TEST_CASE("32k reserved and 900 used: 97.3 % idle", "[capacity][C108]") {
    CHECK(100 * (1 - used_share(900, 32768)) == Approx(97.25).epsilon(0.0001));
}

TEST_CASE("a block of one layer is 64 KiB, of 80 layers 5 MiB", "[capacity][C114]") {
    CHECK(16 * layer_bytes_per_token(cache_70b(), FullCache{}, kBf16Pair) == 65'536);
    CHECK(bytes_per_block(cache_70b(), kBf16Pair, 16) == 5 * kMiB);
}

TEST_CASE("900 tokens: 57 blocks, 285 MiB, 12 slots or 3.75 MiB idle", "[capacity][C115]") {
    CHECK(blocks_for(900, 16) == 57);
    CHECK(57 * bytes_per_block(cache_70b(), kBf16Pair, 16) == 285 * kMiB);
    CHECK(idle_slots(900, 16) == 12);
    CHECK(4 * idle_slots(900, 16) * bytes_per_token(cache_70b(), kBf16Pair) == 15 * kMiB);
    CHECK(4 * sequence_bytes(cache_70b(), kBf16Pair, 900) == 1125 * kMiB);  // 281.25 MiB
    CHECK(100 * used_share(900, 57 * 16) == Approx(98.68).epsilon(0.0001));
}

TEST_CASE("token 37 of table 91, 17, 44, 203 is logical 2, offset 5, physical 44",
          "[capacity][C116]") {
    const std::vector<u64> table{91, 17, 44, 203};
    const TablePlace place = table_place_of(Pos{37}, 16);
    CHECK(place.logical_block == 2);
    CHECK(place.offset == Slot{5});
    CHECK(table[place.logical_block] == 44);
}

TEST_CASE("token 53 of table 7, 2, 19, 4 sits in slot 69", "[capacity][lesson8]") {
    const std::vector<u64> table{7, 2, 19, 4};
    const TablePlace place = table_place_of(Pos{53}, 16);
    CHECK(place.logical_block == 3);
    CHECK(place.offset == Slot{5});
    CHECK(table[place.logical_block] * 16 + place.offset.value == 69);
}

TEST_CASE("a place leads back to its token for any block size", "[capacity][C117]") {
    for (const u64 block_size : {1, 3, 7, 16, 17, 128}) {
        for (std::uint32_t pos = 0; pos < 700; ++pos) {
            const TablePlace place = table_place_of(Pos{pos}, block_size);
            REQUIRE(place.offset.value < block_size);
            REQUIRE(place.logical_block * block_size + place.offset.value == pos);
            REQUIRE(place.logical_block < blocks_for(pos + 1, block_size));
        }
    }
}

TEST_CASE("a 1,000-token prompt: 62 shareable blocks, 8 tokens over, 63 in all",
          "[capacity][C129][lesson9]") {
    const u64 block = bytes_per_block(cache_70b(), kBf16Pair, 16);
    CHECK(full_blocks(1000, 16) == 62);
    CHECK(1000 - 62 * 16 == 8);
    CHECK(62 * block == 310 * kMiB);
    CHECK(blocks_for(1000, 16) == 63);
    CHECK(63 * block == 315 * kMiB);
    CHECK(2 * sequence_bytes(cache_70b(), kBf16Pair, 1000) == 625 * kMiB);  // 312.5 MiB
    // Twenty users share them: nineteen copies saved.
    CHECK(19 * full_blocks(1000, 16) == 1178);
    CHECK(static_cast<double>(1178 * block) / static_cast<double>(kGiB) ==
          Approx(5.75).epsilon(0.001));
}

TEST_CASE("lengths 100, 33, 64, 1 at block sizes 16 and 32", "[capacity][lesson8]") {
    u64 blocks_16 = 0, idle_16 = 0, blocks_32 = 0, idle_32 = 0;
    for (const u64 tokens : {100, 33, 64, 1}) {
        blocks_16 += blocks_for(tokens, 16);
        idle_16 += idle_slots(tokens, 16);
        blocks_32 += blocks_for(tokens, 32);
        idle_32 += idle_slots(tokens, 32);
    }
    CHECK(blocks_16 == 15);
    CHECK(idle_16 == 42);
    CHECK(100 * used_share(idle_16, blocks_16 * 16) == Approx(17.5));
    CHECK(blocks_32 == 9);
    CHECK(idle_32 == 90);
    CHECK(100 * used_share(idle_32, blocks_32 * 32) == Approx(31.25));
}

TEST_CASE("blocks at their borders", "[capacity]") {
    CHECK(blocks_for(15, 16) == 1);
    CHECK(blocks_for(16, 16) == 1);
    CHECK(blocks_for(17, 16) == 2);
    CHECK(full_blocks(15, 16) == 0);
    CHECK(full_blocks(16, 16) == 1);
    CHECK(idle_slots(16, 16) == 0);
    CHECK(idle_slots(17, 16) == 15);
}

TEST_CASE("24 GiB hold 12,288 blocks of 2 MiB and 196,608 tokens", "[capacity][lesson8]") {
    const u64 block = bytes_per_block(uniform_cache(32, 8, 128), kBf16Pair, 16);
    CHECK(block == 2 * kMiB);
    const u64 blocks = blocks_in(PoolBytes{24 * kGiB}, block);
    CHECK(blocks == 12'288);
    CHECK(derive_tokens_capacity(blocks, 16).whole() == 196'608);
}

TEST_CASE("24 GiB at 320 KiB per token: 4,915 blocks, 78,640 tokens, 26 sequences",
          "[capacity][lesson4]") {
    const u64 blocks = blocks_in(PoolBytes{24 * kGiB}, 16 * 320 * kKiB);
    CHECK(blocks == 4915);
    CHECK(derive_tokens_capacity(blocks, 16).whole() == 78'640);
    CHECK(blocks_per_sequence(cache_70b(), 3000, 16) == 188);
    CHECK(derive_sequences_capacity(blocks, 188).whole() == 26);
    // Lesson 14: with 50 blocks held back, 77,000 tokens are admitted and 78,000 are not.
    CHECK(blocks_for(77'000, 16) == 4813);
    CHECK(derive_fits_pool(1, blocks_for(77'000, 16), blocks - 50).yes());
    CHECK(blocks_for(78'000, 16) == 4875);
    CHECK_FALSE(derive_fits_pool(1, blocks_for(78'000, 16), blocks - 50).yes());
}

TEST_CASE("4,096 reserved and 350 used: 8.5 % against 99.4 % paged", "[capacity][lesson8]") {
    CHECK(100 * used_share(350, 4096) == Approx(8.545).epsilon(0.0001));
    CHECK(blocks_for(350, 16) == 22);
    CHECK(100 * used_share(350, 22 * 16) == Approx(99.43).epsilon(0.0001));
}

TEST_CASE("32 sequences of 4,096 fill 40 GiB to the byte, of 8,192 they do not fit",
          "[capacity][C060]") {
    CHECK(kv_bytes(cache_70b(), kBf16Pair, 4096, 32) == 40 * kGiB);
    CHECK(kv_bytes(cache_70b(), kBf16Pair, 8192, 32) == 80 * kGiB);
    const u64 blocks = blocks_in(PoolBytes{40 * kGiB}, 5 * kMiB);
    CHECK(blocks == 8192);
    CHECK(derive_fits_pool(32, blocks_per_sequence(cache_70b(), 4096, 16), blocks).yes());
    CHECK_FALSE(derive_fits_pool(32, blocks_per_sequence(cache_70b(), 8192, 16), blocks).yes());
    const u64 decimal = blocks_in(PoolBytes{40'000'000'000}, 5 * kMiB);
    CHECK_FALSE(derive_fits_pool(32, 256, decimal).yes());
}

TEST_CASE("batch and length share one budget: at the bound yes, one block above no",
          "[capacity][C061]") {
    constexpr u64 kPool = 8192;
    for (const auto& [batch, tokens] :
         {std::pair<u64, u64>{1, 131'072}, {2, 65'536}, {32, 4096}, {512, 256}}) {
        CHECK(derive_fits_pool(batch, blocks_for(tokens, 16), kPool).yes());
        CHECK_FALSE(derive_fits_pool(batch, blocks_for(tokens + 1, 16), kPool).yes());
    }
}

TEST_CASE("a window gives its blocks back", "[capacity][window]") {
    const CacheShape windowed = with_window(uniform_cache(20, 2, 64), 32);
    CHECK(blocks_per_sequence(windowed, 32, 16) == 2);
    CHECK(blocks_per_sequence(windowed, 33, 16) == 3);   // tokens 1 to 32 lie in three blocks
    CHECK(blocks_per_sequence(windowed, 48, 16) == 2);   // 16 to 47 in two
    CHECK(blocks_per_sequence(windowed, 112, 16) == 2);  // 80 to 111, as in the hybrid example
    CacheShape hybrid = windowed;
    hybrid.layers[0] = FullCache{};  // one table for all layers: the full layer decides
    CHECK(blocks_per_sequence(hybrid, 112, 16) == 7);
}

TEST_CASE("a pool given in blocks is taken as it is", "[capacity]") {
    CHECK(blocks_in(PoolBlocks{48}, 12'345) == 48);
    CHECK(blocks_in(PoolBytes{5}, 12'345) == 0);
}
