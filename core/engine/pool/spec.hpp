#pragma once
// What a pool for a model is to be like, and the layout that follows from both.

#include <cstdint>
#include <string_view>

#include "core/base/planted.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// What a pass sees of its own tokens' keys and values, where these are stored with loss. Exact: as
// they were computed; only what came with earlier passes is read as it is stored. Quantized: as
// they are stored, so that no bit depends on how a prompt was cut into passes.
enum class Prefill : std::uint8_t { Exact, Quantized };
constexpr std::string_view name_of(Prefill prefill) {
    return prefill == Prefill::Exact ? "exact" : "quantized";
}

// What is done to keys and values, and to queries with them, before anything is stored. Not the
// rotation of RoPE, whose words are Rotations and KeyRotation.
enum class Rotation : std::uint8_t { None, Hadamard };
constexpr std::string_view name_of(Rotation rotation) {
    return rotation == Rotation::None ? "none" : "hadamard";
}

struct PoolSpec {
    std::uint32_t n_blocks = 0, block_size = 16;
    KvOrder order = KvOrder::TokenMajor;
    Codec k = Codec::Bf16, v = Codec::Bf16;
    Prefill prefill = Prefill::Exact;
    Rotation rotation = Rotation::None;

    const Codec& codec(Side side) const { return side == Side::K ? k : v; }
    // Whether a pass keeps its own vectors of that side at hand, besides storing them.
    bool attends_exactly(Side side) const {
        return prefill == Prefill::Exact && !codec(side).is_plain();
    }
    bool attends_exactly() const { return attends_exactly(Side::K) || attends_exactly(Side::V); }
    bool has_residual() const { return k.has_residual() || v.has_residual(); }
};

inline KvLayout layout_of(const ModelConfig& config, const PoolSpec& pool) {
    const auto count = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
    KvLayout layout{.n_layers = count(config.n_layers),
                    .n_kv_heads = count(config.n_kv_heads),
                    .block_size = pool.block_size,
                    .n_blocks = pool.n_blocks,
                    .order = pool.order,
                    .k = vector_of(pool.k, count(config.head_dim), Side::K),
                    .v = vector_of(pool.v, count(config.v_head_dim), Side::V)};
    if (planted(PlantedBug::LayoutByQueryHeads)) layout.n_kv_heads = count(config.n_heads);
    return layout;
}

}  // namespace kv
