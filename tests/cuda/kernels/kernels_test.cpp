// The kernels beside attention over emulated blocks, each against a loop in float64 or a count by
// hand; and the emulation itself: what it has to notice.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "cuda/backend/gpu_backend.hpp"
#include "cuda/twins/emulated_gpu.hpp"
#include "tests/cuda/codecs.hpp"
#include "tests/cuda/view_of.hpp"

using namespace kv;
using namespace kv::gpu;
using namespace kv::test;

namespace {

std::vector<float> some(std::size_t n, std::uint64_t stream, double reach = 1) {
    const Random random(11, stream);
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>((2 * random.unit(i) - 1) * reach);
    return v;
}

// A matrix in either storage, and what its numbers are.
struct TestMatrix {
    std::vector<std::uint16_t> bf16;
    std::vector<float> values;
    std::vector<std::byte> bytes;
    WeightView view;

    TestMatrix(u32 rows, u32 columns, bool in_bf16, std::uint64_t stream)
        : values(some(std::size_t{rows} * columns, stream)) {
        bytes.resize(values.size() * (in_bf16 ? 2 : 4));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (in_bf16) {
                const std::uint16_t code = bf16_from_float(values[i]);
                values[i] = bf16_to_float(code);
                std::memcpy(&bytes[2 * i], &code, 2);
            } else {
                std::memcpy(&bytes[4 * i], &values[i], 4);
            }
        }
        view = {{bytes.data(), bytes.size()}, rows, columns, in_bf16};
    }
};

struct Shape {
    u32 n_rows, columns, outputs_a, outputs_b;
};

double dot(const TestMatrix& w, u32 output, const std::vector<float>& x, u32 row) {
    double sum = 0;
    for (u32 c = 0; c < w.view.columns; ++c)
        sum += double{w.values[output * w.view.columns + c]} * x[row * w.view.columns + c];
    return sum;
}

// y of both parts, one behind the other.
template <class Kernel>
std::vector<float> multiply(const Shape& s, TestMatrix& a, TestMatrix& b, ProductEnd end,
                            std::vector<float>& x, std::vector<float>& bias, GridOrder order) {
    std::vector<float> y_a(std::size_t{s.n_rows} * s.outputs_a, 0.5f),
        y_b(std::size_t{s.n_rows} * s.outputs_b, 0.5f);
    Product p{{{a.view, view_of(bias), view_of(y_a)}, {b.view, {}, view_of(y_b)}},
              end == ProductEnd::Add ? 1u : 2u,
              s.n_rows,
              end,
              view_of(x)};
    run_emulated(Kernel{p}, order);
    y_a.insert(y_a.end(), y_b.begin(), y_b.end());
    return y_a;
}

template <class Kernel>
void check_products() {
    for (const bool bf16 : {false, true})
        for (const Shape& s : {Shape{1, 64, 5, 5}, Shape{3, 40, 33, 33}, Shape{9, 37, 7, 7},
                               Shape{33, 70, 40, 40}, Shape{2, 8, 130, 130}})
            for (const ProductEnd end : {ProductEnd::Store, ProductEnd::Add, ProductEnd::Gated}) {
                TestMatrix a(s.outputs_a, s.columns, bf16, 1), b(s.outputs_b, s.columns, bf16, 2);
                auto x = some(std::size_t{s.n_rows} * s.columns, 3), bias = some(s.outputs_a, 4);
                const auto y = multiply<Kernel>(s, a, b, end, x, bias, GridOrder::Upwards);
                CAPTURE(Kernel::kName, bf16, s.n_rows, s.columns, static_cast<int>(end));
                CHECK(y == multiply<Kernel>(s, a, b, end, x, bias, GridOrder::Downwards));
                double worst = 0, largest = 1;
                for (u32 row = 0; row < s.n_rows; ++row)
                    for (u32 o = 0; o < s.outputs_a; ++o) {
                        double want = dot(a, o, x, row) + bias[o];
                        if (end == ProductEnd::Add) want += 0.5;
                        if (end == ProductEnd::Gated)
                            want = want / (1 + std::exp(-want)) * dot(b, o, x, row);
                        worst = std::max(worst, std::abs(want - y[row * s.outputs_a + o]));
                        largest = std::max(largest, std::abs(want));
                        if (end != ProductEnd::Store) continue;
                        const double other = y[s.n_rows * s.outputs_a + row * s.outputs_b + o];
                        worst = std::max(worst, std::abs(dot(b, o, x, row) - other));
                    }
                // Each of `columns` additions may round by half of 2^-23; a gate has two sums.
                CHECK(worst <= s.columns * 0x1p-24 * 4 * largest);
            }
}

}  // namespace

