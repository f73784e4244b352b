#pragma once
// The small picture of each group of Settings, as plain values: what is drawn, not where. Pure.

#include <array>
#include <cstdint>

#include "app/panels/settings/setup.hpp"

namespace kv {

// Query heads above their KV boxes; at most eight are drawn, and KV heads in proportion.
struct TinyHeads {
    std::uint32_t queries = 0, boxes = 0;
    std::uint32_t box_of(std::uint32_t query) const { return query * boxes / queries; }
};
TinyHeads tiny_heads(const CacheSetup& setup);

// The bits of one stored number, by field; an integer has no fields, but a scale beside it.
struct TinyBits {
    std::uint32_t sign = 0, exponent = 0, fraction = 0, integer = 0;
    bool has_scale = false;
    std::uint32_t count() const { return sign + exponent + fraction + integer; }
};
TinyBits tiny_bits(const Codec& codec);

// The tokens of the request in focus in eight parts, oldest first. Which of them a policy drops
// that goes by scores is not known beforehand: then as many as it drops are spread evenly.
struct TinySlots {
    static constexpr std::uint32_t kParts = 8;
    std::uint32_t filled = 0;
    std::array<bool, kParts> dropped{};
};
TinySlots tiny_slots(const CacheSetup& setup);

// The blocks of the pool, all of them empty where no step keeps any; of a large one so many as can
// be told apart, the used ones in proportion.
struct TinyPool {
    std::uint32_t columns = 1, blocks = 0, used = 0;
    std::uint32_t rows() const { return (blocks + columns - 1) / columns; }
};
TinyPool tiny_pool(const CacheSetup& setup);

}  // namespace kv
