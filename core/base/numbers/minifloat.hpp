#pragma once
// One algorithm for every small floating-point format: a sign bit, kExponentBits of exponent and
// kFractionBits of fraction, from and to the 32-bit float (1, 8 and 23 bits, bias 127). Integers,
// memcpy and one exact product, so that the CPU and the kernels get the same bits. Callers use
// formats.hpp.

#include <cstdint>
#include <cstring>

#include "core/base/kv_hd.hpp"

namespace kv {

KV_HD inline std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

KV_HD inline float float_of(std::uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// bits / 2^shift, rounded to nearest, ties to the even result. shift is 1 to 25, bits below 2^31.
KV_HD inline std::uint32_t shift_to_nearest_even(std::uint32_t bits, std::uint32_t shift) {
    const std::uint32_t just_below_half = (1u << (shift - 1)) - 1;
    const std::uint32_t odd = (bits >> shift) & 1;
    return (bits + just_below_half + odd) >> shift;
}

template <int kExponentBits, int kFractionBits, bool kHasInfinity>
struct Minifloat {
    static constexpr std::uint32_t kBias = (1u << (kExponentBits - 1)) - 1;
    static constexpr std::uint32_t kSign = 1u << (kExponentBits + kFractionBits);
    static constexpr std::uint32_t kFraction = (1u << kFractionBits) - 1;  // mask
    static constexpr std::uint32_t kAllOnes = kSign - 1;                   // exponent and fraction

    // A format with an infinity gives its top exponent to it and to NaNs; a format without one
    // gives only the very last code away, as NaN.
    static constexpr std::uint32_t kInfinity = kAllOnes - kFraction;
    static constexpr std::uint32_t kLargest = kHasInfinity ? kInfinity - 1 : kAllOnes - 1;
    // What is beyond the largest, an infinity too, becomes infinity where the format has one, else
    // the largest: 500 becomes 448 in e4m3.
    static constexpr std::uint32_t kTooLarge = kHasInfinity ? kInfinity : kLargest;

    // How many fraction bits a float has more, and by how much its exponent field is larger.
    static constexpr std::uint32_t kDropped = 23 - kFractionBits;
    static constexpr std::uint32_t kRebias = 127 - kBias;
    static constexpr std::uint32_t kFloatInfinity = 0x7F800000;

    KV_HD static std::uint32_t encode(float value) {
        const std::uint32_t sign = bits_of(value) >> 31 ? kSign : 0;
        const std::uint32_t magnitude = bits_of(value) & 0x7FFFFFFF;
        if (magnitude > kFloatInfinity) return sign | nan_code(magnitude);
        const std::uint32_t code = encode_magnitude(magnitude);
        return sign | (code < kTooLarge ? code : kTooLarge);
    }

    KV_HD static float decode(std::uint32_t code) {
        // A code whose exponent is as wide as a float's is the upper half of a float, NaN and all.
        if constexpr (kRebias == 0) {
            return float_of((code & (kSign | kAllOnes)) << kDropped);
        } else {
            const std::uint32_t sign = code & kSign ? 0x80000000 : 0;
            const std::uint32_t magnitude = code & kAllOnes;
            // Infinity has no fraction. What else is above the largest is a NaN, and keeps its
            // bits.
            if (magnitude > kLargest)
                return float_of(sign | kFloatInfinity | (magnitude & kFraction) << kDropped);
            if (magnitude > kFraction)
                return float_of(sign | ((magnitude << kDropped) + (kRebias << 23)));
            // Zero or subnormal: fraction x 2^(1 - bias - kFractionBits), which is exact in a
            // float.
            const float step = float_of((kRebias + 1 - kFractionBits) << 23);
            return float_of(sign | bits_of(static_cast<float>(magnitude) * step));
        }
    }

private:
    // The quiet NaN with as much of the payload as fits: never an infinity by losing its last bits.
    KV_HD static std::uint32_t nan_code(std::uint32_t magnitude) {
        if (!kHasInfinity) return kAllOnes;
        return kInfinity | 1u << (kFractionBits - 1) | ((magnitude >> kDropped) & kFraction);
    }

    // The code is not yet cut at the largest value. A carry out of the fraction runs into the
    // exponent, which is the next code up, as it should be. In e4m3 0.3 is 1.2 x 2^-2: the float's
    // exponent field 125 becomes 125 - 120 = 5; of the fraction, 1.6 eighths, 2 are left. The code
    // is 5 << 3 | 2 = 0x2A and means 1.25 x 2^-2 = 0.3125.
    KV_HD static std::uint32_t encode_magnitude(std::uint32_t magnitude) {
        const std::uint32_t exponent = magnitude >> 23;
        if (exponent > kRebias) {
            return shift_to_nearest_even(magnitude - (kRebias << 23), kDropped);
        }
        // Subnormal in the small format: no exponent is left to move, so the significand, its
        // leading one spelled out, is shifted down instead: in e4m3 0.005 is 2.56 x 2^-9 and has
        // the code 3. From 25 places on nothing is left to round up.
        const std::uint32_t normal = exponent > 0 ? 1 : 0;
        const std::uint32_t significand = (magnitude & 0x7FFFFF) | normal << 23;
        // From the float's unit, 2^(exponent - 150), to that of the small format's subnormals,
        // 2^(1 - kBias - kFractionBits). A float's own subnormals have the exponent 1.
        const std::uint32_t shift = kDropped + kRebias + 1 - (normal ? exponent : 1);
        return shift_to_nearest_even(significand, shift < 25 ? shift : 25);
    }
};

}  // namespace kv
