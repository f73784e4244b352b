// The rule of speculative sampling, by exact enumeration: whatever the draft model's distribution
// is, what comes out has the target's.

#include "core/engine/draft/acceptance.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/base/dice.hpp"

using namespace kv;
using namespace kv::test;

namespace {

using Distribution = std::vector<double>;

// Every proposal, accepted or struck, and everything that may be drawn for a struck one.
Distribution enumerated(const Distribution& p, const Distribution& q) {
    Distribution out(p.size());
    const Distribution rest = adjusted_distribution(p, q);
    for (std::uint32_t token = 0; token < q.size(); ++token) {
        if (q[token] == 0) continue;
        const double accepted = acceptance(p, q, token);
        out[token] += q[token] * accepted;
        for (std::uint32_t other = 0; other < p.size(); ++other)
            out[other] += q[token] * (1 - accepted) * rest[other];
    }
    return out;
}

Distribution random_distribution(Dice& dice, std::uint32_t n) {
    Distribution p(n);
    double sum = 0;
    for (double& each : p) sum += each = dice.one_in(3) ? 0 : dice.between(1, 1000);
    if (sum == 0) sum = p[dice.below(n)] = 1;
    for (double& each : p) each /= sum;
    return p;
}

}  // namespace

TEST_CASE("a struck token is drawn from what the target has more", "[draft]") {
    const Distribution p{0.5, 0.3, 0.2}, q{0.2, 0.6, 0.2};
    CHECK(acceptance(p, q, 0) == 1);
    CHECK(acceptance(p, q, 1) == Catch::Approx(0.5));
    CHECK(acceptance(p, q, 2) == 1);
    // Only token 0 is more probable for the target: 0.3 more.
    CHECK(adjusted_distribution(p, q) == Distribution{1, 0, 0});
}

TEST_CASE("what comes out is the target's distribution, whatever proposes", "[draft]") {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Dice dice(seed);
        const std::uint32_t n = dice.between(1, 7);
        const Distribution p = random_distribution(dice, n), q = random_distribution(dice, n);
        const Distribution out = enumerated(p, q);
        for (std::uint32_t token = 0; token < n; ++token)
            REQUIRE(out[token] == Catch::Approx(p[token]).margin(1e-12));
    }
}

TEST_CASE("a certain proposal is one with probability 1", "[draft]") {
    const Distribution p{0.5, 0.3, 0.2}, certain{0, 1, 0};
    CHECK(acceptance(p, certain, 1) == 0.3);
    // The others keep their proportions: that is to draw from p until something else comes.
    CHECK(adjusted_distribution(p, certain)[0] == Catch::Approx(0.5 / 0.7));
    CHECK(adjusted_distribution(p, certain)[1] == 0);
    CHECK(adjusted_distribution(p, certain)[2] == Catch::Approx(0.2 / 0.7));
}

TEST_CASE("a token lies where its probability does", "[draft]") {
    const Distribution p{0.25, 0, 0.5, 0.25};
    CHECK(token_at(p, 0) == 0);
    CHECK(token_at(p, 0.25) == 2);
    CHECK(token_at(p, 0.7499) == 2);
    CHECK(token_at(p, 0.75) == 3);
    CHECK(token_at({p.begin(), p.begin() + 2}, 0.999) == 0);  // never one that cannot be
}
