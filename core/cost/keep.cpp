#include "core/cost/keep.hpp"

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "core/cost/model/parameters.hpp"

namespace kv {
namespace {

constexpr const char* kGenerationWork = "the work of a generation";

u64 work_product(std::initializer_list<u64> factors) {
    return product_or_throw(kGenerationWork, factors);
}

// (query, visible key), summed over the layers and over all passes.
u64 pairs_of_generation(const CacheShape& cache, Keep keep, u64 prompt, u64 new_tokens) {
    if (new_tokens == 0) return 0;
    if (keep != Keep::Nothing)
        return visible_pairs(cache, sum_or_throw(kGenerationWork, {prompt, new_tokens - 1}));
    u64 pairs = 0;
    for (u64 t = 0; t < new_tokens; ++t)
        pairs =
            sum_or_throw(kGenerationWork,
                         {pairs, visible_pairs(cache, sum_or_throw(kGenerationWork, {prompt, t}))});
    return pairs;
}

u64 vector_pair_bytes(const CacheShape& cache, const CodecPair& codecs) {
    return vector_bytes(codecs.k, Side::K, cache.d_k).total() +
           vector_bytes(codecs.v, Side::V, cache.d_v).total();
}

}  // namespace

std::string_view name_of(Keep keep) {
    constexpr std::array<std::string_view, 3> kNames{"nothing", "x", "kv"};
    return kNames[static_cast<std::size_t>(keep)];
}

u64 positions_projected(Keep keep, u64 prompt, u64 new_tokens) {
    return keep == Keep::KeysAndValues ? positions_with_cache(prompt, new_tokens)
                                       : positions_without_cache(prompt, new_tokens);
}

u64 positions_forwarded(Keep keep, u64 prompt, u64 new_tokens) {
    return keep == Keep::Nothing ? positions_without_cache(prompt, new_tokens)
                                 : positions_with_cache(prompt, new_tokens);
}

FlopParts generation_flops(const ModelShape& shape, Keep keep, u64 prompt, u64 new_tokens) {
    const MatrixSizes sizes = matrix_sizes(shape);
    const u64 forwarded = positions_forwarded(keep, prompt, new_tokens);
    const u64 repeated = positions_projected(keep, prompt, new_tokens) - forwarded;
    const u64 pairs = pairs_of_generation(shape.cache, keep, prompt, new_tokens);
    FlopParts parts;
    parts.qkv = work_product({2, forwarded, sizes.qkv});
    if (repeated > 0)
        parts.qkv =
            sum_or_throw(kGenerationWork, {parts.qkv, kv_projection_flops(shape, repeated)});
    parts.scores = work_product({pairs, score_flops_per_pair(shape)});
    parts.sum_of_values = work_product({pairs, value_flops_per_pair(shape)});
    parts.o = work_product({2, forwarded, sizes.o});
    parts.mlp = work_product({2, forwarded, sizes.mlp});
    parts.lm_head = work_product({2, new_tokens, sizes.lm_head});
    return parts;
}

CacheTraffic cache_traffic(const ModelShape& shape, const CodecPair& codecs, Keep keep, u64 prompt,
                           u64 new_tokens) {
    KV_ASSERT(!shape.latent);
    const u64 projected = positions_projected(keep, prompt, new_tokens),
              forwarded = positions_forwarded(keep, prompt, new_tokens);
    CacheTraffic bytes;
    bytes.kv_read = work_product({pairs_of_generation(shape.cache, keep, prompt, new_tokens),
                                  shape.cache.n_kv_heads, vector_pair_bytes(shape.cache, codecs)});
    bytes.kv_written = work_product({projected, bytes_per_token(shape.cache, codecs)});
    if (keep != Keep::Inputs) return bytes;
    bytes.inputs_read = work_product({projected - forwarded, input_bytes_per_token(shape)});
    bytes.inputs_written = work_product({forwarded, input_bytes_per_token(shape)});
    return bytes;
}

u64 input_bytes_per_token(const ModelShape& shape) {
    return work_product({shape.n_layers(), shape.hidden_size, kInputElementBytes});
}

}  // namespace kv
