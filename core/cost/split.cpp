#include "core/cost/split.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {

u64 rank_kv_heads(u64 n_kv_heads, u64 ranks) {
    KV_ASSERT(ranks > 0);
    return ceil_div(n_kv_heads, ranks);
}

u64 all_kv_heads(u64 n_kv_heads, u64 ranks) {
    return std::max(n_kv_heads, ranks);
}

bool divides_heads(u64 n_kv_heads, u64 ranks) {
    return n_kv_heads == 0 || (ranks <= n_kv_heads ? n_kv_heads % ranks : ranks % n_kv_heads) == 0;
}

std::vector<u64> stage_layers(u64 n_layers, u64 stages) {
    KV_ASSERT(stages > 0 && stages <= n_layers);
    std::vector<u64> layers(stages, n_layers / stages);
    // From the last stage but one backwards: the last one also has the output matrix.
    for (u64 i = 0; i < n_layers % stages; ++i) ++layers[stages - 2 - i];
    return layers;
}

namespace {

// Heads of its own are shared out here; those of a layer without any are the shape's.
LayerCache rank_layer(const LayerCache& layer, u64 ranks) {
    const KvHeads* own = own_heads(layer);
    if (!own) return layer;
    KvHeads share = *own;
    share.n_kv_heads = rank_kv_heads(own->n_kv_heads, ranks);
    return with_own_heads(layer, share);
}

}  // namespace

std::vector<CacheShape> stage_caches(const CacheShape& shape, const Split& split) {
    std::vector<CacheShape> caches;
    u64 start = 0;
    for (const u64 count : stage_layers(shape.n_layers(), split.stages)) {
        CacheShape one = shape;
        one.n_kv_heads = rank_kv_heads(shape.n_kv_heads, split.ranks);
        one.layers.clear();
        one.state_bytes.clear();
        for (u64 layer = start; layer < start + count; ++layer) {
            one.layers.push_back(rank_layer(shape.layers[layer], split.ranks));
            if (shape.state_bytes.empty()) continue;
            one.state_bytes.push_back(ceil_div(shape.state_bytes[layer], split.ranks));
        }
        start += count;
        caches.push_back(std::move(one));
    }
    return caches;
}

std::size_t fullest_stage(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                          const Split& split) {
    std::size_t fullest = 0;
    u64 most = 0;
    const std::vector<CacheShape> caches = stage_caches(shape, split);
    for (std::size_t i = 0; i < caches.size(); ++i) {
        const u64 bytes = sequence_bytes(caches[i], codecs, tokens);
        if (bytes > most) fullest = i;
        most = std::max(most, bytes);
    }
    return fullest;
}

u64 rank_sequence_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                        const Split& split) {
    u64 most = 0;
    for (const CacheShape& one : stage_caches(shape, split)) {
        most = std::max(most, sequence_bytes(one, codecs, tokens));
    }
    return most;
}

}  // namespace kv