TEST_CASE("every rung of the products gives the products", "[emulated]") {
    check_products<MatmulThreadPerOutput>();
    check_products<MatmulWarpPerOutput>();
    check_products<MatmulTile>();
}

// 2 x 3 weights of 4 bytes, 5 rows of 3 in and 2 out, 4 bytes each; 2 x 2 x 3 x 5 operations.
TEST_CASE("a product counts its bytes and operations", "[emulated]") {
    TestMatrix w(2, 3, false, 1);
    auto x = some(15, 2);
    std::vector<float> y(10);
    const Product p{{{w.view, {}, view_of(y)}}, 1, 5, ProductEnd::Store, view_of(x)};
    CHECK(p.bytes() == 24 + 60 + 40);
    CHECK(p.flops() == 60);
}

TEST_CASE("the largest logit's token is taken, the first of several", "[emulated]") {
    std::vector<float> logits(3 * 1000, -1.0f);
    logits[700] = 3;
    logits[1000 + 999] = logits[1000 + 5] = 2;
    std::vector<u32> tokens(3, 77);
    for (const GridOrder order : {GridOrder::Upwards, GridOrder::Downwards}) {
        run_emulated(Argmax{view_of(logits), view_of(tokens), 3, 1000}, order);
        CHECK(tokens == std::vector<u32>{700, 5, 0});
    }
    std::vector<float> few{1, 4, 2};
    std::vector<u32> one(1);
    run_emulated(Argmax{view_of(few), view_of(one), 1, 3});
    CHECK(one[0] == 1);
}

TEST_CASE("a vector that a warp codes has the bytes that the codec gives", "[emulated][codec]") {
    auto codecs = kv::test::every_codec();
    codecs.push_back({ElementCode::Int3, ScaleMode::Groups, 4});
    codecs.push_back({ElementCode::Int2, ScaleMode::Groups, 40});
    constexpr u32 kDim = 40;
    for (const Codec& codec : codecs)
        for (const double reach : {0.0, 1.0, 1e-6, 7e4}) {
            auto values = some(kDim, 5, reach);
            if (reach == 1.0) values[7] = std::numeric_limits<float>::quiet_NaN();
            const KvVector vector = vector_of(codec, kDim);
            std::vector<std::byte> ours(vector.bytes, std::byte{0xAA}), theirs = ours;
            EmulatedBlock block(0, kWarp, 4096, false);
            auto shared = block.floats(kDim), scales = block.floats(2 * kDim);
            block.each([&](u32 t) {
                for (u32 i = t; i < kDim; i += kWarp) shared[i] = values[i];
            });
            block.sync();
            const AnyCoded coded{codec, kDim, vector.element_bits, 0x2C00};
            code_vector(block, coded, shared, scales, ours.data());
            encode_vector(codec, values.data(), kDim, theirs.data(), 0x2C00);
            CAPTURE(codec_name(codec), reach);
            CHECK(ours == theirs);
            std::vector<float> decoded(kDim);
            decode_vector(codec, theirs.data(), kDim, decoded.data(), 0x2C00);
            for (u32 i = 0; i < kDim; ++i) {
                const float read = coded.at(ours.data(), i);
                CHECK((read == decoded[i] || (std::isnan(read) && std::isnan(decoded[i]))));
            }
        }
}

