#pragma once
// How the cache grows with the tokens that are resident in all requests together. Without windows
// it is a straight line whose slope is the bytes per token; a window bends it.

#include <optional>
#include <vector>

#include "core/cost/cache/bytes.hpp"

namespace kv {

struct GrowthPoint {
    u64 resident_tokens = 0;  // of all requests
    u64 bytes = 0;
    bool operator==(const GrowthPoint&) const = default;
};

u64 resident_tokens(u64 batch, u64 length);

// The line from 0 to `batch` requests of `length` tokens: every point where it bends, so that
// straight pieces between them are exact; with kivi codecs, whose steps are many, a sample of it.
std::vector<GrowthPoint> growth_curve(const CacheShape& shape, const CodecPair& codecs, u64 batch,
                                      u64 length);

// Resident tokens at which the curve reaches `bytes`, rounded down; nothing when it never does.
std::optional<u64> tokens_at_bytes(const std::vector<GrowthPoint>& curve, u64 bytes);

}  // namespace kv
