#pragma once
// How many bytes one cached vector takes in each codec, scales included. Arithmetic only: what the
// codes mean is the business of core/cache. Keys and values have a codec each.
//
//   f32 bf16 fp16 fp8_e4m3 fp8_e5m2   the format itself, no scale
//   int8 int4 int3 int2               one scale per token and KV head
//   intN:gM                           scale and zero per M channels; M divides head_dim
//   intN:tensor                       one scale per layer and side, which weighs nothing per token
//   int4:kivi int2:kivi               arXiv 2402.02750: keys per channel in groups of 32 tokens,
//                                     values per token in groups of 32 channels, the newest 128
//                                     tokens in 16 bits

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/base/side.hpp"
#include "core/cost/model/derivation.hpp"

namespace kv {

enum class CodecBase : std::uint8_t { F32, Bf16, Fp16, Fp8E4m3, Fp8E5m2, Int8, Int4, Int3, Int2 };
enum class ScaleMode : std::uint8_t { None, PerVector, Groups, Tensor, Kivi };

inline constexpr u64 kKiviGroup = 32;      // tokens per key group, channels per value group
inline constexpr u64 kKiviResidual = 128;  // newest tokens kept in 16 bits

struct Codec {
    CodecBase base = CodecBase::Bf16;
    ScaleMode scale = ScaleMode::None;
    u64 group = 0;        // channels that share a scale and a zero, with ScaleMode::Groups
    u64 scale_bytes = 2;  // 2 = fp16; 4 = fp32, for the comparison that lesson 11 makes

    bool operator==(const Codec&) const = default;
    u64 bits() const;  // of one code: the nominal bits
};

struct CodecPair {
    Codec k, v;
    bool operator==(const CodecPair&) const = default;
};

// "int4:g32" and its kin. `why` is a fragment that follows the name: "is not a codec ...".
std::optional<Codec> parse_codec(std::string_view name, std::string& why);
std::string codec_name(const Codec& codec);  // parse_codec(codec_name(c)) == c for fp16 scales
const std::vector<std::string>& codec_examples();  // for help texts and suggestions

// Why this codec cannot hold vectors of that many elements; nothing when it can.
std::optional<std::string> codec_objection(const Codec& codec, Side side, u64 elements);

struct VectorBytes {
    u64 payload = 0, scales = 0;
    u64 total() const { return payload + scales; }
};
// One token's vector of one KV head. Kivi keys: the mean over a group, without the 16-bit residual.
VectorBytes vector_bytes(const Codec& codec, Side side, u64 elements);

// Tokens of a sequence of `tokens` that kivi has coded; the others are in 16 bits.
u64 kivi_coded_tokens(Side side, u64 tokens);

// One KV head's vectors of `tokens` tokens in one layer, to the byte (kivi: residual included).
u64 head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens);

double effective_bits(const Codec& codec, Side side, u64 elements);  // per element, scales included

// How vector_bytes came about. `elements_name` is what the expression calls the vector's length.
Derived derive_vector_bytes(const Codec& codec, Side side, u64 elements,
                            const std::string& result_name, const std::string& elements_name);
// The same for head_bytes of a kivi codec, where the count of tokens decides.
Derived derive_kivi_head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens,
                               const std::string& result_name);

}  // namespace kv
