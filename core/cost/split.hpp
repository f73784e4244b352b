#pragma once
// A cache that several cards share. Tensor ranks share the KV heads of each layer; a rank keeps at
// least one, so that more ranks than KV heads keep copies. A latent vector belongs to all heads, so
// every rank keeps it whole. States are cut by their heads, in equal shares. Pipeline stages share
// the layers. What a card keeps is again a CacheShape, so that every formula of a cache holds for
// it as well.

#include <vector>

#include "core/cost/groups.hpp"

namespace kv {

// A rank is a card with its number among those that share a layer (rank as in tensor parallelism).
// Which heads it keeps makes no difference to a bill. In servers rank 0 keeps the first h KV heads,
// rank 1 the next h, and so on, with h = n_kv_heads / ranks: of 8 heads on 4 ranks, rank 1 has
// heads 2 and 3. With more ranks than KV heads, each head lies on ranks / n_kv_heads neighbours: of
// 2 heads on 4 ranks, ranks 0 and 1 have head 0, ranks 2 and 3 head 1. A rank has the query heads
// of its KV heads (kv_head_of); where a head lies on several ranks, they share out its query heads.
// Both quotients are whole there: servers refuse other numbers of ranks (divides_heads). A bill
// prices them all the same, by the fullest rank. 8 heads on 3 ranks are 3, 3 and 2, since the
// fullest keeps 8 / 3 rounded up; of a token of Llama 3 8B that is 32 layers * 3 heads * 512 B = 48
// KiB of 128.
struct Split {
    u64 ranks = 1;   // cards that share each layer
    u64 stages = 1;  // groups of such cards that share the layers
    u64 cards() const { return ranks * stages; }
};

u64 rank_kv_heads(u64 n_kv_heads, u64 ranks);  // ceil(n_kv_heads / ranks): on the fullest rank
u64 all_kv_heads(u64 n_kv_heads, u64 ranks);   // max(n_kv_heads, ranks): on all, copies included
// Whether the heads, or their copies, come out even among the ranks; servers refuse other numbers.
bool divides_heads(u64 n_kv_heads, u64 ranks);

// Layers of each stage, first to last. What is left over goes to the stages before the last, which
// also has the output matrix, as vLLM does it.
std::vector<u64> stage_layers(u64 n_layers, u64 stages);

// What the fullest rank of each stage keeps.
std::vector<CacheShape> stage_caches(const CacheShape& shape, const Split& split);
// The stage whose cards hold most after so many tokens.
std::size_t fullest_stage(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                          const Split& split);
u64 rank_sequence_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                        const Split& split);  // on the fullest card

Operand ranks_operand(u64 ranks);  // as expressions name it
// What unfolds, then "rank_bytes", the fullest card, and "ranks_total_bytes", all cards with all
// copies (derived_split.cpp).
std::vector<Derived> derive_split(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                  u64 batch, const Split& split);
// "fits" of equal shares of the weights and the fullest card's cache.
Derived derive_fits_cards(u64 weight_bytes, u64 rank_bytes, u64 device_bytes, const Split& split);

}  // namespace kv
