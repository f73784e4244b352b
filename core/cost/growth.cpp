#include "core/cost/growth.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr u64 kSamples = 64;

std::vector<u64> corner_lengths(const CacheShape& shape, const CodecPair& codecs, u64 length) {
    std::vector<u64> lengths{0, length};
    for (const LayerGroup& group : layer_groups(shape)) {
        const auto* window = std::get_if<WindowCache>(&group.cache);
        if (window && window->window < length) lengths.push_back(window->window);
    }
    // States are there from the first token on.
    if (total_state_bytes(shape) > 0 && length > 0) lengths.push_back(1);
    if (codecs.k.scale == ScaleMode::Kivi || codecs.v.scale == ScaleMode::Kivi) {
        for (u64 i = 1; i < kSamples; ++i) lengths.push_back(length / kSamples * i);
    }
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
}

}  // namespace

u64 resident_tokens(u64 batch, u64 length) {
    return product_or_throw("the resident tokens", {batch, length});
}

std::vector<GrowthPoint> growth_curve(const CacheShape& shape, const CodecPair& codecs, u64 batch,
                                      u64 length) {
    std::vector<GrowthPoint> points;
    for (const u64 each : corner_lengths(shape, codecs, length)) {
        points.push_back({resident_tokens(batch, each), kv_bytes(shape, codecs, each, batch)});
    }
    return points;
}

std::optional<u64> tokens_at_bytes(const std::vector<GrowthPoint>& curve, u64 bytes) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const GrowthPoint& a = curve[i - 1];
        const GrowthPoint& b = curve[i];
        if (bytes < a.bytes || bytes > b.bytes || a.bytes == b.bytes) continue;
        const double slope = static_cast<double>(b.bytes - a.bytes) /
                             static_cast<double>(b.resident_tokens - a.resident_tokens);
        const double further = std::floor(static_cast<double>(bytes - a.bytes) / slope);
        return a.resident_tokens + static_cast<u64>(further);
    }
    return std::nullopt;
}

}  // namespace kv
