#pragma once
// The cache as attention over pages reads it, for a decoding token and for a prompt: which keys a
// query sees, where their sums are cut, and where the queries and outputs of a KV head lie.
//
// Where sums are cut depends on slot numbers alone: tiles begin at multiples of kTileKeys, and
// spans at multiples of kSpanKeys. So no bit of the result depends on the number of threads, the
// block size, the tables or the neighbours in the batch.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/kv_head.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/coded_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/key_walk.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/model/config/config.hpp"

namespace kv::cpu {

constexpr std::uint32_t kSpanKeys = 512;

// The first place after `slot` where a sum is cut, or `end`.
inline std::uint32_t next_cut(std::uint32_t slot, std::uint32_t every, std::uint32_t end) {
    const std::uint32_t cut = (slot / every + 1) * every;
    return cut < end ? cut : end;
}

struct HeadKeys {  // [begin, end) of one KV head, seen by one query
    LayerId layer;
    const Query* query;
    HeadId head;
    std::uint32_t begin, end;
};

// Keys span by span: the first, and the one behind it, none of which goes beyond `end`.
inline HeadKeys first_span(HeadKeys keys) {
    keys.end = next_cut(keys.begin, kSpanKeys, keys.end);
    return keys;
}
inline HeadKeys span_after(HeadKeys span, std::uint32_t end) {
    span.begin = span.end;
    span.end = next_cut(span.begin, kSpanKeys, end);
    return span;
}

struct CachePages {
    const ModelConfig& config;
    const KvPool& pool;
    const CpuKernels& kernels;
    CodedRows rows;
    // Query heads that share a KV head, and the numbers of a head.
    std::size_t group = group_size(config.n_heads, config.n_kv_heads), dim = config.head_dim;

    HeadKeys seen_by(const Query& query, LayerId layer, HeadId head) const {
        return {layer, &query, head, first_visible(config, layer, query.token_index),
                query.token_index + 1};
    }
    KeyWalk walk(const HeadKeys& keys) const {
        return {pool, keys.query->work->tables->of(keys.layer, keys.head), keys.layer, keys.head};
    }
    HeadGroup heads_of(const HeadKeys& keys) const {
        return {keys.query->q + keys.head.index() * group * dim, group, scale()};
    }
    float* output_of(const HeadKeys& keys) const {  // (group, dim)
        return keys.query->attention_output + keys.head.index() * group * dim;
    }
    float scale() const { return 1.0f / std::sqrt(static_cast<float>(dim)); }  // of scores
    void divide(const SoftmaxState* states, float* output) const {
        for (std::size_t h = 0; h < group; ++h)
            kernels.divide(states[h].sum, dim, output + h * dim);
    }
};

}  // namespace kv::cpu
