#include "core/base/numbers/logits.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

using namespace kv;
using Catch::Matchers::WithinAbs;

namespace {

// exp of these is in the ratio 1 : 2 : 4 : 1.
const std::array<float, 4> kLogits{0.0f, std::log(2.0f), std::log(4.0f), 0.0f};
// Odds that do not fit into a double: exp(-2000) is 0 there.
const std::array<float, 2> kFarApart{1000, -1000}, kOtherWay{-1000, 1000};

}  // namespace

TEST_CASE("the top token is the lowest id of equals", "[logits]") {
    CHECK(top_token(kLogits) == 2);
    CHECK(top_token(std::array<float, 3>{1, 3, 3}) == 1);
}

TEST_CASE("probabilities by hand: eighths, and squared by half the temperature", "[logits]") {
    const auto p = probabilities_of(kLogits), squared = probabilities_of(kLogits, 0.5);
    const std::array<double, 4> ratios{1, 2, 4, 1};
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        CHECK_THAT(p[i], WithinAbs(ratios[i] / 8, 1e-7));
        CHECK_THAT(squared[i], WithinAbs(ratios[i] * ratios[i] / 22, 1e-7));
    }
    CHECK(probabilities_of(kFarApart) == std::vector<double>{1, 0});
}

TEST_CASE("the negative log-likelihood by hand: 1/2 and 1/8", "[logits]") {
    CHECK_THAT(negative_log_likelihood(kLogits, 2), WithinAbs(std::log(2.0), 1e-6));
    CHECK_THAT(negative_log_likelihood(kLogits, 0), WithinAbs(std::log(8.0), 1e-6));
    CHECK(negative_log_likelihood(kFarApart, 0) == 0);
    CHECK_THAT(negative_log_likelihood(kFarApart, 1), WithinAbs(2000, 1e-9));
}

// p = (1/2, 1/2), q = (1/4, 3/4): 1/2 log 2 + 1/2 log (2/3).
TEST_CASE("KL divergence by hand", "[logits]") {
    const std::array<float, 2> p{0, 0}, q{0, std::log(3.0f)}, shifted{5, 5};
    CHECK_THAT(kl_divergence(p, q),
               WithinAbs(0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0), 1e-7));
    CHECK(kl_divergence(q, q) == 0);
    CHECK_THAT(kl_divergence(p, shifted), WithinAbs(0, 1e-12));
    // p is sure of a token that q gives exp(-2000).
    CHECK_THAT(kl_divergence(kFarApart, kOtherWay), WithinAbs(2000, 1e-9));
}
