#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/cache/codec/vector_codec.hpp"
#include "core/cache/kv_pool.hpp"

using namespace kv;

namespace {

template <class Real>
std::array<Real, 4> round_trip(Codec codec, const std::array<Real, 4>& values) {
    std::array<std::byte, 64> bytes{};
    std::array<Real, 4> back{};
    encode_vector(codec, values.data(), 4, bytes.data());
    decode_vector(codec, bytes.data(), 4, back.data());
    return back;
}

}  // namespace

// 1 + 2^-9 lies between two bf16 numbers and is a number of fp16; 70,000 is too large for fp16.
TEST_CASE("each format keeps what it can hold", "[format]") {
    const std::array<float, 4> values{1.5f, -50.0f, 1.0f + 0x1p-9f, 70'000.0f};
    CHECK(round_trip(Codec::F32, values) == values);
    CHECK(round_trip(Codec::Bf16, values) == std::array<float, 4>{1.5f, -50.0f, 1.0f, 70'144.0f});
    const auto half = round_trip(Codec::Fp16, values);
    CHECK(half[2] == values[2]);
    CHECK(std::isinf(half[3]));
    const std::array<double, 4> fine{0.1, 1.0 + 0x1p-50, -0.0, 3e300};
    CHECK(round_trip(Codec::F64, fine) == fine);
}

TEST_CASE("bf16 payloads are the bytes of the chapter", "[format][C032]") {
    const std::array<float, 2> values{1.5f, -50.0f};
    std::array<std::uint16_t, 2> codes{};
    std::array<std::byte, 4> bytes{};
    encode_vector(Codec::Bf16, values.data(), 2, bytes.data());
    std::memcpy(codes.data(), bytes.data(), 4);
    CHECK(codes == std::array<std::uint16_t, 2>{0x3FC0, 0xC248});
}

TEST_CASE("a vector's bytes follow its format", "[format]") {
    CHECK(vector_of(Codec::F32, 16).bytes == 64);
    CHECK(vector_of(Codec::Bf16, 16).bytes == 32);
    CHECK(vector_of(Codec::Fp16, 24).bytes == 48);
    CHECK(codec_name(Codec::Fp16) == "fp16");
}

TEST_CASE("a slot that was never written reads as NaN in every format", "[pool][I13]") {
    for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16, Codec::F64}) {
        const KvVector vector = vector_of(codec, 4);
        KvPool pool({1, 1, 2, 2, KvOrder::TokenMajor, vector, vector}, codec, codec);
        const std::array<float, 4> ones{1, 1, 1, 1};
        std::array<float, 4> back{};
        std::byte* first = pool.vector(LayerId(0), Side::V, HeadId(0), BlockId(1), Slot(0));
        decode_vector(codec, first, 4, back.data());
        CHECK(std::isnan(back[0]));
        encode_vector(codec, ones.data(), 4, first);
        decode_vector(codec, first, 4, back.data());
        CHECK(back == ones);
        decode_vector(codec, first + vector.bytes, 4, back.data());
        CHECK(std::isnan(back[3]));
    }
}
