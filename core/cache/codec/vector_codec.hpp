#pragma once
// How one vector of K or V becomes bytes and back, in every codec of core/base/numbers/codec.hpp
// but KIVI's. A float has no scale (in fp8 it is 1). Integer codes have theirs behind them, fp16:
//
//   intN          one scale for the vector (a token's numbers of one KV head, layer and side)
//                 = max|x| / largest code;  x = scale * code
//                 int8 of 64 channels, 66 bytes:
//                 | 64 bytes of codes | scale |
//                 where max|x| is 3.2, the scale is 3.2 / 127, in fp16 0.025192 (0x2673, low byte
//                 first); 1.0 is 39.69 times that, stored as 40 (0x28) and read as 1.00769
//   intN:gM       for each M channels a scale = (max - min) / (2^N - 1) and a zero = min;
//                 x = code * scale + zero
//                 int4:g32 of 64 channels, 40 bytes:
//                 | 32 bytes of codes | scale 0, zero 0 | scale 1, zero 1 |
//                 where a group goes from -1 to 2, the scale is 3 / 15, in fp16 0.199951 (0x3266),
//                 and the zero -1 (0xBC00); 0.5 is 1.5 above it, 7.502 scales, stored as 8 and read
//                 as 8 * 0.199951 - 1 = 0.599609
//   intN:tensor   nothing: the scale of a layer and side lies with the pool
//   intN:kivi     values are coded here, as the ':gM' that value_codec() of kivi.hpp gives; keys
//                 there, 32 tokens at a time
//
// Codes are always made with the scale as it is stored.

#include <cstddef>
#include <cstdint>

#include "core/base/numbers/codec.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

KvVector vector_of(const Codec& codec, std::uint32_t dim, Side side = Side::K);

// The scale of a ':tensor' codec, an fp16 number; the others keep theirs behind their codes.
using SharedScale = std::uint16_t;
constexpr SharedScale kNoScale = 0xFFFF;  // NaN: not known yet

// The scale for all of these values, as int8 and its kin have it.
template <class Real>
SharedScale scale_for(const Codec& codec, const Real* values, std::size_t n);

template <class Real>
void encode_vector(const Codec& codec, const Real* values, std::uint32_t dim, std::byte* out,
                   SharedScale shared = kNoScale);
template <class Real>
void decode_vector(const Codec& codec, const std::byte* bytes, std::uint32_t dim, Real* out,
                   SharedScale shared = kNoScale);

}  // namespace kv
