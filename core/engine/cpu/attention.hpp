#pragma once
// Attention over the pages of the pool, for all query heads that share a KV head at once: a key and
// a value are fetched once for the group. One pass with an online softmax: 32 keys are scored, the
// state takes them in, their values are weighed, and on. decode_attention.hpp does it for a
// decoding token, prompt_attention.hpp for a prompt; here is the choice.

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
    // With more there is enough to do for all threads without cutting the keys of a query apart,
    // and the states of the parts would take room.
    static constexpr std::size_t kFewQueries = 4;

    explicit Attention(const CachePages& kv) : decode_(kv), prompt_(kv) {}

    DecodeAttention decode_;
    PromptAttention prompt_;
};

}  // namespace kv::cpu
