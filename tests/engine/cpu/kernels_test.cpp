// Each path's functions alone: conversions bit for bit, products against float64, and the promise
// that a sum comes out the same whatever is computed beside it.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/engine/cpu/kernels/of_path.hpp"
#include "core/engine/cpu/projection.hpp"
#include "tests/engine/cpu/model.hpp"

using namespace kv;
using namespace kv::cpu;
using namespace kv::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<float> random_floats(std::size_t n, std::uint64_t stream, double reach = 1) {
    const Random random(3, stream);
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>((2 * random.unit(i) - 1) * reach);
    return v;
}

struct Operand {
    std::vector<float> exact;  // what the codes mean
    std::vector<std::uint16_t> bf16;
};
Operand random_bf16(std::size_t n, std::uint64_t stream) {
    Operand o{random_floats(n, stream), {}};
    for (float& value : o.exact) {
        o.bf16.push_back(bf16_from_float(value));
        value = bf16_to_float(o.bf16.back());
    }
    return o;
}

// Weights and activations that both are exact in bf16, so that one truth serves every path.
struct MatrixCase {
    std::size_t rows, columns, n;
    Operand w = random_bf16(rows * columns, 1), x = random_bf16(n * columns, 2);
};

std::vector<float> multiply(const CpuKernels& kernels, const MatrixCase& c, bool bf16) {
    ThreadPool alone(0);
    const WeightStorage storage = bf16 ? WeightStorage::Bf16 : WeightStorage::F32;
    Activations x;
    x.resize(c.n, c.columns);
    for (std::size_t i = 0; i < c.n; ++i) {
        std::copy_n(&c.x.exact[i * c.columns], c.columns, x.values[i]);
        x.pack(kernels, i);
    }
    x.transpose(alone, kernels, storage);
    std::vector<float> y(c.n * c.rows, NAN);
    Product p{c.w.exact.data(), c.rows, c.columns, nullptr, c.n, 0, y.data(), c.rows};
    if (bf16) p.weights = c.w.bf16.data();
    x.give(kernels, storage, p);
    (bf16 ? kernels.multiply_bf16 : kernels.multiply_f32)(p);
    return y;
}

double exact_dot(const MatrixCase& c, std::size_t i, std::size_t r) {
    double sum = 0;
    for (std::size_t k = 0; k < c.columns; ++k)
        sum += static_cast<double>(c.w.exact[r * c.columns + k]) * c.x.exact[i * c.columns + k];
    return sum;
}

}  // namespace

TEST_CASE("the best path of this processor has a name and runs", "[cpu]") {
    CHECK(runs_here(CpuPath::Portable));
    CHECK(runs_here(best_cpu_path()));
    CHECK(cpu_path_name() == name_of(best_cpu_path()));
    CHECK(name_of(CpuPath::Avx512Bf16) == "avx512_bf16");
}

TEST_CASE("every path decodes and encodes as the codecs do, bit for bit", "[cpu]") {
    std::vector<std::uint16_t> codes(65536 + 5);  // an odd tail
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i * 7);
    const Random random(5, 5);
    std::vector<float> values(20003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float_of(random.bits(i));
    for (std::size_t i = 0; i < 4000; ++i)  // ties of both formats, and small numbers
        values[i] = float_of((random.bits(i) & 0xBFFFF000u) | (i % 2 ? 0u : 0x30000000u));
    for (const CpuPath path : paths_here())
        for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16}) {
            CAPTURE(name_of(path), codec_name(codec));
            const auto& kernels = kernels_of_path(path);
            const auto f = static_cast<std::size_t>(codec.code);
            const auto n = static_cast<std::uint32_t>(values.size());
            std::vector<std::byte> ours(n * 4, std::byte{1}), theirs(n * 4, std::byte{1});
            kernels.encode[f](values.data(), n, ours.data());
            encode_vector(codec, values.data(), n, theirs.data());
            CHECK(ours == theirs);
            if (codec == Codec::F32) continue;
            std::vector<float> decoded(codes.size()), expected(codes.size());
            const auto* bytes = reinterpret_cast<const std::byte*>(codes.data());
            kernels.decode[f](bytes, codes.size(), decoded.data());
            decode_vector(codec, bytes, static_cast<std::uint32_t>(codes.size()), expected.data());
            for (std::size_t i = 0; i < codes.size(); ++i)  // a signalling NaN may become quiet
                if (!(std::isnan(decoded[i]) && std::isnan(expected[i])))
                    REQUIRE(bits_of(decoded[i]) == bits_of(expected[i]));
        }
}

// A sum of n products of numbers up to 1 in float is off by less than n^2 / 2 units of 2^-24.
TEST_CASE("products of every shape are those of float64", "[cpu]") {
    for (const CpuPath path : paths_here())
        for (const std::size_t columns : {1u, 8u, 15u, 31u, 33u, 64u, 100u})
            for (const std::size_t rows : {1u, 3u, 16u, 37u, 130u})
                for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 20u}) {
                    const MatrixCase c{rows, columns, n};
                    for (const bool bf16 : {false, true}) {
                        const auto y = multiply(kernels_of_path(path), c, bf16);
                        double worst = 0;
                        for (std::size_t i = 0; i < y.size(); ++i)
                            worst =
                                std::max(worst, std::abs(y[i] - exact_dot(c, i / rows, i % rows)));
                        CAPTURE(name_of(path), columns, rows, n, bf16);
                        CHECK(worst <= static_cast<double>(columns) * 4 * std::ldexp(1.0, -24));
                    }
                }
}

