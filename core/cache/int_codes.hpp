#pragma once
// Integers of a few bits as they lie in memory, and the scales they are made with. Codes follow
// each other from the lowest bit of the first byte up: two 4-bit codes a byte, the low half first.
// A symmetric code of less than 8 bits is stored with an offset (int4: code + 8), int8 as the two's
// complement that processors read; a code beside a zero is stored as it is.

#include <cstddef>
#include <cstdint>

namespace kv {

void put_code(std::byte* bytes, std::uint32_t bits, std::size_t index, std::uint32_t code);
std::uint32_t get_code(const std::byte* bytes, std::uint32_t bits, std::size_t index);

void put_fp16(std::byte* at, std::uint16_t code);
std::uint16_t get_fp16(const std::byte* at);

// Symmetric: codes -q_max to q_max, q_max = 127, 7, 3 or 1.
constexpr std::int32_t largest_code(std::uint32_t bits) {
    return (1 << (bits - 1)) - 1;
}
constexpr std::uint32_t code_offset(std::uint32_t bits) {
    return bits == 8 ? 0 : 1u << (bits - 1);
}
std::uint32_t stored_code(std::int32_t q, std::uint32_t bits);
std::int32_t meant_code(std::uint32_t stored, std::uint32_t bits);

// The fp16 scale of values up to `largest`. One that rounds so low that the largest code would be
// more than half a step off is taken one step higher: no element is ever further off than scale/2.
std::uint16_t symmetric_scale(float largest, std::uint32_t bits);
// round(value / scale), ties to even, kept within the codes; 0 where the scale is 0.
std::int32_t symmetric_code(float value, float scale, std::uint32_t bits);

// A scale and a zero for values between `low` and `high`: codes 0 to 2^bits - 1.
struct ScaleAndZero {
    std::uint16_t scale = 0, zero = 0;  // fp16
};
ScaleAndZero asymmetric_scale(float low, float high, std::uint32_t bits);
std::uint32_t asymmetric_code(float value, float scale, float zero, std::uint32_t bits);

}  // namespace kv
