#pragma once
// The 16-bit and 8-bit floating-point formats in which keys and values are stored, as functions on
// their codes: encode rounds to nearest, ties to even; decode is exact. Host and device share them.
//
//   format     sign exponent fraction  bias  largest    infinity  NaN codes
//   bf16        1      8        7      127   3.39e38    yes       S.11111111.(not 0)
//   fp16        1      5       10       15   65,504     yes       S.11111.(not 0)
//   fp8_e4m3    1      4        3        7   448        none      S.1111.111 only
//   fp8_e5m2    1      5        2       15   57,344     yes       S.11111.{01,10,11}
//
// What is too large after rounding:
// - bf16, fp16 and e5m2 become infinity, as IEEE 754 says, and an infinity stays one.
// - e4m3 has no infinity. The OCP 8-bit floating point specification (OFP8, revision 1.0) knows two
//   conversions, one that saturates and one that makes NaN. This is the saturating one, which GPUs
//   do in hardware and which inference engines store a cache with: too large, and infinity too,
//   becomes +-448. A large key then loses precision; a NaN would spoil the whole attention row.
// A codec that wants e5m2 to saturate as well clamps to +-largest_finite() before it encodes.
// A NaN stays a NaN with its sign, quiet, with as many of its upper payload bits as fit.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/kv_hd.hpp"
#include "core/base/numbers/minifloat.hpp"

namespace kv {

using Bf16Code = Minifloat<8, 7, true>;
using Fp16Code = Minifloat<5, 10, true>;
using Fp8E4m3Code = Minifloat<4, 3, false>;
using Fp8E5m2Code = Minifloat<5, 2, true>;

KV_HD inline std::uint16_t bf16_from_float(float value) {
    return static_cast<std::uint16_t>(Bf16Code::encode(value));
}
KV_HD inline float bf16_to_float(std::uint16_t code) {
    return Bf16Code::decode(code);
}
KV_HD inline std::uint16_t fp16_from_float(float value) {
    return static_cast<std::uint16_t>(Fp16Code::encode(value));
}
KV_HD inline float fp16_to_float(std::uint16_t code) {
    return Fp16Code::decode(code);
}
KV_HD inline std::uint8_t fp8_e4m3_from_float(float value) {
    return static_cast<std::uint8_t>(Fp8E4m3Code::encode(value));
}
KV_HD inline float fp8_e4m3_to_float(std::uint8_t code) {
    return Fp8E4m3Code::decode(code);
}
KV_HD inline std::uint8_t fp8_e5m2_from_float(float value) {
    return static_cast<std::uint8_t>(Fp8E5m2Code::encode(value));
}
KV_HD inline float fp8_e5m2_to_float(std::uint8_t code) {
    return Fp8E5m2Code::decode(code);
}

enum class NumberFormat : std::uint8_t { F32, Bf16, Fp16, Fp8E4m3, Fp8E5m2 };

struct FormatShape {  // widths in bits; sign is always one bit
    int exponent_bits;
    int fraction_bits;
    int bias;
    bool has_infinity;
    int bits() const { return 1 + exponent_bits + fraction_bits; }
};
FormatShape shape_of(NumberFormat format);
float largest_finite(NumberFormat format);
std::string_view name_of(NumberFormat format);  // "bf16", "fp8_e4m3", ...
std::optional<NumberFormat> number_format(std::string_view name);

// For code that picks the format at run time; the code sits in the low bits, the others are 0.
std::uint32_t encode(NumberFormat format, float value);
float decode(NumberFormat format, std::uint32_t code);

// What the inspector shows of one element. Zero, subnormal and normal values are
//   (-1)^sign x significand x 2^power, significand = fraction / 2^fraction_bits, plus 1 if normal.
struct FormatFields {
    std::uint32_t sign, exponent, fraction;  // the raw bit fields
    int power;                               // 0 for infinity and NaN, which have no significand
    enum class Kind { Zero, Subnormal, Normal, Infinity, NaN } kind;
};
FormatFields fields_of(NumberFormat format, std::uint32_t code);

}  // namespace kv
