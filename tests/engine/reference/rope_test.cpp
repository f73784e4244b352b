#include "core/engine/reference/rope.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/cache/codec/vector_codec.hpp"

using namespace kv;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

ModelConfig config_with(std::uint32_t head_dim, double theta, RopeScaling scaling = {}) {
    ModelConfig config;
    config.head_dim = head_dim;
    config.rope = {theta, scaling};
    return config;
}

std::vector<double> random_head(std::size_t n, std::uint64_t seed) {
    std::vector<double> head(n);
    for (std::size_t i = 0; i < n; ++i) head[i] = Random(seed, 0).unit(i) - 0.5;
    return head;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

TEST_CASE("frequencies fall from one by equal factors", "[rope]") {
    const auto f = rope_frequencies(config_with(8, 10'000));
    REQUIRE(f.size() == 4);
    for (const auto& [i, value] : {std::pair{0, 1.0}, {1, 0.1}, {2, 0.01}, {3, 0.001}})
        CHECK_THAT(f[static_cast<std::size_t>(i)], WithinRel(value, 1e-12));
    CHECK_THAT(rope_frequencies(config_with(8, 10'000, LinearScaling{4}))[1],
               WithinRel(0.025, 1e-12));
}

// Factor 8, trained on 8,192: waves above 8,192 / 1 are stretched, below 8,192 / 4 = 2,048 kept. In
// between, at frequency f: s = (8192 f / 2 pi - 1) / 3, and (1 - s) f / 8 + s f.
TEST_CASE("Llama 3 stretches the long waves only", "[rope]") {
    const Llama3Scaling scaling{8, 1, 4, 8192};
    const auto plain = rope_frequencies(config_with(128, 500'000)),
               f = rope_frequencies(config_with(128, 500'000, scaling));
    CHECK(f[0] == plain[0]);
    CHECK(f[20] == plain[20]);
    CHECK_THAT(f[63], WithinRel(plain[63] / 8, 1e-12));
    const double s = (8192 * plain[30] / 6.283185307179586 - 1) / 3;
    REQUIRE((s > 0 && s < 1));
    CHECK_THAT(f[30], WithinRel((1 - s) * plain[30] / 8 + s * plain[30], 1e-12));
}

TEST_CASE("a scaling that is only priced is refused by name", "[rope]") {
    CHECK_THROWS_AS(rope_frequencies(config_with(8, 1e4, YarnScaling{4, 32, 1, {}, {}, {}, 4096})),
                    Error);
}

TEST_CASE("element i rotates with element i + half, by position x frequency", "[rope]") {
    const auto f = rope_frequencies(config_with(4, 10'000));
    std::vector<double> head{1, 0, 0, 2};
    rotate_head(head.data(), f, 3);
    CHECK_THAT(head[0], WithinAbs(std::cos(3.0), 1e-12));
    CHECK_THAT(head[2], WithinAbs(std::sin(3.0), 1e-12));
    CHECK_THAT(head[1], WithinAbs(-2 * std::sin(0.03), 1e-12));
    CHECK_THAT(head[3], WithinAbs(2 * std::cos(0.03), 1e-12));
}

TEST_CASE("a score depends on the distance alone, and rotations add up", "[rope][C144]") {
    const auto f = rope_frequencies(config_with(64, 10'000));
    const auto scored = [&](std::uint32_t at, std::uint32_t back) {
        auto q = random_head(64, 1), k = random_head(64, 2);
        rotate_head(q.data(), f, at);
        rotate_head(k.data(), f, at - back);
        return dot(q, k);
    };
    for (const std::uint32_t at : {40u, 41u, 1000u, 100'000u})
        CHECK_THAT(scored(at, 40), WithinAbs(scored(40, 40), 1e-9));
    CHECK(std::abs(scored(100, 40) - scored(100, 39)) > 1e-3);
    auto twice = random_head(64, 3), once = twice;
    rotate_head(twice.data(), f, 5);
    rotate_head(twice.data(), f, 7);
    rotate_head(once.data(), f, 12);
    for (std::size_t i = 0; i < 64; ++i) CHECK_THAT(twice[i], WithinAbs(once[i], 1e-12));
}

namespace {

// The largest error of 16 keys of 64 elements that were rotated by one position again and again,
// each time rounded to where they are stored, against one exact rotation.
struct Drift {
    double in_place = 0, once = 0;
};
Drift drift_after(std::uint32_t rotations, Codec stored) {
    const auto f = rope_frequencies(config_with(64, 10'000));
    const auto rounded = [&](std::vector<float> key) {
        std::vector<std::byte> bytes(vector_of(stored, 64).bytes);
        encode_vector(stored, key.data(), 64, bytes.data());
        decode_vector(stored, bytes.data(), 64, key.data());
        return key;
    };
    Drift worst;
    for (std::uint64_t k = 0; k < 16; ++k) {
        std::vector<float> key(64);
        std::vector<double> exact(64);
        const Random random(k, 31);
        for (std::size_t i = 0; i < 64; ++i) {  // normal, by Box and Muller
            const double u = random.unit(2 * i) + 1e-12, v = random.unit(2 * i + 1);
            exact[i] = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
            key[i] = static_cast<float>(exact[i]);
        }
        rotate_head(exact.data(), f, rotations);
        std::vector<float> again = rounded(key), once = rounded(key);
        for (std::uint32_t t = 0; t < rotations; ++t) {
            rotate_head(again.data(), f, 1);
            again = rounded(again);
        }
        rotate_head(once.data(), f, rotations);
        once = rounded(once);
        for (std::size_t i = 0; i < 64; ++i) {
            worst.in_place = std::max(worst.in_place, std::abs(again[i] - exact[i]));
            worst.once = std::max(worst.once, std::abs(once[i] - exact[i]));
        }
    }
    return worst;
}

void check_within_three(double actual, double least, double most) {
    CHECK(actual > least / 3);
    CHECK(actual < most * 3);
}

}  // namespace

TEST_CASE("a key that is rotated in place again and again drifts; one rotation does not",
          "[rope][eviction]") {
    check_within_three(drift_after(1, Codec::F32).in_place, 3e-7, 3e-7);
    check_within_three(drift_after(10, Codec::F32).in_place, 1.5e-6, 1.5e-6);
    check_within_three(drift_after(100, Codec::F32).in_place, 1.5e-5, 1.5e-5);
    const Drift f32 = drift_after(1000, Codec::F32), fp16 = drift_after(1000, Codec::Fp16);
    check_within_three(f32.in_place, 1.2e-4, 1.7e-4);
    check_within_three(f32.once, 3e-7, 3e-7);
    check_within_three(drift_after(1, Codec::Fp16).in_place, 3e-3, 4e-3);
    check_within_three(drift_after(10, Codec::Fp16).in_place, 1.3e-2, 1.3e-2);
    check_within_three(drift_after(100, Codec::Fp16).in_place, 0.12, 0.12);
    check_within_three(fp16.in_place, 0.9, 1.6);
    check_within_three(fp16.once, 2.5e-3, 3.3e-3);
}

TEST_CASE("a rotation whose sines are computed once is the same rotation to the bit", "[rope]") {
    const auto frequencies = rope_frequencies(config_with(16, 10'000));
    for (const std::int64_t by : {-1, 0, 7}) {
        const std::vector<double> head = random_head(16, 5);
        std::vector<float> once(head.begin(), head.end()), each = once;
        const FixedRotation<float> fixed(frequencies, by);
        for (int i = 0; i < 3; ++i) {
            fixed.rotate(once.data());
            rotate_head(each.data(), frequencies, by);
        }
        CHECK(once == each);
    }
}

TEST_CASE("what is kept of a position rotates to the same bits", "[rope]") {
    const auto f = rope_frequencies(config_with(16, 10'000));
    Rotations<float> rotations(f);
    const std::vector<double> head = random_head(32, 3);  // two heads of 16
    for (const std::uint32_t position : {0u, 7u, 7u, 4'095u, 4'096u, 4'096u, 3u}) {
        std::vector<float> kept(head.begin(), head.end()), computed = kept;
        rotations.rotate(kept.data(), 2, position);
        rotate_heads(computed.data(), 2, f, position);
        CHECK(kept == computed);
    }
}

// <rotated(q, i), rotated(k, j)> for every survivor, by its own index or by its rank.
TEST_CASE("scores depend on the distance alone, in every convention", "[rope][eviction]") {
    const auto f = rope_frequencies(config_with(16, 10'000));
    const std::vector<double> q = random_head(16, 1), k = random_head(16, 2);
    const auto score = [&](std::uint32_t i, std::uint32_t j) {
        auto a = q, b = k;
        rotate_head(a.data(), f, i);
        rotate_head(b.data(), f, j);
        return dot(a, b);
    };
    const std::vector<std::uint32_t> survivors{0, 1, 2, 3, 6, 7, 8, 40, 211};
    for (std::uint32_t rank = 0; rank < survivors.size(); ++rank) {
        CHECK_THAT(score(300, survivors[rank]), WithinAbs(score(300 - survivors[rank], 0), 1e-12));
        CHECK_THAT(score(9, rank), WithinAbs(score(9 - rank, 0), 1e-12));
    }
}
