#pragma once
// The twin test's subject: number formats, ids and random numbers of core/base (not the division of
// kv_head.hpp) as tables, one 64-bit value per element, so that a GPU, the device compiler and the
// CPU can be compared bit for bit. twin_value() is the element, fill_twin() the loop over a grid;
// both run on either side. No CUDA type.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/base/random.hpp"
#include "cuda/grid/grid.hpp"

namespace kv {

enum class Twin : std::uint8_t {
    DecodeBf16,  // element i: the float of code i, as bits
    DecodeFp16,
    DecodeE4m3,
    DecodeE5m2,
    EncodeBf16,  // element i: the code of probe_float(i)
    EncodeFp16,
    EncodeE4m3,
    EncodeE5m2,
    Ids,     // element i: what two ids out of probe_id() answer
    Philox,  // element i: half a block of random numbers
};
inline constexpr Twin kTwins[] = {
    Twin::DecodeBf16, Twin::DecodeFp16, Twin::DecodeE4m3, Twin::DecodeE5m2, Twin::EncodeBf16,
    Twin::EncodeFp16, Twin::EncodeE4m3, Twin::EncodeE5m2, Twin::Ids,        Twin::Philox};
inline constexpr std::uint32_t kTwinCount = sizeof kTwins / sizeof kTwins[0];

// Every upper half of a float under 16 lower halves: the ties of all four formats, their neighbours
// on both sides, all signs, exponents, infinities and NaNs.
inline constexpr std::uint32_t kProbeFloats = 65536 * 16;
KV_HD inline float probe_float(std::uint32_t i) {
    constexpr std::uint32_t kLow[16] = {0x0000, 0x0001, 0x0FFF, 0x1000, 0x1001, 0x1FFF,
                                        0x2000, 0x3000, 0x5000, 0x7FFF, 0x8000, 0x8001,
                                        0x9000, 0xEFFF, 0xF000, 0xFFFF};
    return float_of((i >> 4) << 16 | kLow[i & 15]);
}

inline constexpr std::uint32_t kProbeIds = 8;
KV_HD inline std::uint32_t probe_id(std::uint32_t i) {
    constexpr std::uint32_t kIds[kProbeIds] = {0,     1,          2,          65535,
                                               65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    return kIds[i % kProbeIds];
}

KV_HD constexpr std::uint32_t twin_size(Twin twin) {
    switch (twin) {
        case Twin::DecodeBf16:
        case Twin::DecodeFp16:
            return 65536;
        case Twin::DecodeE4m3:
        case Twin::DecodeE5m2:
            return 256;
        case Twin::Ids:
            return kProbeIds * kProbeIds;
        case Twin::Philox:
            return 8192;
        default:
            return kProbeFloats;
    }
}

// The comparisons in the low bits, and a's byte offset in a pool of 5 MiB blocks above them: 65,536
// such blocks no longer fit 32 bits.
KV_HD inline std::uint64_t twin_ids(std::uint32_t i) {
    const BlockId a{probe_id(i / kProbeIds)}, b{probe_id(i)};
    const std::uint64_t answers = (a == b ? 1u : 0u) | (a != b ? 2u : 0u) | (a < b ? 4u : 0u);
    return a.index() * std::uint64_t{5 << 20} | answers;
}

KV_HD inline std::uint64_t twin_philox(std::uint32_t i) {
    const std::uint32_t n = i / 2, half = i % 2 * 2;
    const PhiloxBlock block =
        philox4x32({{n, ~n, n * 0x9E3779B9u, 0x243F6A88u}}, {{0xA4093822u ^ n, 0x299F31D0u}});
    return std::uint64_t{block.word[half]} << 32 | block.word[half + 1];
}

KV_HD inline std::uint64_t twin_value(Twin twin, std::uint32_t i) {
    switch (twin) {
        case Twin::DecodeBf16:
            return bits_of(bf16_to_float(static_cast<std::uint16_t>(i)));
        case Twin::DecodeFp16:
            return bits_of(fp16_to_float(static_cast<std::uint16_t>(i)));
        case Twin::DecodeE4m3:
            return bits_of(fp8_e4m3_to_float(static_cast<std::uint8_t>(i)));
        case Twin::DecodeE5m2:
            return bits_of(fp8_e5m2_to_float(static_cast<std::uint8_t>(i)));
        case Twin::EncodeBf16:
            return bf16_from_float(probe_float(i));
        case Twin::EncodeFp16:
            return fp16_from_float(probe_float(i));
        case Twin::EncodeE4m3:
            return fp8_e4m3_from_float(probe_float(i));
        case Twin::EncodeE5m2:
            return fp8_e5m2_from_float(probe_float(i));
        case Twin::Ids:
            return twin_ids(i);
        case Twin::Philox:
            break;
    }
    return twin_philox(i);
}

// The elements that folding.cu asks the device compiler for. Of an encoder: 32 exponents (the
// range of the small formats, 0 and 255), each under nine ends: a power of two, and for every
// format a tie that goes down and one that goes up. Of the others: all of a small table, a
// scattered sample of a large one.
inline constexpr std::uint32_t kFolded = 288;
KV_HD constexpr std::uint32_t folded_index(Twin twin, std::uint32_t k) {
    if (twin_size(twin) != kProbeFloats) return k * 0x9E3779B1u % twin_size(twin);
    constexpr std::uint32_t kEnds[9] = {0x000,          // (fraction << 4 | which lower half)
                                        0x00A, 0x01A,   // bf16: x.8000
                                        0x003, 0x007,   // fp16: x.1000, x.3000
                                        0x080, 0x180,   // e4m3
                                        0x100, 0x300};  // e5m2
    const std::uint32_t e = k % 32;
    const std::uint32_t exponent = e == 31 ? 255 : e == 30 ? 0 : 102 + e * 4 / 3;
    const std::uint32_t sign = k & 1;
    return sign << 19 | exponent << 11 | kEnds[k / 32];
}

struct TwinParams {
    Twin twin;
    std::uint64_t* out;  // twin_size(twin) values
};

KV_HD inline void fill_twin(const TwinParams& params, Lane lane) {
    for (std::size_t i = lane.first(); i < twin_size(params.twin); i += lane.stride()) {
        params.out[i] = twin_value(params.twin, static_cast<std::uint32_t>(i));
    }
}

// The whole table as a GPU computes it. Throws kv::Error (Missing) where the build has no CUDA; ask
// query_devices() first.
std::vector<std::uint64_t> twin_on_device(Twin twin, Grid grid);

}  // namespace kv
