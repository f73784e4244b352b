#include "core/cost/cache/bytes.hpp"

#include <string>

#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

// The bytes of a token: the sum over layers of n_kv_heads x (bytes of a key + bytes of a value),
// with Llama 2 7B in bf16 32 layers x 32 x (256 + 256) = 524,288. Here is the term of one layer.
// `bytes(side, n)` says how many a vector of n elements takes: of one token, or of all tokens that
// the layer keeps, so that the same sum gives the bytes of a sequence. MLA keeps one latent vector
// for all heads, coded as a key: 576 x 2 = 1,152 with DeepSeek-V3 in bf16. Some models keep the key
// of an index beside it.
template <class Bytes>
u64 sum_of_layer(const CacheShape& shape, const LayerCache& layer, Bytes bytes) {
    if (std::holds_alternative<NoCache>(layer)) return 0;
    if (const auto* latent = std::get_if<LatentCache>(&layer)) {
        const u64 index = latent->d_index == 0 ? 0 : bytes(Side::K, latent->d_index);
        return sum_or_throw(kCacheSize, {bytes(Side::K, latent->width()), index});
    }
    const KvHeads heads = heads_of(shape, layer);
    const u64 both =
        sum_or_throw(kCacheSize, {bytes(Side::K, heads.d_k), bytes(Side::V, heads.d_v)});
    return product_or_throw(kCacheSize, {heads.n_kv_heads, both});
}

}  // namespace

std::optional<std::string> cache_objection(const CacheShape& shape, const CodecPair& codecs) {
    if (elements_per_token(shape) == 0 && total_state_bytes(shape) == 0)
        return "this shape keeps nothing, so there is no cache to price";
    if (const LatentCache* latent = latent_layer(shape)) {
        if (codecs.k != codecs.v)
            return "an MLA cache keeps one vector, so K and V share one codec";
        if (auto no = codec_objection(codecs.k, Side::K, latent->width())) return no;
        if (latent->d_index > 0) {
            if (auto no = codec_objection(codecs.k, Side::K, latent->d_index)) return no;
        }
    }
    if (count_head_layers(shape) == 0) return std::nullopt;
    for (const LayerGroup& group : layer_groups(shape)) {
        const KvHeads heads = heads_of(shape, group.cache);
        if (auto no = codec_objection(codecs.k, Side::K, heads.d_k)) return no;
        if (auto no = codec_objection(codecs.v, Side::V, heads.d_v)) return no;
    }
    return std::nullopt;
}

// A window keeps its newest tokens: a layer of Gemma 3 27B with 16 x (256 + 256) bytes a token and
// a window of 1,024 has 8 MiB, however long the text is from there on.
u64 layer_bytes(const CacheShape& shape, const LayerCache& layer, const CodecPair& codecs,
                u64 tokens) {
    const u64 kept = kept_tokens(layer, tokens);
    return sum_of_layer(shape, layer, [&](Side side, u64 elements) {
        return head_bytes(codecs.of(side), side, elements, kept);
    });
}

u64 layer_bytes_per_token(const CacheShape& shape, const LayerCache& layer,
                          const CodecPair& codecs) {
    return sum_of_layer(shape, layer, [&](Side side, u64 elements) {
        return vector_bytes(codecs.of(side), side, elements).total();
    });
}

u64 bytes_per_token(const CacheShape& shape, const CodecPair& codecs) {
    u64 sum = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const u64 layer = layer_bytes_per_token(shape, group.cache, codecs);
        sum = sum_or_throw(kCacheSize, {sum, product_or_throw(kCacheSize, {group.count, layer})});
    }
    return sum;
}

u64 bytes_per_block(const CacheShape& shape, const CodecPair& codecs, u64 block_size) {
    return product_or_throw("the size of a block", {block_size, bytes_per_token(shape, codecs)});
}

u64 sequence_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens) {
    u64 sum = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const u64 layer = layer_bytes(shape, group.cache, codecs, tokens);
        sum = sum_or_throw(kCacheSize, {sum, product_or_throw(kCacheSize, {group.count, layer})});
    }
    return tokens == 0 ? sum : sum_or_throw(kCacheSize, {sum, total_state_bytes(shape)});
}

u64 kv_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch) {
    return product_or_throw(kCacheSize, {batch, sequence_bytes(shape, codecs, tokens)});
}

u64 elements_per_token(const CacheShape& shape) {
    return stored_elements(shape, 1);
}

u64 stored_elements(const CacheShape& shape, u64 tokens) {
    u64 sum = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const auto* latent = std::get_if<LatentCache>(&group.cache);
        const KvHeads heads = heads_of(shape, group.cache);
        const u64 width =
            latent ? latent->width() + latent->d_index
                   : product_or_throw(kCacheSize, {heads.n_kv_heads, heads.d_k + heads.d_v});
        const u64 kept = kept_tokens(group.cache, tokens);
        sum = sum_or_throw(kCacheSize,
                           {sum, product_or_throw(kCacheSize, {group.count, width, kept})});
    }
    return sum;
}

double effective_bits(const CacheShape& shape, const CodecPair& codecs, std::optional<u64> tokens) {
    return derive_effective_bits(shape, codecs, tokens).real();
}

}  // namespace kv
