// Every rung of the decode ladder over emulated blocks, on one pool: against float64, in both
// orders of blocks and threads, split and whole.

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "cuda/twins/emulated_gpu.hpp"
#include "tests/cuda/codecs.hpp"
#include "tests/cuda/kernels/case_on_gpu.hpp"

using namespace kv;
using namespace kv::gpu;
using namespace kv::test;

namespace {

// As much as a block has on Hopper.
constexpr EmulatedLimits kLimits{.shared_bytes = 227 * 1024};

// The rung's output: (rows, heads, v_dim).
std::vector<float> run_rung(const AttentionCase& on, DecodeRung rung, u32 splits = 3,
                            GridOrder order = GridOrder::Upwards) {
    const auto gpu = make_emulated_gpu(order, kLimits);
    return CaseOnGpu(*gpu, on).run(rung, splits).value();
}

std::vector<CaseShape> cases() {
    std::vector<CaseShape> list;
    const u32 groups[] = {1, 2, 3, 4, 7, 8, 16}, dims[] = {16, 32, 64, 80, 128, 256};
    const u32 blocks[] = {1, 3, 4, 7, 16, 17, 64, 128};
    for (u32 i = 0; i < 24; ++i) {
        CaseShape s;
        s.group = groups[i % 7];
        s.k_dim = dims[i % 6];
        s.v_dim = dims[i % 3 == 0 ? (i + 1) % 6 : i % 6];  // every third: d_k != d_v
        s.n_kv_heads = i % 3 + 1;
        s.block_size = blocks[i % 8];
        s.order = i % 2 == 0 ? KvOrder::TokenMajor : KvOrder::HeadMajor;
        const u32 b = s.block_size;
        s.lengths = {1, b, b + 1, b > 1 ? b - 1 : 65, 70};
        s.window = i % 4 == 3 ? 37 : 0;
        s.by_head = i % 5 == 4;
        list.push_back(s);
    }
    return list;
}

void check_errors(const AttentionCase& on, const std::vector<float>& output) {
    const auto errors = on.errors(output);
    CHECK(errors.ours <= 2 * errors.naive + 1e-7);
}

}  // namespace

TEST_CASE("every rung of attention errs at most twice as much as a plain loop",
          "[emulated][C023][heavy]") {
    u32 i = 0;
    for (const CaseShape& shape : cases()) {
        AttentionCase on(shape);
        for (const DecodeRung rung : kDecodeRungs) {
            CAPTURE(i, name_of(rung), shape.k_dim, shape.v_dim, shape.group, shape.block_size);
            check_errors(on, run_rung(on, rung, 1 + i % 4));
        }
        ++i;
    }
}

TEST_CASE("every rung reads every codec, on either side, and own tokens before they are coded",
          "[emulated][codec][heavy]") {
    const auto all = every_codec();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const bool exact : {false, true})
            for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor}) {
                CaseShape shape;
                shape.k = all[i];
                shape.v = all[exact ? i : (i + 4) % all.size()];
                shape.exact = exact;
                shape.order = order;
                shape.k_dim = shape.v_dim = 48;
                shape.block_size = 7;
                shape.lengths = {33, 1, 64, 97, 50, 20};  // enough for a largest error to mean much
                AttentionCase on(shape);
                for (const DecodeRung rung : kDecodeRungs) {
                    CAPTURE(codec_name(shape.k), codec_name(shape.v), exact, name_of(rung));
                    check_errors(on, run_rung(on, rung));
                }
            }
}

TEST_CASE("a rung that knows its codec errs no more than one that asks", "[emulated][codec]") {
    for (const Codec& codec : {Codec::Bf16, Codec::Fp8E4m3, Codec::Int8, Codec::Int4})
        for (const u32 dim : {64u, 128u}) {
            CaseShape shape;
            shape.k = shape.v = codec;
            shape.k_dim = shape.v_dim = dim;
            shape.lengths = {150, 17};
            const AttentionCase on(shape);
            CAPTURE(codec_name(codec), dim);
            check_errors(on, run_rung(on, DecodeRung::V6, 2));
            check_errors(on, run_rung(on, DecodeRung::OfCodec, 2));
        }
}

TEST_CASE("the order of blocks and threads changes no bit of attention", "[emulated][heavy]") {
    for (const CaseShape& shape : cases()) {
        AttentionCase on(shape);
        for (const DecodeRung rung : kDecodeRungs)
            CHECK(run_rung(on, rung, 3, GridOrder::Upwards) ==
                  run_rung(on, rung, 3, GridOrder::Downwards));
    }
}

TEST_CASE("splitting the keys changes attention by rounding alone", "[emulated]") {
    CaseShape shape;
    shape.lengths = {700, 31, 32, 33, 1};
    AttentionCase on(shape);
    for (const DecodeRung rung :
         {DecodeRung::V4, DecodeRung::V5, DecodeRung::V6, DecodeRung::OfCodec})
        for (const u32 splits : {1u, 2u, 3u, 8u, 22u, 64u}) {  // 22 tiles: later splits are empty
            CAPTURE(name_of(rung), splits);
            check_errors(on, run_rung(on, rung, splits));
        }
}

TEST_CASE("a table that leads out of the pool is caught before a byte is read", "[emulated]") {
    for (const DecodeRung rung : kDecodeRungs) {
        AttentionCase on(CaseShape{});
        on.tables[1] = on.pool.layout().n_blocks;
        CHECK_THROWS_AS(run_rung(on, rung), BrokenAssert);
    }
}

// A slot that was never written is NaN, and whoever looks at it has to know.
TEST_CASE("a key that is attended before it is written shows in every rung", "[emulated]") {
    for (const DecodeRung rung : kDecodeRungs) {
        AttentionCase on(CaseShape{});
        on.slots[0] += 1;  // one slot too many
        const auto output = run_rung(on, rung);
        CHECK(std::isnan(output[0]));
        CHECK_FALSE(std::isnan(output.back()));
    }
}

// Llama-3-8B: 2 x 8 KV heads x 128 x 2 bytes = 4,096 a token and layer, so 4,096 tokens are 16.8 MB
// that no kernel can do without; beside them the query and the output, 32 x 256 floats.
TEST_CASE("a rung reads 2 S H_kv d P bytes of cache, v2 once per query head", "[emulated][C074]") {
    CaseShape shape;
    shape.n_kv_heads = 8;
    shape.k_dim = shape.v_dim = 128;
    shape.k = shape.v = Codec::Bf16;
    shape.lengths = {17};
    const AttentionCase on(shape);
    const auto gpu = make_emulated_gpu();
    const CaseOnGpu there(*gpu, on);
    const Attended a = there.attended();
    constexpr u64 kCache = 4096 * 4096, kBeside = 32 * 256 * sizeof(float);
    CHECK(kCache == 16'777'216);
    CHECK(DecodeGrouped{a, {4, 1}}.bytes(4096) == kCache + kBeside);
    CHECK(DecodeOnline{a}.bytes(4096) == 4 * kCache + kBeside);
    CHECK(attention_flops(a, 4096) == 2 * 4096 * 32 * 256);
}
