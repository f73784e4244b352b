#include "core/engine/run/request/sampler.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <vector>

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

// How often each token is drawn, over many positions.
std::vector<double> shares(std::span<const float> logits, const Sampling& how) {
    constexpr int kDraws = 40'000;
    std::vector<double> count(logits.size());
    for (int position = 0; position < kDraws; ++position)
        count[sample(logits, how, 1, static_cast<std::uint64_t>(position))] += 1.0 / kDraws;
    return count;
}

// exp of these is in the ratio 1 : 2 : 4 : 1.
const std::array<float, 4> kLogits{0.0f, std::log(2.0f), std::log(4.0f), 0.0f};

}  // namespace

TEST_CASE("without a temperature the largest logit wins, and of equals the first", "[sampler]") {
    CHECK(sample(kLogits, {}, 0, 0) == 2);
    CHECK(sample(std::array<float, 3>{1, 3, 3}, {}, 0, 0) == 1);
}

TEST_CASE("draws follow the softmax", "[sampler]") {
    const auto seen = shares(kLogits, {.temperature = 1, .top_k = {}, .top_p = {}});
    for (const auto& [token, share] : {std::pair{0, 0.125}, {1, 0.25}, {2, 0.5}, {3, 0.125}})
        CHECK_THAT(seen[static_cast<std::size_t>(token)], WithinAbs(share, 0.01));
    // Half the temperature squares the ratios: 1 : 4 : 16 : 1.
    CHECK_THAT(shares(kLogits, {.temperature = 0.5, .top_k = {}, .top_p = {}})[2],
               WithinAbs(16.0 / 22, 0.01));
}

TEST_CASE("top-k and top-p keep the most probable tokens", "[sampler]") {
    const auto two = shares(kLogits, {.temperature = 1, .top_k = 2, .top_p = {}});
    CHECK(two[0] + two[3] == 0);
    CHECK_THAT(two[2], WithinAbs(2.0 / 3, 0.01));
    // 0.5 is reached by the first alone, 0.51 takes the second; of equals the lower id stays.
    CHECK(shares(kLogits, {.temperature = 1, .top_k = {}, .top_p = 0.5})[2] > 0.9999);
    CHECK(shares(kLogits, {.temperature = 1, .top_k = {}, .top_p = 0.51})[1] > 0.3);
    const auto three = shares(kLogits, {.temperature = 1, .top_k = 3, .top_p = {}});
    CHECK(three[0] > 0.1);
    CHECK(three[3] == 0);
}

TEST_CASE("a draw depends on seed, request and position alone", "[sampler]") {
    const Sampling how{.temperature = 1, .top_k = {}, .top_p = {}, .seed = 5};
    int other_request = 0, other_seed = 0;
    for (std::uint64_t position = 0; position < 200; ++position) {
        const std::uint32_t token = sample(kLogits, how, 1, position);
        CHECK(sample(kLogits, how, 1, position) == token);
        other_request += sample(kLogits, how, 2, position) != token;
        other_seed += sample(kLogits, {.temperature = 1, .top_k = {}, .top_p = {}, .seed = 6}, 1,
                             position) != token;
    }
    CHECK(other_request > 50);
    CHECK(other_seed > 50);
}
