#pragma once
// The codecs of the cache: how one vector of K or of V is stored. Keys and values have one each.
//
//   f32 bf16 fp16         the number itself, rounded to nearest even
//   fp8_e4m3 fp8_e5m2     the same with scale 1; too large becomes the largest, never infinity
//   int8 int4 int3 int2   q = round(x / scale), one scale per token and KV head
//   intN:gM               q = round((x - zero) / scale), scale and zero per M channels
//   intN:tensor           as intN, but one scale for all vectors of a layer and side
//   int4:kivi int2:kivi   KIVI (arXiv 2402.02750): keys per channel in groups of 32 tokens, values
//                         per token in groups of 32 channels, the newest 128 tokens in fp16
//
// What the bytes mean is told by core/cache/codec/vector_codec.hpp, for KIVI by kivi.hpp beside it;
// how many bytes a vector takes, by core/cost/cache/vector_bytes.hpp.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/side.hpp"

namespace kv {

// What each element becomes. F64 has no name that could be asked for: the float64 truth that tests
// compare with stores its vectors unrounded.
enum class ElementCode : std::uint8_t {
    F32,
    Bf16,
    Fp16,
    Fp8E4m3,
    Fp8E5m2,
    Int8,
    Int4,
    Int3,
    Int2,
    F64
};
constexpr bool is_integer(ElementCode code) {
    return code >= ElementCode::Int8 && code <= ElementCode::Int2;
}
std::uint32_t bits_of(ElementCode code);

enum class ScaleMode : std::uint8_t { None, PerVector, Groups, Tensor, Kivi };

inline constexpr std::uint32_t kKiviGroup = 32;      // tokens of a key group, channels of a value's
inline constexpr std::uint32_t kKiviResidual = 128;  // newest tokens kept in fp16

struct Codec {
    ElementCode code = ElementCode::Bf16;
    ScaleMode scale = ScaleMode::None;
    std::uint32_t group = 0;  // channels that share a scale and a zero, with ScaleMode::Groups
    std::uint32_t scale_bytes = 2;  // fp16; 4 is priced and never stored, to compare with fp32

    static const Codec F32, Bf16, Fp16, Fp8E4m3, Fp8E5m2, Int8, Int4, Int3, Int2, F64;
    friend bool operator==(const Codec&, const Codec&) = default;

    std::uint32_t bits() const { return bits_of(code); }  // of one code, scales left out
    // The newest tokens wait in fp16 before they are coded.
    constexpr bool has_residual() const { return scale == ScaleMode::Kivi; }
    // A format of 16 bits and more: what it stores is attended to as it is, and counts as exact.
    constexpr bool is_plain() const {
        return code <= ElementCode::Fp16 || code == ElementCode::F64;
    }
};
inline constexpr Codec Codec::F32{ElementCode::F32};
inline constexpr Codec Codec::Bf16{ElementCode::Bf16};
inline constexpr Codec Codec::Fp16{ElementCode::Fp16};
inline constexpr Codec Codec::Fp8E4m3{ElementCode::Fp8E4m3};
inline constexpr Codec Codec::Fp8E5m2{ElementCode::Fp8E5m2};
inline constexpr Codec Codec::Int8{ElementCode::Int8, ScaleMode::PerVector};
inline constexpr Codec Codec::Int4{ElementCode::Int4, ScaleMode::PerVector};
inline constexpr Codec Codec::Int3{ElementCode::Int3, ScaleMode::PerVector};
inline constexpr Codec Codec::Int2{ElementCode::Int2, ScaleMode::PerVector};
inline constexpr Codec Codec::F64{ElementCode::F64};

struct CodecPair {
    Codec k, v;
    const Codec& of(Side side) const { return side == Side::K ? k : v; }
    Codec& of(Side side) { return side == Side::K ? k : v; }
    bool operator==(const CodecPair&) const = default;
};

// "int4:g32" and its kin. `why` is a fragment that follows the name: "is not a codec ...".
std::optional<Codec> parse_codec(std::string_view name, std::string& why);
std::string codec_name(const Codec& codec);  // parse_codec(codec_name(c)) == c, but for F64
// The names of the codecs without a suffix, for help texts: "f32, bf16, fp16, ...".
std::string plain_codec_names(std::string_view between);
const std::vector<std::string>& codec_examples();  // with and without a suffix, for suggestions

// Why this codec cannot hold vectors of that many elements; nothing when it can.
std::optional<std::string> codec_objection(const Codec& codec, Side side, std::uint64_t elements);

}  // namespace kv
