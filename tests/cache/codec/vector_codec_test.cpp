// The codecs that lose something: their goldens, their packing, and what they promise of errors.
#include "core/cache/codec/vector_codec.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/cache/codec/element_error.hpp"
#include "core/cache/codec/int_codes.hpp"

using namespace kv;

namespace {

const std::vector<Codec> kSymmetric{Codec::Int8, Codec::Int4, Codec::Int3, Codec::Int2};

Codec groups(ElementCode code, std::uint32_t size) {
    return {code, ScaleMode::Groups, size};
}

struct Coded {
    std::vector<std::byte> bytes;
    std::vector<float> back;
    float scale = 0;  // the first behind the codes
    std::int32_t code(std::size_t i, std::uint32_t bits) const {
        return meant_code(get_code(bytes.data(), bits, i), bits);
    }
};

Coded coded(const Codec& codec, const std::vector<float>& values) {
    const auto dim = static_cast<std::uint32_t>(values.size());
    const KvVector vector = vector_of(codec, dim);
    Coded c{std::vector<std::byte>(vector.bytes), std::vector<float>(dim)};
    encode_vector(codec, values.data(), dim, c.bytes.data());
    decode_vector(codec, c.bytes.data(), dim, c.back.data());
    if (is_integer(codec.code))
        c.scale = fp16_to_float(get_fp16(c.bytes.data() + (codec.bits() * dim + 7) / 8));
    return c;
}

std::vector<int> bytes_of(const Coded& c) {
    std::vector<int> all;
    for (const std::byte byte : c.bytes) all.push_back(std::to_integer<int>(byte));
    return all;
}

// Sum of twelve numbers between 0 and 1, less 6: as good as a Gaussian here.
float gaussian(const Random& random, std::uint64_t i) {
    double sum = -6;
    for (std::uint64_t k = 0; k < 12; ++k) sum += random.unit(i * 12 + k);
    return static_cast<float>(sum);
}

}  // namespace

// (1.27, 0.02) / 127: the scale is 0.01, and 0.01 as fp16 is 0.0100021.
TEST_CASE("int8 divides by the largest and rounds with the scale as it is stored",
          "[codec][C134]") {
    const Coded c = coded(Codec::Int8, {1.27f, 0.02f});
    CHECK(c.scale == 0.01000213623046875f);
    CHECK(c.code(0, 8) == 127);
    CHECK(c.code(1, 8) == 2);
    CHECK(c.back[1] == 2 * c.scale);
    const Coded d = coded(Codec::Int8, {12.7f, -1.27f, 0.02f});
    CHECK(d.code(0, 8) == 127);
    CHECK(d.code(1, 8) == -13);
    CHECK(d.code(2, 8) == 0);
    // 0x211F is 0.01000214; codes 0x7F and 0x02, then the scale, low byte first.
    CHECK(bytes_of(c) == std::vector<int>{0x7F, 0x02, 0x1F, 0x21});
}

TEST_CASE("int4 packs two codes a byte, the low half first, with an offset of 8", "[codec]") {
    const Coded c = coded(Codec::Int4, {0.7f, -0.36f, 0.1f, 0.04f});
    CHECK(c.scale == Catch::Approx(0.1).epsilon(1e-3));
    CHECK(c.code(0, 4) == 7);
    CHECK(c.code(1, 4) == -4);
    CHECK(c.code(2, 4) == 1);
    CHECK(c.code(3, 4) == 0);
    // 7 + 8 = F, -4 + 8 = 4, 1 + 8 = 9, 0 + 8 = 8; 0.1 is 0x2E66.
    CHECK(bytes_of(c) == std::vector<int>{0x4F, 0x89, 0x66, 0x2E});
}

// int3: 3, -3, 1, 0, -1 are stored as 7, 1, 5, 4, 3: 111 001 101 100 011 from the lowest bit up.
TEST_CASE("int3 and int2 codes follow each other without a gap", "[codec]") {
    const Coded c = coded(Codec::Int3, {3, -3, 1, 0, -1});
    CHECK(c.scale == 1.0f);
    CHECK(c.back == std::vector<float>{3, -3, 1, 0, -1});
    // 7 | 1<<3 | 5<<6 | 4<<9 | 3<<12 = 0x394F; one is 0x3C00.
    CHECK(bytes_of(c) == std::vector<int>{0x4F, 0x39, 0x00, 0x3C});
    const Coded d = coded(Codec::Int2, {2, -2, 0.9f, 1.1f});
    CHECK(d.back == std::vector<float>{2, -2, 0, 2});
    // 1, -1, 0, 1 with an offset of 2: 3 | 1<<2 | 2<<4 | 3<<6 = 0xE7; two is 0x4000.
    CHECK(bytes_of(d) == std::vector<int>{0xE7, 0x00, 0x40});
}

