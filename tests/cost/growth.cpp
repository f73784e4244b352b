// The growth curve and where it meets the weights: rows 54, 55 and 56 of the checks.
#include "core/cost/growth.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/cost/model/parameters.hpp"
#include "tests/cost/shapes.hpp"

using namespace kv;
using namespace kv::test;

TEST_CASE("without windows the cache grows in a straight line of bytes per token", "[cost][C055]") {
    const auto curve = growth_curve(cache_7b(), kBf16Pair, 8, 4096);
    const std::vector<GrowthPoint> line{{0, 0}, {8 * 4096, 16 * kGiB}};
    CHECK(curve == line);
    CHECK(line[1].bytes / line[1].resident_tokens == 512 * kKiB);
}

TEST_CASE("the cache is as large as the weights at 25,705 and at 31,777 tokens", "[cost][C054]") {
    const auto reached = [](std::string_view name, u64 batch) {
        const ModelShape shape = model(name);
        return tokens_at_bytes(growth_curve(shape.cache, kBf16Pair, batch, 40'000),
                               weight_bytes(shape));
    };
    CHECK(reached("llama-2-7b", 1) == 25'705);
    CHECK(reached("llama-2-7b", 16) == 25'705);
    CHECK(reached("llama-2-13b", 1) == 31'777);
}

TEST_CASE("a window bends the curve where it fills, and it may never reach the weights",
          "[cost][C056]") {
    const CacheShape shape = with_window(cache_7b(), 100);
    const auto curve = growth_curve(shape, kBf16Pair, 2, 1000);
    const std::vector<GrowthPoint> bent{{0, 0}, {200, 200 * 512 * kKiB}, {2000, 200 * 512 * kKiB}};
    CHECK(curve == bent);
    CHECK(tokens_at_bytes(curve, 100 * 512 * kKiB) == 100);
    CHECK_FALSE(tokens_at_bytes(curve, 13'476'831'232));
}