TEST_CASE("splits fill a card and leave tiles worth starting", "[emulated]") {
    CHECK(choose_splits({1024, 4096, 132}) <= 2);  // a batch of 128 fills it alone
    CHECK(choose_splits({8, 4096, 132}) == 16);    // 128 tiles, of which 8 are the least
    CHECK(choose_splits({8, 32768, 132}) >= 32);   // one sequence, eight KV heads
    CHECK(choose_splits({8, 64, 132}) == 1);       // two tiles
    CHECK(choose_splits({1, 0, 132}) == 1);
}

namespace {

// What bodies do wrong, for the emulation to notice.
template <class Body>
void run_body(u32 n_threads, const Body& body) {
    EmulatedBlock block(0, n_threads, 1024, false);
    body(block);
}

}  // namespace

TEST_CASE("a missing barrier, a wrong index and an early read are noticed", "[emulated]") {
    const auto write_own = [](auto& shared) {
        return [&](u32 t) { shared[t] = static_cast<float>(t); };
    };
    CHECK_THROWS_AS(run_body(32,
                             [&](EmulatedBlock& block) {
                                 auto shared = block.floats(32);
                                 block.each(write_own(shared));
                                 block.each([&](u32 t) { (void)float{shared[31 - t]}; });
                             }),
                    BrokenAssert);  // read what others write
    CHECK_THROWS_AS(run_body(32,
                             [&](EmulatedBlock& block) {
                                 auto shared = block.floats(32);
                                 block.each(write_own(shared));
                                 block.sync();
                                 block.each([&](u32 t) { (void)float{shared[31 - t]}; });
                                 block.each(write_own(shared));
                             }),
                    BrokenAssert);  // write what others read
    CHECK_THROWS_AS(run_body(32,
                             [](EmulatedBlock& block) {
                                 auto shared = block.floats(32);
                                 block.each([&](u32) { shared[0] = 1; });
                             }),
                    BrokenAssert);  // all write one word
    CHECK_THROWS_AS(run_body(64,
                             [&](EmulatedBlock& block) {
                                 auto shared = block.floats(32);
                                 block.each(write_own(shared));
                             }),
                    BrokenAssert);  // beyond its end
    CHECK_THROWS_AS(run_body(32, [](EmulatedBlock& block) { block.floats(257); }), BrokenAssert);
    run_body(32, [&](EmulatedBlock& block) {
        auto shared = block.floats(32);
        block.each(write_own(shared));
        block.sync();
        block.each([&](u32 t) { CHECK(float{shared[31 - t]} == static_cast<float>(31 - t)); });
        block.sync();
        block.each(write_own(shared));
    });
}

TEST_CASE("an asynchronous copy has arrived behind its wait, and not before", "[emulated]") {
    alignas(16) const float from[4] = {1, 2, 3, 4};
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    const auto first_of = [](const SharedBytesOfHost& shared) {
        float value;
        std::memcpy(&value, shared.read(0, 4), 4);
        return value;
    };
    run_body(32, [&](EmulatedBlock& block) {
        const auto shared = block.bytes(16);
        block.each([&](u32 t) {
            if (t == 3) block.copy_async(shared, 0, bytes, 16);
        });
        block.commit_copies();
        block.sync();
        CHECK(std::isnan(first_of(shared)));  // under way
        block.sync();
        block.wait_copies<1>();
        CHECK(std::isnan(first_of(shared)));
        block.sync();
        block.wait_copies<0>();
        CHECK_THROWS_AS(first_of(shared), BrokenAssert);  // for thread 3 alone
        block.sync();
        CHECK(first_of(shared) == 1);
    });
}

TEST_CASE("what does not fit into a card is refused with both sizes and the way out",
          "[emulated]") {
    const auto gpu = make_emulated_gpu(GridOrder::Upwards, {.memory_bytes = u64{3} << 20});
    const auto half = gpu->allocate(u64{2} << 20);
    try {
        gpu->allocate(u64{2} << 20);
        FAIL("memory that is not there was given out");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        CHECK(std::string(error.what()) ==
              "The tables of this pass need 2 MiB on the GPU, which has 1 MiB free. Use --backend "
              "cpu, or make the pool smaller with --pool.");
    }
    gpu->release(half);
    CHECK(gpu->free_bytes() == u64{3} << 20);
}