TEST_CASE("a vector of zeros has scale 0 and comes back as zeros", "[codec]") {
    for (const Codec& codec : kSymmetric) {
        const Coded c = coded(codec, {0, -0.0f, 0, 0});
        CHECK(c.scale == 0);
        CHECK(c.back == std::vector<float>(4, 0));
    }
}

// As unsigned 2-bit codes: (-1, 0, 1, 2) has scale 1 and zero -1, (0, 0.5, 1, 8) scale 8/3.
TEST_CASE("a group has the scale of its range and its smallest as zero", "[codec]") {
    const Codec codec = groups(ElementCode::Int2, 4);
    const Coded c = coded(codec, {-1, 0, 1, 2, 0, 0.5f, 1, 8});
    CHECK(bytes_of(c) == std::vector<int>{0xE4, 0xC0,                // 0 1 2 3, 0 0 0 3
                                          0x00, 0x3C, 0x00, 0xBC,    // scale 1, zero -1
                                          0x55, 0x41, 0x00, 0x00});  // scale 2.666, zero 0
    CHECK(std::vector<float>(c.back.begin(), c.back.begin() + 4) ==
          std::vector<float>{-1, 0, 1, 2});
    CHECK(c.back[7] == Catch::Approx(8).epsilon(1e-3));
    // Nothing to tell apart: scale 0, and the zero says it all.
    CHECK(coded(codec, {5, 5, 5, 5}).back == std::vector<float>{5, 5, 5, 5});
}

TEST_CASE("every code of every codec comes back from its bytes", "[codec]") {
    for (const ElementCode code :
         {ElementCode::Int8, ElementCode::Int4, ElementCode::Int3, ElementCode::Int2}) {
        const std::uint32_t bits = bits_of(code), n = 1u << bits;
        std::vector<std::byte> bytes((n * bits + 7) / 8 + 1, std::byte{0xA5});
        for (std::uint32_t i = 0; i < n; ++i) put_code(bytes.data(), bits, i, n - 1 - i);
        for (std::uint32_t i = 0; i < n; ++i) CHECK(get_code(bytes.data(), bits, i) == n - 1 - i);
        CHECK(bytes.back() == std::byte{0xA5});
        for (std::int32_t q = -largest_code(bits); q <= largest_code(bits); ++q)
            CHECK(meant_code(stored_code(q, bits), bits) == q);
    }
    // A vector of all codes times a scale that fp16 knows is kept to the bit.
    for (const Codec& codec : kSymmetric) {
        const std::int32_t most = largest_code(codec.bits());
        std::vector<float> values;
        for (std::int32_t q = -most; q <= most; ++q)
            values.push_back(0.25f * static_cast<float>(q));
        CHECK(coded(codec, values).back == values);
    }
    for (const auto& [codec, number] : {std::pair(Codec::Fp8E4m3, NumberFormat::Fp8E4m3),
                                        std::pair(Codec::Fp8E5m2, NumberFormat::Fp8E5m2)})
        for (std::uint32_t code = 0; code < 256; ++code) {
            const float value = decode(number, code);
            if (!std::isfinite(value)) continue;
            const Coded c = coded(codec, {value, 1});
            CHECK(std::to_integer<std::uint32_t>(c.bytes[0]) == code);
            CHECK(c.back[0] == value);
        }
}

TEST_CASE("fp8 becomes its largest number and never infinity", "[codec]") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    CHECK(coded(Codec::Fp8E4m3, {1e9f, -449, kInfinity}).back ==
          std::vector<float>{448, -448, 448});
    CHECK(coded(Codec::Fp8E5m2, {1e9f, -70000, kInfinity}).back ==
          std::vector<float>{57344, -57344, 57344});
    CHECK(std::isnan(coded(Codec::Fp8E5m2, {std::nanf("")}).back[0]));
}

