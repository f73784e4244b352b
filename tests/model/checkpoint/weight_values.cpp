// Numbers of a file become numbers in memory: exact when widened, rounded to even when narrowed.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "core/model/checkpoint/values.hpp"

using namespace kv;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Code>
const std::byte* bytes(const std::vector<Code>& codes) {
    return reinterpret_cast<const std::byte*>(codes.data());
}

template <class Out, class Code>
std::vector<Out> converted(TensorType type, const std::vector<Code>& codes) {
    std::vector<Out> out(codes.size());
    CHECK_FALSE(convert_values(type, bytes(codes), codes.size(), out.data()));
    return out;
}

template <class Out, class Code>
std::string refused(TensorType type, const std::vector<Code>& codes) {
    std::vector<Out> out(codes.size());
    const auto bad = convert_values(type, bytes(codes), codes.size(), out.data());
    return bad ? std::to_string(bad->index) + " " + bad->what : "";
}

// All 65,536 codes but those of infinities and NaNs.
std::vector<std::uint16_t> finite_codes(float (*decode)(std::uint16_t)) {
    std::vector<std::uint16_t> codes;
    for (std::uint32_t code = 0; code < 65'536; ++code) {
        const auto c = static_cast<std::uint16_t>(code);
        if (std::isfinite(decode(c))) codes.push_back(c);
    }
    return codes;
}

}  // namespace

TEST_CASE("known codes become known numbers", "[weights]") {
    // 1, -2, the smallest and the largest number of each format.
    CHECK(
        converted<float>(TensorType::Bf16, std::vector<std::uint16_t>{0x3F80, 0xC000, 1, 0x7F7F}) ==
        std::vector<float>{1, -2, std::ldexp(1.0F, -133), std::ldexp(255.0F, 120)});
    CHECK(
        converted<float>(TensorType::F16, std::vector<std::uint16_t>{0x3C00, 0xC000, 1, 0x7BFF}) ==
        std::vector<float>{1, -2, std::ldexp(1.0F, -24), 65'504});
    const std::vector<float> plain{0.0F, 1e38F, 1e-45F, 0.1F};
    CHECK(converted<float>(TensorType::F32, plain) == plain);
}

TEST_CASE("every finite code is widened as the formats say, and bf16 is kept to the bit",
          "[weights]") {
    const auto bf16 = finite_codes(bf16_to_float);
    CHECK(bf16.size() == 65'536 - 2 * 128);
    CHECK(converted<std::uint16_t>(TensorType::Bf16, bf16) == bf16);
    const auto wide = converted<float>(TensorType::Bf16, bf16);
    const auto fp16 = finite_codes(fp16_to_float);
    CHECK(fp16.size() == 65'536 - 2 * 1024);
    const auto half = converted<float>(TensorType::F16, fp16);
    const auto narrowed = converted<std::uint16_t>(TensorType::F16, fp16);
    bool same = true;
    for (std::size_t i = 0; i < bf16.size(); ++i) {
        same = same && bits_of(wide[i]) == std::uint32_t{bf16[i]} << 16U;
    }
    for (std::size_t i = 0; i < fp16.size(); ++i) {
        same = same && half[i] == fp16_to_float(fp16[i]) && narrowed[i] == bf16_from_float(half[i]);
    }
    CHECK(same);
}

TEST_CASE("narrowing rounds to nearest, ties to even", "[weights]") {
    // bf16 has 8 bits of significand: between 256 and 512 it holds even numbers only.
    const std::vector<float> values{257.0F, 259.0F, 258.9F, 257.1F, -257.0F};
    const auto codes = converted<std::uint16_t>(TensorType::F32, values);
    std::vector<float> back;
    back.reserve(codes.size());
    for (const std::uint16_t code : codes) back.push_back(bf16_to_float(code));
    CHECK(back == std::vector<float>{256.0F, 260.0F, 258.0F, 258.0F, -256.0F});
}

TEST_CASE("random floats narrow as the formats say", "[weights]") {
    const Random random{5, 0};
    std::vector<float> values;
    for (std::uint64_t i = 0; values.size() < 10'000; ++i) {
        const float value = float_of(random.bits(i));
        if (std::isfinite(value) && std::isfinite(bf16_to_float(bf16_from_float(value)))) {
            values.push_back(value);
        }
    }
    const auto codes = converted<std::uint16_t>(TensorType::F32, values);
    bool same = true;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        same = same && codes[i] == bf16_from_float(values[i]);
    }
    CHECK(same);
}

TEST_CASE("what is not finite is refused at its place", "[weights]") {
    CHECK(refused<float>(TensorType::F32, std::vector<float>{1, kNan, kInfinity}) ==
          "1 is not a number");
    CHECK(refused<float>(TensorType::F32, std::vector<float>{1, 2, -kInfinity}) == "2 is infinite");
    CHECK(refused<std::uint16_t>(TensorType::F32, std::vector<float>{kNan}) == "0 is not a number");
    CHECK(refused<float>(TensorType::F16, std::vector<std::uint16_t>{0, 0x7C00}) ==
          "1 is infinite");
    CHECK(refused<std::uint16_t>(TensorType::F16, std::vector<std::uint16_t>{0xFC01}) ==
          "0 is not a number");
    CHECK(refused<std::uint16_t>(TensorType::Bf16, std::vector<std::uint16_t>{0, 0, 0xFF80}) ==
          "2 is infinite");
    CHECK(refused<float>(TensorType::Bf16, std::vector<std::uint16_t>{0x7FC0}) ==
          "0 is not a number");
    CHECK(refused<float>(TensorType::F32, std::vector<float>{}).empty());
}

TEST_CASE("a number that only bf16 cannot hold is told from an infinite one", "[weights]") {
    const float largest = std::numeric_limits<float>::max();
    CHECK(refused<float>(TensorType::F32, std::vector<float>{largest}).empty());
    CHECK(refused<std::uint16_t>(TensorType::F32, std::vector<float>{0, largest}) ==
          "1 becomes infinite in bf16");
}
