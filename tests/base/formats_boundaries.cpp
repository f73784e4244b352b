// The edges of each format, worked out by hand. A float is written as its value where that is
// short, otherwise as its bits.

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"

using kv::decode;
using kv::encode;
using kv::float_of;
using kv::FormatFields;
using kv::NumberFormat;

namespace {

struct Row {
    float value;
    std::uint32_t code;
};

void check(NumberFormat format, std::initializer_list<Row> rows) {
    const std::uint32_t sign = 1u << (kv::shape_of(format).bits() - 1);
    for (const Row& row : rows) {
        INFO(kv::name_of(format) << " " << row.value);
        CHECK(encode(format, row.value) == row.code);
        CHECK(encode(format, -row.value) == (row.code | sign));
    }
}

bool same(const FormatFields& a, const FormatFields& b) {
    return a.sign == b.sign && a.exponent == b.exponent && a.fraction == b.fraction &&
           a.power == b.power && a.kind == b.kind;
}

}  // namespace

TEST_CASE("the byte inspector's example: 0x3FC0 in bf16 is 1.5", "[formats][C032]") {
    CHECK(kv::bf16_to_float(0x3FC0) == 1.5f);
    CHECK(kv::bf16_from_float(1.5f) == 0x3FC0);
    CHECK(kv::bf16_to_float(0xC248) == -50.0f);
    CHECK(kv::bf16_from_float(-50.0f) == 0xC248);
}

TEST_CASE("bf16 at its edges", "[formats]") {
    check(NumberFormat::Bf16,
          {{0.0f, 0x0000},
           {1.0f, 0x3F80},
           {0x1p-133f, 0x0001},             // smallest subnormal: 2^-126 / 2^7
           {0x1p-134f, 0x0000},             // half of it: tie, to 0
           {0x1.8p-134f, 0x0001},           // three quarters
           {0x1p-149f, 0x0000},             // the smallest float
           {0x1.FCp-127f, 0x007F},          // largest subnormal: 127/128 x 2^-126
           {0x1.FEp-127f, 0x0080},          // halfway to the smallest normal, which is even
           {0x1p-126f, 0x0080},             // smallest normal
           {0x1.FEp127f, 0x7F7F},           // largest: 255/128 x 2^127
           {float_of(0x7F7F7FFF), 0x7F7F},  // just below halfway to 2^128
           {float_of(0x7F7F8000), 0x7F80},  // halfway: to infinity
           {float_of(0x7F7FFFFF), 0x7F80},  // the largest float
           {INFINITY, 0x7F80}});
    CHECK(kv::largest_finite(NumberFormat::Bf16) == 0x1.FEp127f);
}

TEST_CASE("fp16 at its edges", "[formats]") {
    check(NumberFormat::Fp16, {{0.0f, 0x0000},
                               {1.0f, 0x3C00},
                               {0x1p-24f, 0x0001},  // smallest subnormal: 2^-14 / 2^10
                               {0x1p-25f, 0x0000},  // tie, to 0
                               {0x1.000002p-25f, 0x0001},
                               {0x1.8p-24f, 0x0002},    // 1.5 of it: tie, to 2
                               {0x1.FF8p-15f, 0x03FF},  // largest subnormal: 1023/1024 x 2^-14
                               {0x1.FFCp-15f, 0x0400},  // halfway to the smallest normal
                               {0x1p-14f, 0x0400},      // smallest normal
                               {1.0009765625f, 0x3C01},
                               {1.00048828125f, 0x3C00},  // tie, to 1
                               {65504.0f, 0x7BFF},        // largest
                               {65519.996f, 0x7BFF},      // just below halfway to 65,536
                               {65520.0f, 0x7C00},        // halfway: to infinity
                               {1e10f, 0x7C00},
                               {INFINITY, 0x7C00}});
    CHECK(kv::largest_finite(NumberFormat::Fp16) == 65504.0f);
}

TEST_CASE("fp8 e5m2 at its edges", "[formats]") {
    check(NumberFormat::Fp8E5m2, {{0.0f, 0x00},
                                  {1.0f, 0x3C},
                                  {0x1p-16f, 0x01},  // smallest subnormal: 2^-14 / 2^2
                                  {0x1p-17f, 0x00},  // tie, to 0
                                  {0x1.8p-17f, 0x01},
                                  {0x1.8p-15f, 0x03},  // largest subnormal: 3/4 x 2^-14
                                  {0x1.Cp-15f, 0x04},  // halfway to the smallest normal
                                  {0x1p-14f, 0x04},    // smallest normal
                                  {57344.0f, 0x7B},    // largest: 1.75 x 2^15
                                  {61439.996f, 0x7B},  // just below halfway to 65,536
                                  {61440.0f, 0x7C},    // halfway: to infinity
                                  {INFINITY, 0x7C}});
    CHECK(kv::largest_finite(NumberFormat::Fp8E5m2) == 57344.0f);
}

