#pragma once
// The size of the cache: per token, layer, block, sequence and batch. The straight case is
//     2 * n_layers * n_kv_heads * head_dim * bytes per element * tokens * batch
// with d_k + d_v for 2 * head_dim when they differ, scales included, a window's cap per layer, and
// one latent vector per layer for MLA. Everything is counted in bytes; nothing is rounded up to
// blocks here.

#include <optional>
#include <vector>

#include "core/base/numbers/codec.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

constexpr const char* kCacheSize = "the size of the cache";  // what a sum that does not fit is

// Why these codecs cannot store this cache; nothing when they can.
std::optional<std::string> cache_objection(const CacheShape& shape, const CodecPair& codecs);

u64 layer_bytes_per_token(const CacheShape& shape, const LayerCache& layer,
                          const CodecPair& codecs);
// All layers, before a window fills.
u64 bytes_per_token(const CacheShape& shape, const CodecPair& codecs);
u64 bytes_per_block(const CacheShape& shape, const CodecPair& codecs, u64 block_size);

u64 layer_bytes(const CacheShape& shape, const LayerCache& layer, const CodecPair& codecs,
                u64 tokens);
u64 sequence_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens);
u64 kv_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch);

u64 elements_per_token(const CacheShape& shape);
u64 stored_elements(const CacheShape& shape, u64 tokens);

// Mean bits per stored element, scales included. With kivi the tokens decide, since the newest 128
// are kept in 16 bits; without `tokens` that residual is left out.
double effective_bits(const CacheShape& shape, const CodecPair& codecs, std::optional<u64> tokens);

// The last result of each list is the one named; those before it are what it unfolds into.
std::vector<Derived> derive_bytes_per_token(const CacheShape& shape, const CodecPair& codecs);
Derived derive_bytes_per_block(u64 bytes_per_token, u64 block_size);
std::vector<Derived> derive_kv_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                     u64 batch);
Derived derive_kv_bytes_per_layer(u64 kv_bytes, u64 n_layers);  // of layers that are all alike
Derived derive_effective_bits(const CacheShape& shape, const CodecPair& codecs,
                              std::optional<u64> tokens);

}  // namespace kv