TEST_CASE("a NaN among the values spoils its vector and nothing else", "[codec]") {
    for (const Codec& codec : {Codec::Int8, groups(ElementCode::Int4, 2)}) {
        const Coded c = coded(codec, {1, std::nanf(""), 3, 4});
        CHECK(std::isnan(c.back[0]));
        CHECK((codec.scale == ScaleMode::PerVector) == std::isnan(c.back[3]));
    }
}

// With the scale as it is stored, subnormal and very large ones included.
TEST_CASE("no element is further off than half a scale", "[codec][C138]") {
    const Random random(7, 0);
    for (const Codec& codec : kSymmetric)
        for (std::uint64_t v = 0; v < 400; ++v) {
            const auto size = std::ldexp(1.0f, static_cast<int>(v % 40) - 28);
            std::vector<float> values;
            for (std::uint64_t i = 0; i < 24; ++i)
                values.push_back(size * gaussian(random, v * 24 + i));
            const Coded c = coded(codec, values);
            CAPTURE(codec_name(codec), v, c.scale);
            for (std::size_t i = 0; i < values.size(); ++i)
                REQUIRE(std::abs(c.back[i] - values[i]) <= c.scale / 2 * 1.000001f);
        }
}

// The least number is 100.03 and fp16 knows 100 and 100.0625 there, so the zero is 100. Codes then
// reach from 100 to 100.02, and 100.05 lies 0.03 beyond: 22 scales of 0.02 / 15.
TEST_CASE("a group far from zero and narrow is off by more than half a scale", "[codec][groups]") {
    const std::vector<float> values{100.03f, 100.035f, 100.045f, 100.05f};
    const Coded c = coded(groups(ElementCode::Int4, 4), values);
    CHECK(c.scale == Catch::Approx(0.02 / 15).epsilon(1e-3));
    CHECK(c.back == std::vector<float>(4, 15 * c.scale + 100));
    CHECK((values[3] - c.back[3]) / c.scale == Catch::Approx(22.5).epsilon(1e-2));
}

// Codes reach from the zero to the zero and all steps. Between them a number is off by half a scale
// at most, and outside by its distance from the nearer end. fp16 rounds zero and scale by 2^-11 of
// themselves, so an end lies short of the numbers by that much of the least and of the range.
TEST_CASE("no element of a group is further off than its zero and scale were rounded",
          "[codec][groups]") {
    const Random random(13, 0);
    std::size_t beyond_half = 0, exact = 0;
    for (const ElementCode code :
         {ElementCode::Int8, ElementCode::Int4, ElementCode::Int3, ElementCode::Int2})
        for (std::uint64_t v = 0; v < 2000; ++v) {
            const double steps = (1u << bits_of(code)) - 1;
            // Centres up to 2^12 on both sides, widths from 2^-4 to 2^8: fp16 has their scales as
            // normal numbers.
            const double size = std::ldexp(1.0, static_cast<int>(v % 13));
            const double centre = (2 * random.unit(v * 40) - 1) * size;
            const double width = std::ldexp(1.0, static_cast<int>(v % 7) * 2 - 4);
            std::vector<float> values;
            for (std::uint64_t i = 0; i < 32; ++i)
                values.push_back(static_cast<float>(centre + width * random.unit(v * 40 + 1 + i)));
            // Every fourth group as a 16-bit cache holds it: there fp16 knows the least number.
            if (v % 4 == 0)
                for (float& value : values) value = fp16_to_float(fp16_from_float(value));
            const auto [least, most] = std::minmax_element(values.begin(), values.end());
            const double low = *least, range = double{*most} - low, half = range / steps / 2;
            if (range == 0) continue;
            const double lost = v % 4 == 0 ? 0 : std::abs(low) / 2048;
            const double bound = std::max(half * (1 + 1 / 2048.0), lost + range / 2048);
            const double rounding = std::ldexp(std::abs(low) + range, -22);  // of float32
            const Coded c = coded(groups(code, 32), values);
            CAPTURE(steps, v, c.scale, low, range);
            double worst = 0;
            for (std::size_t i = 0; i < values.size(); ++i)
                worst = std::max(worst, std::abs(double{c.back[i]} - values[i]));
            REQUIRE(worst <= bound + rounding);
            if (worst > half * 1.01 + rounding) ++beyond_half;
            if (v % 4 == 0 && steps < 255) exact += worst <= half * 1.01 + rounding ? 0 : 1;
        }
    CHECK(beyond_half > 100);  // half a scale is not the bound
    CHECK(exact == 0);         // and is where the least number needs no rounding
}

