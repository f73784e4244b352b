#pragma once
// The layers of a model by what they keep: full, window, chunk, latent, shared, state. The cache is
// the sum over these groups. A layer that both attends and recurs is in two of them. Groups are
// also how servers hand out memory when layers differ (vLLM's hybrid KV cache manager): pages of
// one size, each for as many layers as the rarest kind has, padded where that does not come out
// even.

#include <optional>
#include <string_view>
#include <vector>

#include "core/cost/cache/bytes.hpp"

namespace kv {

struct CacheGroup {
    LayerCache cache;
    std::vector<u64> layers;  // counted from 0
    u64 state_bytes = 0;      // of one layer and sequence; only for "state"

    std::string_view kind() const;  // "full" "window" "chunk" "latent" "shared" "state"
    std::optional<u64> window() const;
    bool is_state() const { return state_bytes > 0; }
    u64 n_layers() const { return layers.size(); }
};

// The groups of a model, in the order in which the kinds first appear. Layers that keep nothing and
// read nothing are in none of them.
std::vector<CacheGroup> cache_groups(const CacheShape& shape);

u64 group_bytes_per_token(const CacheShape& shape, const CacheGroup& group,
                          const CodecPair& codecs);
u64 group_bytes(const CacheShape& shape, const CacheGroup& group, const CodecPair& codecs,
                u64 tokens, u64 batch);
// The most that the group ever holds for a sequence; nothing when it grows without end.
std::optional<u64> group_ceiling(const CacheShape& shape, const CacheGroup& group,
                                 const CodecPair& codecs);

// The shape as if every layer that keeps keys and values kept all of them: what a formula takes it
// for that multiplies all layers by the whole length.
CacheShape all_layers_full(CacheShape shape);

// While a prompt is computed in chunks, a window's layer holds the newest window - 1 tokens and the
// chunk. The most bytes at any moment of the prefill of `tokens`.
u64 prefill_peak_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch,
                       u64 chunk);

// One kind of layer in a server's pool of equal pages (served.cpp).
struct ServedGroup {
    CacheGroup group;
    u64 tables = 0;         // block tables that a sequence has for this kind
    u64 padded_layers = 0;  // layers of the last table that do not exist
    u64 blocks = 0;         // of one sequence, all its tables
};
struct ServedCache {
    u64 layers_per_page = 0;
    u64 block_size = 0;  // may be more than was asked for: a block must be able to hold a state
    u64 page_bytes = 0;
    std::vector<ServedGroup> groups;
    u64 blocks = 0;          // all sequences
    u64 bytes = 0;           // of these blocks
    u64 padding_bytes = 0;   // what is there for layers that do not exist and for smaller states
    u64 rounding_bytes = 0;  // what is there for tokens that do not
};
ServedCache served_cache(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch,
                         u64 block_size);

// "crossover_tokens" of a model with windows or states: its line bends. Some layer must grow.
Derived derive_group_crossover(const CacheShape& shape, const CodecPair& codecs, u64 weight_bytes);

// "all_full_bytes" and "prefill_peak_bytes".
std::vector<Derived> derive_groups(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                   u64 batch, std::optional<u64> chunk);

}  // namespace kv
