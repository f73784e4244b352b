#pragma once
// Integers of a few bits as they lie in memory, and the scales they are made with. Codes follow
// each other from the lowest bit of the first byte up: two 4-bit codes a byte, the low half first.
// A symmetric code of less than 8 bits is stored with an offset (int4: code + 8), int8 as the two's
// complement that processors read; a code beside a zero is stored as it is. Host and device share
// this, so the bytes that a GPU stores are the CPU's; std::nearbyint is the one function that both
// have beside memcpy.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/kv_hd.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {

KV_HD inline std::uint32_t byte_at(const std::byte* bytes, std::size_t i) {
    return static_cast<std::uint32_t>(bytes[i]);
}

// A 3-bit code can begin in one byte and end in the next, so up to two bytes are written.
KV_HD inline void put_code(std::byte* bytes, std::uint32_t bits, std::size_t index,
                           std::uint32_t code) {
    const std::size_t first = index * bits, byte = first / 8, shift = first % 8;
    const std::uint32_t mask = ((1u << bits) - 1) << shift, set = (code << shift) & mask;
    for (std::size_t i = 0; i < 2 && mask >> 8 * i != 0; ++i)
        bytes[byte + i] =
            static_cast<std::byte>((byte_at(bytes, byte + i) & ~(mask >> 8 * i)) | set >> 8 * i);
}

KV_HD inline std::uint32_t get_code(const std::byte* bytes, std::uint32_t bits, std::size_t index) {
    const std::size_t first = index * bits, byte = first / 8;
    std::uint32_t word = byte_at(bytes, byte);
    if (first % 8 + bits > 8) word |= byte_at(bytes, byte + 1) << 8;
    return (word >> (first % 8)) & ((1u << bits) - 1);
}

KV_HD inline void put_fp16(std::byte* at, std::uint16_t code) {
    at[0] = static_cast<std::byte>(code & 0xFF);
    at[1] = static_cast<std::byte>(code >> 8);
}

KV_HD inline std::uint16_t get_fp16(const std::byte* at) {
    return static_cast<std::uint16_t>(byte_at(at, 0) | byte_at(at, 1) << 8);
}

// Symmetric: codes -q_max to q_max, q_max = 127, 7, 3 or 1.
KV_HD constexpr std::int32_t largest_code(std::uint32_t bits) {
    return (1 << (bits - 1)) - 1;
}
KV_HD constexpr std::uint32_t code_offset(std::uint32_t bits) {
    return bits == 8 ? 0 : 1u << (bits - 1);
}
KV_HD inline std::uint32_t stored_code(std::int32_t q, std::uint32_t bits) {
    return (static_cast<std::uint32_t>(q) + code_offset(bits)) & ((1u << bits) - 1);
}
KV_HD inline std::int32_t meant_code(std::uint32_t stored, std::uint32_t bits) {
    if (bits == 8) return static_cast<std::int8_t>(stored);
    return static_cast<std::int32_t>(stored) - static_cast<std::int32_t>(code_offset(bits));
}

inline constexpr std::uint16_t kLargestScale = 0x7BFF, kNaNScale = 0x7E00;  // fp16: 65,504

KV_HD inline bool is_nan(float value) {
    return value != value;
}
// `value` between two limits; a NaN stays one.
KV_HD inline float held_between(float low, float value, float high) {
    return value < low ? low : value > high ? high : value;
}

// A positive fp16 number that is never infinite: a scale has to multiply.
KV_HD inline std::uint16_t finite_scale(float value) {
    if (is_nan(value)) return kNaNScale;
    const std::uint16_t code = fp16_from_float(value);
    return code < kLargestScale ? code : kLargestScale;
}

// The fp16 scale of values up to `largest`. One that rounds so low that the largest code would be
// more than half a step off is taken one step higher: no element is further off than scale / 2, but
// for what no scale of fp16 reaches, past q_max x 65,504, which is cut off.
KV_HD inline std::uint16_t symmetric_scale(float largest, std::uint32_t bits) {
    if (largest == 0) return 0;
    const float q_max = static_cast<float>(largest_code(bits));
    const std::uint16_t code = finite_scale(largest / q_max);
    const bool too_low = fp16_to_float(code) * (q_max + 0.5f) < largest;
    return too_low && code < kLargestScale ? static_cast<std::uint16_t>(code + 1) : code;
}

// round(value / scale), ties to even, kept within the codes; 0 where the scale is 0.
KV_HD inline std::int32_t symmetric_code(float value, float scale, std::uint32_t bits) {
    if (!(scale > 0) || is_nan(value)) return 0;
    const float q_max = static_cast<float>(largest_code(bits));
    return static_cast<std::int32_t>(held_between(-q_max, std::nearbyint(value / scale), q_max));
}

// Asymmetric: codes 0 to 2^bits - 1 for values between `low` and `high`, with scale =
// (high - low) / (2^bits - 1) and zero = low, so that a value is code * scale + zero. Both are
// rounded to fp16, so the range of the codes can begin above `low` or end below `high`, and a value
// outside of it is cut off. An element is off by at most scale / 2, one that is cut off by its
// distance from that range, if that is more.
struct ScaleAndZero {
    std::uint16_t scale = 0, zero = 0;  // fp16
};
KV_HD inline ScaleAndZero asymmetric_scale(float low, float high, std::uint32_t bits) {
    const float steps = static_cast<float>((1u << bits) - 1);
    return {finite_scale((high - low) / steps),
            fp16_from_float(held_between(-65504.0f, low, 65504.0f))};
}
KV_HD inline std::uint32_t asymmetric_code(float value, float scale, float zero,
                                           std::uint32_t bits) {
    if (!(scale > 0) || is_nan(value) || is_nan(zero)) return 0;
    const float steps = static_cast<float>((1u << bits) - 1);
    return static_cast<std::uint32_t>(
        std::nearbyint(held_between(0.0f, (value - zero) / scale, steps)));
}

}  // namespace kv