TEST_CASE("bytes of a vector are the formula's", "[codec][C135]") {
    const auto bytes = [](std::string_view name, std::uint32_t dim) {
        std::string why;
        return vector_of(*parse_codec(name, why), dim).bytes;
    };
    CHECK(bytes("int8", 16) == 18);
    CHECK(bytes("int8", 128) == 130);  // 2 / 128 = 1.56 % on top
    CHECK(bytes("int4", 16) == 10);
    CHECK(bytes("int4", 128) == 66);
    CHECK(bytes("int3", 16) == 8);
    CHECK(bytes("int2", 64) == 18);
    CHECK(bytes("int4:g16", 16) == 12);
    CHECK(bytes("int4:g32", 128) == 80);
    CHECK(bytes("fp8_e4m3", 64) == 64);
    CHECK(codec_name(groups(ElementCode::Int4, 32)) == "int4:g32");
    CHECK(codec_objection(groups(ElementCode::Int4, 3), Side::K, 16).has_value());
    CHECK(!codec_objection(groups(ElementCode::Int4, 4), Side::K, 16).has_value());
}

// One scale per vector of 128, Gaussian channels; the outlier rows measure the other 127.
TEST_CASE("error figures: integers suffer from outliers and fp8 does not", "[codec][C137]") {
    const Random random(11, 0);
    const auto error = [&](const Codec& codec, float outlier) {
        double sum = 0;
        constexpr std::uint64_t kVectors = 1500;
        for (std::uint64_t v = 0; v < kVectors; ++v) {
            std::vector<float> values(128);
            for (std::size_t i = 0; i < 128; ++i) values[i] = gaussian(random, v * 128 + i);
            if (outlier > 0) values[0] *= outlier;
            const Coded c = coded(codec, values);
            double off = 0, all = 0;
            for (std::size_t i = outlier > 0 ? 1 : 0; i < 128; ++i) {
                off += std::pow(double{c.back[i]} - values[i], 2);
                all += std::pow(double{values[i]}, 2);
            }
            sum += std::sqrt(off / all);
        }
        return 100 * sum / kVectors;
    };
    const auto near = [](double value) { return Catch::Approx(value).epsilon(0.05); };
    CHECK(error(Codec::Int8, 0) == near(0.64));
    CHECK(error(Codec::Fp8E4m3, 0) == near(2.6));
    CHECK(error(Codec::Int4, 0) == near(11.6));
    CHECK(error(Codec::Int8, 30) == near(5.5));
    CHECK(error(Codec::Fp8E4m3, 30) == near(2.6));
    CHECK(error(Codec::Int4, 30) == near(67));
    CHECK(error(Codec::Int8, 100) == near(18.5));
    CHECK(error(Codec::Fp8E4m3, 100) == near(2.6));
    CHECK(error(Codec::Int4, 100) == near(90));
    // With an outlier of about 14 times both are equally good.
    CHECK(error(Codec::Int8, 10) < error(Codec::Fp8E4m3, 10));
    CHECK(error(Codec::Int8, 18) > error(Codec::Fp8E4m3, 18));
}

// (1, -1) stored as (1.5, -1): off by 0.5 and 0.
TEST_CASE("element errors add up", "[codec][error]") {
    ElementError error = element_error(std::vector<float>{1, -1}, std::vector<float>{1.5f, -1});
    CHECK(error.mean() == 0.25);
    CHECK(error.largest == 0.5);
    CHECK(error.rms() == std::sqrt(0.125));
    CHECK(error.relative_rms() == std::sqrt(0.25 / 2));
    error += element_error(std::vector<float>{0, 0}, std::vector<float>{0, 2});
    CHECK(error.n == 4);
    CHECK(error.largest == 2);
    CHECK(error.mean() == 0.625);
    // int2 with scale 4: (4, 1) becomes (4, 0).
    const std::vector<float> values{4, 1, -4, 1};
    CHECK(coding_error(Codec::Int2, values, 2).mean() == 0.5);
    CHECK(coding_error_by_channel(Codec::Int2, values, 2)[0].largest == 0);
    CHECK(coding_error_by_channel(Codec::Int2, values, 2)[1].mean() == 1);
    CHECK(ElementError{}.relative_rms() == 0);
}