TEST_CASE("a product does not depend on what is computed beside it", "[cpu]") {
    for (const CpuPath path : paths_here())
        for (const bool bf16 : {false, true}) {
            const MatrixCase all{70, 77, 6};
            const auto whole = multiply(kernels_of_path(path), all, bf16);
            for (std::size_t i = 0; i < all.n; ++i)
                for (std::size_t r = 0; r < all.rows; r += 9) {
                    MatrixCase one{1, 77, 1};
                    for (std::size_t k = 0; k < 77; ++k) {
                        one.w.exact[k] = all.w.exact[r * 77 + k];
                        one.w.bf16[k] = all.w.bf16[r * 77 + k];
                        one.x.exact[k] = all.x.exact[i * 77 + k];
                        one.x.bf16[k] = all.x.bf16[i * 77 + k];
                    }
                    CAPTURE(name_of(path), bf16, i, r);
                    CHECK(multiply(kernels_of_path(path), one, bf16)[0] == whole[i * 70 + r]);
                }
        }
}

// Many rows of activations go transposed and in panels: every sum is still the one that its row of
// activations has alone. 70 rows of weights are whole panels and a rest on each path.
TEST_CASE("a product of many rows in panels is that of each row alone", "[cpu]") {
    for (const CpuPath path : paths_here())
        for (const bool bf16 : {false, true})
            for (const std::size_t columns : {77u, 2081u})
                for (const std::size_t n : {9u, 47u, 135u, 550u}) {
                    const std::size_t rows = n == 47 ? 70 : 21;
                    const MatrixCase all{rows, columns, n};
                    const auto whole = multiply(kernels_of_path(path), all, bf16);
                    for (const std::size_t i : {std::size_t{0}, n / 2, n - 1}) {
                        MatrixCase one{rows, columns, 1};
                        one.w = all.w;
                        const auto first = static_cast<std::ptrdiff_t>(i * columns),
                                   end = first + static_cast<std::ptrdiff_t>(columns);
                        one.x.exact.assign(all.x.exact.begin() + first, all.x.exact.begin() + end);
                        one.x.bf16.assign(all.x.bf16.begin() + first, all.x.bf16.begin() + end);
                        const auto alone = multiply(kernels_of_path(path), one, bf16);
                        CAPTURE(name_of(path), bf16, columns, n, i);
                        CHECK(std::equal(alone.begin(), alone.end(),
                                         whole.begin() + static_cast<std::ptrdiff_t>(i * rows)));
                        CHECK(std::abs(alone[rows - 1] - exact_dot(all, i, rows - 1)) <=
                              static_cast<double>(columns) * 4 * std::ldexp(1.0, -24));
                    }
                }
}

TEST_CASE("a step of the online softmax keeps largest score and sum, tile by tile", "[cpu]") {
    for (const CpuPath path : paths_here()) {
        CAPTURE(name_of(path));
        const auto& kernels = kernels_of_path(path);
        for (const std::size_t n : {1u, 5u, 16u, 31u, 32u}) {
            const auto scores = random_floats(n, 7, 30);
            auto weights = scores;
            SoftmaxState state;
            CHECK(kernels.softmax_step(weights.data(), n, state) == 0);
            CHECK(state.max == *std::max_element(scores.begin(), scores.end()));
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) {
                const double exact = std::exp(static_cast<double>(scores[j]) - state.max);
                CHECK_THAT(weights[j], WithinRel(exact, 1e-5) || WithinAbs(exact, 1e-30));
                sum += exact;
            }
            CHECK_THAT(state.sum, WithinRel(sum, 1e-6));
            // A second tile whose largest score is higher by 2: what was there shrinks by exp(-2).
            float higher = state.max + 2;
            CHECK_THAT(kernels.softmax_step(&higher, 1, state), WithinRel(std::exp(-2.0), 1e-6));
            CHECK_THAT(state.sum, WithinRel(sum * std::exp(-2.0) + 1, 1e-6));
        }
        float nan = NAN;
        SoftmaxState state;
        kernels.softmax_step(&nan, 1, state);
        CHECK(std::isnan(state.sum));
    }
}

TEST_CASE("norm, rotation, gate and addition are their formulas", "[cpu]") {
    for (const CpuPath path : paths_here())
        for (const std::size_t n : {1u, 4u, 12u, 40u, 67u}) {
            CAPTURE(name_of(path), n);
            const auto& kernels = kernels_of_path(path);
            const auto x = random_floats(n, 1, 3), w = random_floats(n, 2);
            std::vector<float> y(n);
            kernels.rms_norm(x.data(), w.data(), n, 1e-5f, y.data());
            double squares = 0;
            for (const float v : x) squares += static_cast<double>(v) * v;
            const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-5);
            for (std::size_t i = 0; i < n; ++i)
                CHECK_THAT(y[i], WithinAbs(x[i] * scale * w[i], 1e-6));

            auto up = w;
            const auto wide = random_floats(n, 3, 100);
            kernels.gate(wide.data(), n, up.data());
            for (std::size_t i = 0; i < n; ++i) {
                const double exact =
                    w[i] * (wide[i] / (1 + std::exp(-static_cast<double>(wide[i]))));
                CHECK_THAT(up[i], WithinRel(exact, 1e-5) || WithinAbs(exact, 1e-30));
            }

            auto head = random_floats(2 * n, 4);
            const auto before = head;
            kernels.rotate(head.data(), x.data(), w.data(), n);
            for (std::size_t i = 0; i < n; ++i) {
                CHECK_THAT(head[i], WithinAbs(before[i] * x[i] - before[i + n] * w[i], 1e-6));
                CHECK_THAT(head[i + n], WithinAbs(before[i + n] * x[i] + before[i] * w[i], 1e-6));
            }

            auto sum = x;
            kernels.add(w.data(), n, sum.data());
            for (std::size_t i = 0; i < n; ++i) CHECK(sum[i] == x[i] + w[i]);
        }
}
