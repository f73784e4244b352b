#pragma once
// What a pool for a model is to be like, and the layout that follows from both.

#include <cstdint>

#include "core/base/planted.hpp"
#include "core/cache/kv_format.hpp"
#include "core/model/config.hpp"

namespace kv {

struct PoolSpec {
    std::uint32_t n_blocks = 0, block_size = 16;
    KvOrder order = KvOrder::TokenMajor;
    KvFormat k = KvFormat::Bf16, v = KvFormat::Bf16;
};

inline KvLayout layout_of(const ModelConfig& config, const PoolSpec& pool) {
    return {static_cast<std::uint32_t>(config.n_layers),
            static_cast<std::uint32_t>(planted(PlantedBug::LayoutByQueryHeads) ? config.n_heads
                                                                               : config.n_kv_heads),
            pool.block_size,
            pool.n_blocks,
            pool.order,
            vector_of(pool.k, static_cast<std::uint32_t>(config.head_dim)),
            vector_of(pool.v, static_cast<std::uint32_t>(config.v_head_dim))};
}

}  // namespace kv
