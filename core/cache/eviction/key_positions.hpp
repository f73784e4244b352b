#pragma once
// Where keys stand once tokens between them were dropped (for RoPE; the Hadamard rotation of a pool
// is another thing). A token has a position in the text, its index. It has another one in the
// cache: how many of the keys that a query sees come before it.
//
// StreamingLLM (arXiv 2309.17453) goes by positions within the cache rather than those in the
// original text. Its example: the cache holds tokens 0 1 2 3 6 7 8, and token 9 comes. The
// positions are 0 1 2 3 4 5 6 7, the last of them the query's own, so that no distance is wider
// than the model was trained on. A token's position changes with every drop before it; therefore
// keys are stored before their rotation, and rotated each time a query reads them.
//
// Three functions below lead from a policy to these numbers: usual_positions(), unless a scene asks
// for others (positions_of() in core/engine/settings), key_rotation_of() and rotation_positions().
// find_seen_keys() in core/engine/pool/seen_keys.cpp asks the last of them for the keys that a
// query sees, and whoever reads a key rotates it to its position, and the query to the last one:
// PassCache::Query in core/engine/reference/pass_cache.cpp, ListedAttention on the cpu backend,
// cuda/kernels/attention_listed on a card.

#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/planted.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/eviction/tova.hpp"

namespace kv {

// What a scene asks for: by which of its positions a key is rotated, and when.
enum class KeyPositions : std::uint8_t {
    TextWhenStored,  // "true": once, before it is stored
    CacheWhenRead,   // "cache": each time it is read (StreamingLLM)
    TextWhenRead,    // "original": each time it is read
    CacheInPlace     // "shift": to its position in the cache, before it is stored. Whenever tokens
                     // before it are dropped, the stored key is rotated back by as many positions
                     // (core/engine/run/evicting/shift.cpp), and rounding adds up
};
std::string_view name_of(KeyPositions positions);
std::optional<KeyPositions> key_positions_named(std::string_view name);

// What a backend does.
enum class KeyRotation : std::uint8_t {
    WhenStored,  // once, to the position that comes with its token, and the key is stored so
    // With these keys are stored as they are projected, and rotated each time a query reads them:
    ByTextPosition,
    ByCachePosition,
    ByShortGaps  // to positions in the text whose wide gaps are shortened (TOVA)
};

// As each paper has it; where a paper says nothing of positions, keys stay as they were stored.
inline KeyPositions usual_positions(const EvictionSpec& policy) {
    if (policy.policy == EvictionPolicy::Streaming) return KeyPositions::CacheWhenRead;
    if (policy.policy == EvictionPolicy::Tova) return KeyPositions::TextWhenRead;
    return KeyPositions::TextWhenStored;
}

inline KeyRotation key_rotation_of(KeyPositions asked, const EvictionSpec& policy) {
    switch (asked) {
        case KeyPositions::TextWhenStored:
        case KeyPositions::CacheInPlace:
            return KeyRotation::WhenStored;
        case KeyPositions::CacheWhenRead:
            return KeyRotation::ByCachePosition;
        case KeyPositions::TextWhenRead:
            break;
    }
    return policy.short_gaps ? KeyRotation::ByShortGaps : KeyRotation::ByTextPosition;
}

// `positions` in the text of the keys that a query sees, oldest first and its own the last, become
// the positions that these keys are rotated to when they are read.
inline std::vector<std::uint32_t> rotation_positions(KeyRotation by,
                                                     std::vector<std::uint32_t> positions) {
    if (by == KeyRotation::ByCachePosition) std::iota(positions.begin(), positions.end(), 0u);
    if (by == KeyRotation::ByShortGaps) positions = shorten_gaps(positions);
    if (planted(PlantedBug::PositionOffByOne)) ++positions.back();
    return positions;
}

}  // namespace kv
