#include "core/model/checkpoint/values.hpp"

#include <cmath>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file's numbers are little-endian");

template <class Code>
Code code_at(const std::byte* in, std::size_t i) {
    Code code;
    std::memcpy(&code, in + i * sizeof code, sizeof code);
    return code;
}

// All ones in the exponent mean infinity or NaN.
bool finite(float value) {
    return (bits_of(value) & 0x7F800000U) != 0x7F800000U;
}
bool finite(std::uint16_t bf16) {
    return (bf16 & 0x7F80U) != 0x7F80U;
}

BadValue describe(std::size_t index, float in_file) {
    return {index, std::isnan(in_file)   ? "is not a number"
                   : std::isinf(in_file) ? "is infinite"
                                         : "becomes infinite in bf16"};
}

// The loop only notes whether something was wrong; where, is looked for when it was.
template <class Code, class Out, class Convert, class Decode>
std::optional<BadValue> convert(const std::byte* in, std::size_t n, Out* out, Convert to_out,
                                Decode to_float) {
    bool all_finite = true;
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = to_out(code_at<Code>(in, i));
        all_finite &= finite(out[i]);
    }
    if (all_finite) return std::nullopt;
    std::size_t bad = 0;
    while (finite(out[bad])) ++bad;
    return describe(bad, to_float(code_at<Code>(in, bad)));
}

constexpr auto kSame = [](auto code) { return code; };
constexpr auto kFromHalf = [](std::uint16_t code) { return fp16_to_float(code); };
constexpr auto kFromBf16 = [](std::uint16_t code) { return bf16_to_float(code); };
constexpr auto kRounded = [](float value) { return bf16_from_float(value); };

}  // namespace

std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       float* out) {
    switch (from) {
        case TensorType::F32:
            return convert<float>(in, n, out, kSame, kSame);
        case TensorType::F16:
            return convert<std::uint16_t>(in, n, out, kFromHalf, kFromHalf);
        case TensorType::Bf16:
            return convert<std::uint16_t>(in, n, out, kFromBf16, kFromBf16);
    }
    KV_ASSERT(false);
    return std::nullopt;
}

std::optional<BadValue> convert_values(TensorType from, const std::byte* in, std::size_t n,
                                       std::uint16_t* bf16_out) {
    constexpr auto half_rounded = [](std::uint16_t code) { return kRounded(kFromHalf(code)); };
    switch (from) {
        case TensorType::F32:
            return convert<float>(in, n, bf16_out, kRounded, kSame);
        case TensorType::F16:
            return convert<std::uint16_t>(in, n, bf16_out, half_rounded, kFromHalf);
        case TensorType::Bf16:
            return convert<std::uint16_t>(in, n, bf16_out, kSame, kFromBf16);
    }
    KV_ASSERT(false);
    return std::nullopt;
}

}  // namespace kv
