#include "core/cache/int_codes.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/formats.hpp"

namespace kv {
namespace {

constexpr std::uint16_t kLargestScale = 0x7BFF, kNaN = 0x7E00;  // fp16: 65,504

// A positive fp16 number that is never infinite: a scale has to multiply.
std::uint16_t finite_scale(float value) {
    if (std::isnan(value)) return kNaN;
    return std::min(fp16_from_float(value), kLargestScale);
}

}  // namespace

void put_code(std::byte* bytes, std::uint32_t bits, std::size_t index, std::uint32_t code) {
    const std::size_t first = index * bits, byte = first / 8, shift = first % 8;
    const std::uint32_t mask = ((1u << bits) - 1) << shift, set = code << shift & mask;
    for (std::size_t i = 0; i < 2 && mask >> 8 * i != 0; ++i)
        bytes[byte + i] = static_cast<std::byte>(
            (std::to_integer<std::uint32_t>(bytes[byte + i]) & ~(mask >> 8 * i)) | set >> 8 * i);
}

std::uint32_t get_code(const std::byte* bytes, std::uint32_t bits, std::size_t index) {
    const std::size_t first = index * bits, byte = first / 8;
    std::uint32_t word = std::to_integer<std::uint32_t>(bytes[byte]);
    if (first % 8 + bits > 8) word |= std::to_integer<std::uint32_t>(bytes[byte + 1]) << 8;
    return word >> first % 8 & ((1u << bits) - 1);
}

void put_fp16(std::byte* at, std::uint16_t code) {
    at[0] = static_cast<std::byte>(code & 0xFF);
    at[1] = static_cast<std::byte>(code >> 8);
}

std::uint16_t get_fp16(const std::byte* at) {
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(at[0]) |
                                      std::to_integer<unsigned>(at[1]) << 8);
}

std::uint32_t stored_code(std::int32_t q, std::uint32_t bits) {
    return (static_cast<std::uint32_t>(q) + code_offset(bits)) & ((1u << bits) - 1);
}

std::int32_t meant_code(std::uint32_t stored, std::uint32_t bits) {
    if (bits == 8) return static_cast<std::int8_t>(stored);
    return static_cast<std::int32_t>(stored) - static_cast<std::int32_t>(code_offset(bits));
}

std::uint16_t symmetric_scale(float largest, std::uint32_t bits) {
    if (largest == 0) return 0;
    const float q_max = static_cast<float>(largest_code(bits));
    const std::uint16_t code = finite_scale(largest / q_max);
    const bool too_low = fp16_to_float(code) * (q_max + 0.5f) < largest;
    return too_low && code < kLargestScale ? static_cast<std::uint16_t>(code + 1) : code;
}

std::int32_t symmetric_code(float value, float scale, std::uint32_t bits) {
    if (!(scale > 0) || std::isnan(value)) return 0;
    const float q_max = static_cast<float>(largest_code(bits));
    return static_cast<std::int32_t>(std::clamp(std::nearbyint(value / scale), -q_max, q_max));
}

ScaleAndZero asymmetric_scale(float low, float high, std::uint32_t bits) {
    const float steps = static_cast<float>((1u << bits) - 1);
    const float zero = std::clamp(low, -65504.0f, 65504.0f);  // a NaN stays one
    return {finite_scale((high - low) / steps), fp16_from_float(zero)};
}

std::uint32_t asymmetric_code(float value, float scale, float zero, std::uint32_t bits) {
    if (!(scale > 0) || std::isnan(value) || std::isnan(zero)) return 0;
    const float steps = static_cast<float>((1u << bits) - 1);
    return static_cast<std::uint32_t>(
        std::nearbyint(std::clamp((value - zero) / scale, 0.0f, steps)));
}

}  // namespace kv
