#pragma once
// Attention over the pages of the pool; start here. For all query heads that share a KV head at
// once, so that a key and a value are fetched once for the group:
//
//     out = softmax(q K^T / sqrt(head_dim)) V
//
// as an online softmax (Milakov and Gimelshein, arXiv 1805.02867) over tiles of at most 32 keys.
// Each query head carries the largest score m and the sum l so far (SoftmaxState) and the output so
// far. A tile takes three kernels:
//
//     scores        s_j = q . k_j / sqrt(head_dim)
//     softmax_step  m' = max(m, s_1, s_2, ...)  p_j = exp(s_j - m')
//                   keep = exp(m - m')          l' = l keep + sum of p_j
//     weigh_values  out' = out keep + sum of p_j v_j
//
// and behind the last tile `divide` makes it out / l. The three stand in
// kernels/tile_attention.hpp, as templates over a vector type: on AVX-512 and on AMX alike that is
// Avx512 in kernels/vector16.hpp, sixteen floats at a time, for the tile unit of AMX multiplies
// with weight matrices alone. Which keys, and where they lie, is in cache_pages.hpp; rows that no
// kernel can read are made ready in coded_rows.hpp.
//
// A decoding token (decode_attention.cpp): units_of() cuts its keys into spans of 512, threads
// share these out, attend_tile() is the three kernels, merge_spans() merges the states. Order and
// prefetch of the tiles (rounds.hpp, read_ahead.hpp) change the time and no number.
// A prompt (prompt_attention.cpp): tokens that follow each other are a bunch, which reads every
// tile together; attend_span() is the three kernels, the scores by way of transposed keys
// (kernels/transposed_scores.hpp) where 8 query heads or more read the tile.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/cpu/decode_attention.hpp"
#include "core/engine/cpu/prompt_attention.hpp"

namespace kv::cpu {

class Attention {
public:
    Attention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
              const CpuKernels& kernels, ReadRow read = {})
        : Attention(CachePages{config, pool, kernels, {pool, spec, kernels, std::move(read)}}) {}

    void run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
        if (queries.size() <= kFewQueries)
            decode_.run(threads, layer, queries);
        else
            prompt_.run(threads, layer, queries);
    }

    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const Query& query, std::uint32_t head) const {
        return decode_.scores(layer, query, head);
    }

private:
    // More queries give all threads enough to do without cutting the keys of a query apart, and the
    // states of the parts would take room.
    static constexpr std::size_t kFewQueries = 4;

    explicit Attention(const CachePages& kv) : decode_(kv), prompt_(kv) {}

    DecodeAttention decode_;
    PromptAttention prompt_;
};

}  // namespace kv::cpu
