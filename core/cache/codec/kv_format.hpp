#pragma once
// How one vector of K or V becomes bytes and back: which code each element gets, and which scales
// lie behind the codes. The names and the byte formulas are those of core/cost/cache/codec.hpp;
// this is what the bytes mean.
//
//   f32 bf16 fp16         the number itself, rounded to nearest even
//   fp8_e4m3 fp8_e5m2     the same with scale 1; too large becomes the largest, never infinity
//   int8 int4 int3 int2   q = round(x / scale), scale = max|x| / largest code, stored as fp16
//   intN:gM               q = round((x - zero) / scale) for each M channels, zero = min, both fp16
//   intN:kivi             keys per channel, values per token, the newest in full: kivi.hpp
//   intN:tensor           as int8, but with one scale for all vectors of a layer and side, which
//                         lies with the pool and not behind the codes
//
// Codes are always made with the scale as it is stored. F64 is no codec of the program: the float64
// truth that tests compare with stores its vectors unrounded.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/cache/layout/kv_layout.hpp"
#include "core/cost/cache/codec.hpp"

namespace kv {

enum class KvCode : std::uint8_t { F32, Bf16, Fp16, Fp8E4m3, Fp8E5m2, Int8, Int4, Int3, Int2, F64 };
std::uint32_t bits_of(KvCode code);
constexpr bool is_integer(KvCode code) {
    return code >= KvCode::Int8 && code <= KvCode::Int2;
}

struct KvFormat {
    KvCode code = KvCode::Bf16;
    ScaleMode scale = ScaleMode::None;
    std::uint32_t group = 0;  // channels that share a scale and a zero, with ScaleMode::Groups

    static const KvFormat F32, Bf16, Fp16, Fp8E4m3, Fp8E5m2, Int8, Int4, Int3, Int2, F64;
    friend bool operator==(const KvFormat&, const KvFormat&) = default;

    // The newest tokens wait in fp16 before they are coded, see kivi.hpp.
    constexpr bool has_residual() const { return scale == ScaleMode::Kivi; }
    // Of 16 bits and more: what is stored is what is attended to, and nobody counts it as lossy.
    constexpr bool is_plain() const { return code <= KvCode::Fp16 || code == KvCode::F64; }
};
inline constexpr KvFormat KvFormat::F32{KvCode::F32};
inline constexpr KvFormat KvFormat::Bf16{KvCode::Bf16};
inline constexpr KvFormat KvFormat::Fp16{KvCode::Fp16};
inline constexpr KvFormat KvFormat::Fp8E4m3{KvCode::Fp8E4m3};
inline constexpr KvFormat KvFormat::Fp8E5m2{KvCode::Fp8E5m2};
inline constexpr KvFormat KvFormat::Int8{KvCode::Int8, ScaleMode::PerVector};
inline constexpr KvFormat KvFormat::Int4{KvCode::Int4, ScaleMode::PerVector};
inline constexpr KvFormat KvFormat::Int3{KvCode::Int3, ScaleMode::PerVector};
inline constexpr KvFormat KvFormat::Int2{KvCode::Int2, ScaleMode::PerVector};
inline constexpr KvFormat KvFormat::F64{KvCode::F64};

std::string name_of(const KvFormat& format);  // "int4:g32"
KvFormat format_of(const Codec& codec);
Codec codec_of(const KvFormat& format);  // not of F64
// Of the codecs that a pool can hold. `why` is a fragment that follows the name.
std::optional<KvFormat> runnable_format(std::string_view name, std::string& why);
// Why vectors of that many elements cannot be stored so; nothing when they can.
std::optional<std::string> objection(const KvFormat& format, Side side, std::uint32_t dim);

KvVector vector_of(const KvFormat& format, std::uint32_t dim, Side side = Side::K);

// The scale of a ':tensor' codec, an fp16 number; the others keep theirs behind their codes.
using SharedScale = std::uint16_t;
constexpr SharedScale kNoScale = 0xFFFF;  // NaN: not known yet

// The scale for all of these values, as int8 and its kin have it.
template <class Real>
SharedScale scale_for(const KvFormat& format, const Real* values, std::size_t n);

template <class Real>
void encode_vector(const KvFormat& format, const Real* values, std::uint32_t dim, std::byte* out,
                   SharedScale shared = kNoScale);
template <class Real>
void decode_vector(const KvFormat& format, const std::byte* bytes, std::uint32_t dim, Real* out,
                   SharedScale shared = kNoScale);

}  // namespace kv