TEST_CASE("fp8 e4m3 saturates: nothing but a NaN becomes a NaN", "[formats]") {
    check(NumberFormat::Fp8E4m3, {{0.0f, 0x00},
                                  {1.0f, 0x38},
                                  {0x1p-9f, 0x01},   // smallest subnormal: 2^-6 / 2^3
                                  {0x1p-10f, 0x00},  // tie, to 0
                                  {0x1.8p-10f, 0x01},
                                  {0x1.Cp-7f, 0x07},  // largest subnormal: 7/8 x 2^-6
                                  {0x1.Ep-7f, 0x08},  // halfway to the smallest normal
                                  {0x1p-6f, 0x08},    // smallest normal
                                  {240.0f, 0x77},     // the largest of the exponent below the top
                                  {256.0f, 0x78},     // the top exponent holds numbers too
                                  {432.0f, 0x7E},     // tie between 416 and 448, to even
                                  {448.0f, 0x7E},     // largest: 1.75 x 2^8
                                  {464.0f, 0x7E},     // 480 would come next, were it not NaN
                                  {464.00003f, 0x7E},
                                  {480.0f, 0x7E},
                                  {1e30f, 0x7E},
                                  {INFINITY, 0x7E}});
    CHECK(kv::largest_finite(NumberFormat::Fp8E4m3) == 448.0f);
    CHECK(std::isnan(kv::fp8_e4m3_to_float(0x7F)));
    CHECK(std::isnan(kv::fp8_e4m3_to_float(0xFF)));
}

TEST_CASE("clamping first makes e5m2 saturate as well", "[formats]") {
    const float largest = kv::largest_finite(NumberFormat::Fp8E5m2);
    CHECK(kv::fp8_e5m2_from_float(std::fmin(61440.0f, largest)) == 0x7B);
    CHECK(kv::fp8_e5m2_from_float(std::fmin(INFINITY, largest)) == 0x7B);
}

TEST_CASE("a NaN keeps its sign and upper payload and never turns into an infinity", "[formats]") {
    const float quiet = float_of(0x7FC00000), negative = float_of(0xFFC00000);
    const float payload = float_of(0x7FEA8000);  // fraction 110 1010 1000 ...
    const float lowest = float_of(0x7F800001);   // all of the payload is in the last bit
    CHECK(kv::bf16_from_float(quiet) == 0x7FC0);
    CHECK(kv::bf16_from_float(negative) == 0xFFC0);
    CHECK(kv::bf16_from_float(payload) == 0x7FEA);
    CHECK(kv::bf16_from_float(lowest) == 0x7FC0);
    CHECK(kv::fp16_from_float(quiet) == 0x7E00);
    CHECK(kv::fp16_from_float(negative) == 0xFE00);
    CHECK(kv::fp16_from_float(payload) == 0x7F54);
    CHECK(kv::fp16_from_float(lowest) == 0x7E00);
    CHECK(kv::fp8_e5m2_from_float(quiet) == 0x7E);
    CHECK(kv::fp8_e5m2_from_float(payload) == 0x7F);
    CHECK(kv::fp8_e5m2_from_float(-lowest) == 0xFE);
    CHECK(kv::fp8_e4m3_from_float(quiet) == 0x7F);
    CHECK(kv::fp8_e4m3_from_float(lowest) == 0x7F);
    CHECK(kv::fp8_e4m3_from_float(negative) == 0xFF);
}

TEST_CASE("fields by hand", "[formats]") {
    using Kind = FormatFields::Kind;
    // 1.5 = 1.5 x 2^0; 0x3FC0 = 0 01111111 1000000
    CHECK(same(kv::fields_of(NumberFormat::Bf16, 0x3FC0), {0, 127, 64, 0, Kind::Normal}));
    // -50 = -1.5625 x 2^5; 0xC248 = 1 10000100 1001000
    CHECK(same(kv::fields_of(NumberFormat::Bf16, 0xC248), {1, 132, 72, 5, Kind::Normal}));
    CHECK(same(kv::fields_of(NumberFormat::Fp16, 0x8001), {1, 0, 1, -14, Kind::Subnormal}));
    CHECK(same(kv::fields_of(NumberFormat::Fp16, 0x7C00), {0, 31, 0, 0, Kind::Infinity}));
    CHECK(same(kv::fields_of(NumberFormat::Fp8E5m2, 0xFD), {1, 31, 1, 0, Kind::NaN}));
    CHECK(same(kv::fields_of(NumberFormat::Fp8E4m3, 0x7E), {0, 15, 6, 8, Kind::Normal}));
    CHECK(same(kv::fields_of(NumberFormat::Fp8E4m3, 0x80), {1, 0, 0, -6, Kind::Zero}));
    CHECK(same(kv::fields_of(NumberFormat::F32, 0x40490FDB), {0, 128, 0x490FDB, 1, Kind::Normal}));
    CHECK(same(kv::fields_of(NumberFormat::F32, 0xFF800000), {1, 255, 0, 0, Kind::Infinity}));
}

TEST_CASE("formats have names, widths and codes of that width", "[formats]") {
    struct Named {
        NumberFormat format;
        const char* name;
        int bits;
    };
    for (const Named& row : {Named{NumberFormat::F32, "f32", 32},
                             {NumberFormat::Bf16, "bf16", 16},
                             {NumberFormat::Fp16, "fp16", 16},
                             {NumberFormat::Fp8E4m3, "fp8_e4m3", 8},
                             {NumberFormat::Fp8E5m2, "fp8_e5m2", 8}}) {
        CHECK(kv::name_of(row.format) == row.name);
        CHECK(kv::number_format(row.name) == row.format);
        CHECK(kv::shape_of(row.format).bits() == row.bits);
        if (row.bits < 32) CHECK_THROWS_AS(decode(row.format, 1u << row.bits), kv::BrokenAssert);
    }
    CHECK_FALSE(kv::number_format("BF16"));
    CHECK_FALSE(kv::number_format(""));
    CHECK(encode(NumberFormat::F32, -0.0f) == 0x80000000);
    CHECK(decode(NumberFormat::F32, 0x3FC00000) == 1.5f);
    CHECK(kv::largest_finite(NumberFormat::F32) == 0x1.FFFFFEp127f);
}
