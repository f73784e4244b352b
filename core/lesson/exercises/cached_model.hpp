#pragma once
// The shape of a cache as questions state it: layers, heads, head_dim, a codec. And the presets
// that they name, with their weights.

#include <string>
#include <vector>

#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/shape.hpp"
#include "core/lesson/exercises/dice.hpp"

namespace kv {

struct CachedModel {
    u64 n_layers, n_heads, n_kv_heads, head_dim;
    const char* codec;  // "BF16", "FP16", "FP32", "FP8"

    CacheShape cache() const { return uniform_cache(n_layers, n_kv_heads, head_dim); }
    CodecPair codecs() const;
    u64 token_bytes() const { return bytes_per_token(cache(), codecs()); }
    u64 element_bytes() const;
    // The same with one KV head for each query head.
    CachedModel with_all_heads() const { return {n_layers, n_heads, n_heads, head_dim, codec}; }
    CachedModel with_kv_heads(u64 n) const { return {n_layers, n_heads, n, head_dim, codec}; }
};

// "32 layers, 32 query heads, 8 KV heads, head_dim 128, BF16".
std::string say(const CachedModel& model);
// A model of published sizes with fewer KV heads than query heads.
CachedModel draw_grouped_model(Dice& dice);

// Presets whose weights and caches are of 16 bits, by name: "llama-2-7b".
const std::vector<const char*>& priced_presets();
ModelShape priced(const char* preset_name);
// "Llama 2 7B (32 layers, 32 KV heads, head_dim 128; 6,738,415,616 parameters of 2 bytes; cache in
// BF16)".
std::string say_priced(const ModelShape& shape);

}  // namespace kv
