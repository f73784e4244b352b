#pragma once
// Shapes that many tests of this folder use, written out by hand, and unit constants.

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/numbers/codec.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/model/shape.hpp"

namespace kv::test {

inline constexpr u64 kKiB = 1024;
inline constexpr u64 kMiB = 1024 * kKiB;
inline constexpr u64 kGiB = 1024 * kMiB;

inline ModelShape model(std::string_view name) {
    const auto found = preset(name);
    if (!found) throw std::runtime_error("no preset " + std::string(name));
    return *found;
}

inline Codec codec(std::string_view name) {
    std::string why;
    const auto found = parse_codec(name, why);
    if (!found) throw std::runtime_error(std::string(name) + " " + why);
    return *found;
}

inline CodecPair both(std::string_view name) {
    return {codec(name), codec(name)};
}

inline const CodecPair kBf16Pair{};

// "32 layers, 32 KV heads, d = 128": the model of most of the chapters' examples.
inline CacheShape cache_7b() {
    return uniform_cache(32, 32, 128);
}
inline CacheShape cache_70b() {
    return uniform_cache(80, 8, 128);
}
inline CacheShape cache_70b_mha() {
    return uniform_cache(80, 64, 128);
}

}  // namespace kv::test
