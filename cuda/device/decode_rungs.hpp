#pragma once
// The rungs of attention_decode by number, each with all of its launches: one place for the
// backend, the bench and the tests.

#include <iterator>
#include <optional>

#include "cuda/device/gpu.hpp"

namespace kv::gpu {

// The last: v6, and the compiler knows the codec where it can.
enum class DecodeRung : std::uint8_t { V1, V2, V3, V4, V5, V6, OfCodec };
inline constexpr DecodeRung kDecodeRungs[] = {DecodeRung::V1,     DecodeRung::V2, DecodeRung::V3,
                                              DecodeRung::V4,     DecodeRung::V5, DecodeRung::V6,
                                              DecodeRung::OfCodec};
static_assert(std::size(kDecodeRungs) == static_cast<std::size_t>(DecodeRung::OfCodec) + 1,
              "each DecodeRung stands in kDecodeRungs");
const char* name_of(DecodeRung rung);

// How many heads of a group a block of that rung can take: all of them, or as many as have room in
// the shared memory of a block. Nothing where not even one has.
std::optional<u32> heads_of_block(DecodeRung rung, const Attended& a, u32 most_shared_bytes);

// What lies between launches. Scores are v1's, partial softmaxes those of v4 and later, tickets
// those of v6.
struct DecodeRoom {
    View<float> scores;  // (rows, n_heads, longest)
    u32 longest = 0;     // the most keys that a row sees
    Partials partials;
    View<u32> tickets;
};
// Up to v3 keys are not split, whatever `groups` says.
void launch_rung(Gpu& gpu, DecodeRung rung, const Attended& a, const HeadGroups& groups,
                 const DecodeRoom& room);

}  // namespace kv::gpu
