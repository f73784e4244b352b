// What the rows of the GPU time, over the emulated one: that it is right, on small shapes.

#include <catch2/catch_test_macros.hpp>

#include "bench/gpu/append.hpp"
#include "bench/gpu/attention.hpp"
#include "cuda/twins/emulated_gpu.hpp"

using namespace kv;
using namespace kv::bench;

TEST_CASE("every rung that a row times is checked against float64 first", "[gpu_rows]") {
    const auto gpu = gpu::make_emulated_gpu();
    for (const Codec& codec : {Codec::Bf16, Codec::Fp8E4m3, Codec::Int8, Codec::Int4}) {
        GpuAttention attention(
            *gpu,
            {.n_heads = 8, .n_kv_heads = 2, .dim = 32, .batch = 2, .context = 300, .codec = codec});
        for (const DecodeRung rung : gpu::kDecodeRungs) {
            CAPTURE(codec_name(codec), name_of(rung));
            CHECK(attention.check(rung) < 1e-4);
        }
    }
}

// 2 x 300 tokens x 2 KV heads x 2 sides x 64 bytes, queries and output of 2 x 8 x 32 floats, and a
// table of 2 x 19 blocks.
TEST_CASE("the bytes of attention are what it cannot do without", "[gpu_rows]") {
    const auto gpu = gpu::make_emulated_gpu();
    const GpuAttention attention(
        *gpu, {.n_heads = 8, .n_kv_heads = 2, .dim = 32, .batch = 2, .context = 300});
    CHECK(attention.bytes() == 600 * 2 * 2 * 64 + 2 * 512 * 4 + 38 * 4);
}

TEST_CASE("both ways into the pool leave the same bytes", "[gpu_rows]") {
    const auto gpu = gpu::make_emulated_gpu();
    for (const Codec& codec : {Codec::Bf16, Codec::Int8, Codec::Int4})
        CHECK_NOTHROW(GpuAppend(*gpu, codec, 5).check());
}

TEST_CASE("a clock over a GPU gives as many samples as it is asked for", "[gpu_rows]") {
    const auto gpu = gpu::make_emulated_gpu();
    GpuClock clock(*gpu, 1 << 16);
    GpuAppend append(*gpu, Codec::Int8, 2);
    CHECK(clock.us_of([&] { append.launch(); }, 7).samples.size() == 7);
    CHECK(clock.copy_bytes_per_us() > 0);
    CHECK(clock.read_bytes_per_us() > 0);
}
