// Bounds of blocks and the choice by them, against arithmetic by hand and against all keys.

#include "core/cache/eviction/quest.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "core/base/random.hpp"

namespace kv {
namespace {

using Keys = std::vector<std::vector<float>>;

float bound(const std::vector<float>& q, const Keys& keys) {
    std::vector<float> least = keys[0], most = keys[0];
    for (const auto& key : keys) widen_box(least, most, key);
    return bound_of_box(q, {least, most});
}

TEST_CASE("a block's bound is the best corner of its box", "[eviction][quest]") {
    const std::vector<float> q{1, -2};
    CHECK(bound(q, {{1, 2}, {3, -1}}) == 5);
    CHECK(bound(q, {{-2, 4}, {0, 5}}) == -8);
    CHECK(bound(q, {{2, 2}, {2, 2}}) == -2);
}

TEST_CASE("no key of a block exceeds its bound", "[eviction][quest]") {
    const Random random(7, 1);
    std::uint64_t n = 0;
    const auto number = [&] {
        return static_cast<float>(random.below(n++, 2001)) / 1000.0f - 1.0f;
    };
    for (int trial = 0; trial < 200; ++trial) {
        const std::size_t dim = 1 + random.below(n++, 40);
        std::vector<float> q(dim);
        Keys keys(1 + random.below(n++, 9), q);
        for (float& x : q) x = number();
        for (auto& key : keys)
            for (float& x : key) x = number();
        double most = -1e9;
        for (const auto& key : keys) {
            double product = 0;
            for (std::size_t c = 0; c < dim; ++c)
                product += static_cast<double>(q[c]) * static_cast<double>(key[c]);
            most = std::max(most, product);
        }
        CHECK(static_cast<double>(bound(q, keys)) >= most - 1e-5);
        if (keys.size() == 1) CHECK(static_cast<double>(bound(q, keys)) < most + 1e-5);
    }
}

TEST_CASE("the blocks with the highest bounds are read, of equals the earlier",
          "[eviction][quest]") {
    using Entries = std::vector<std::uint32_t>;
    const std::vector<float> bounds{5, -8, -2, 5, 1};
    CHECK(choose_blocks(bounds, {1, 0}) == Entries{0});
    CHECK(choose_blocks(bounds, {2, 0}) == Entries{0, 3});
    CHECK(choose_blocks(bounds, {3, 0}) == Entries{0, 3, 4});
    CHECK(choose_blocks(bounds, {5, 0}) == Entries{0, 1, 2, 3, 4});
    CHECK(choose_blocks(bounds, {9, 3}) == Entries{0, 1, 2, 3, 4});
    CHECK(choose_blocks(bounds, {2, 1}) == Entries{0, 4});
    CHECK(choose_blocks(bounds, {3, 2}) == Entries{0, 3, 4});
    CHECK(choose_blocks(bounds, {2, 4}) == Entries{3, 4});
}

}  // namespace
}  // namespace kv
