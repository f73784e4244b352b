#pragma once
// The shape of a model as far as it can be priced: how much each layer keeps per token (CacheShape)
// and which matrices there are (ModelShape). Plain numbers, no weights. head_dim is always the
// configured one, never hidden_size / n_heads; n_kv_heads counts KV heads and group_size the query
// heads per KV head.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/cost/model/derivation.hpp"

namespace kv {

struct KvHeads {
    u64 n_kv_heads = 0;
    u64 d_k = 0;  // head_dim of keys
    u64 d_v = 0;  // head_dim of values
    bool operator==(const KvHeads&) const = default;
};

// What a layer keeps of the past. `own`: the heads of a layer that has others than the model's.
struct FullCache {  // K and V of every token
    std::optional<KvHeads> own = {};
    bool operator==(const FullCache&) const = default;
};
struct WindowCache {  // K and V of the newest `window` tokens
    u64 window;
    bool chunked = false;  // tokens see their own chunk of this size only; no more is ever kept
    std::optional<KvHeads> own = {};
    bool operator==(const WindowCache&) const = default;
};
// MLA (arXiv 2405.04434): one vector per token for all heads, out of which the keys and the values
// of every head are made. It is c_KV, of kv_lora_rank elements, and behind it the part of the key
// that is rotated, k_R, of qk_rope_head_dim.
//
// A query has two parts as well: q_C, which is not rotated, and q_R, which is. The part of a head's
// key that is not rotated is W_UK c_KV, so its score is
//
//     q_C . (W_UK c_KV) + q_R . k_R  =  (W_UK^T q_C) . c_KV + q_R . k_R
//
// On the right W_UK (of a head: nope_dim x d_c) is applied to the query, once for a position, and
// no key is made: the matrix is absorbed. That is why the rotated part stands apart. Were the whole
// key rotated, the score would be q^T R(n - m) W_UK c_KV, with a rotation by the distance of query
// and key between the two matrices, and W_UK^T could not go over to the query once for all keys.
//
// DeepSeek-V3 keeps 512 + 64 = 576 elements of a token in a layer instead of the 128 x (192 + 128)
// = 40,960 of its heads, so in its 61 layers 61 x 576 x 2 = 70,272 B of a token in bf16. The price
// is paid in operations: 576 + 512 multiply-adds for each head and pair of tokens instead of 192 +
// 128, 3.4 times as many.
//
// A value is W_UV c_KV, so W_UV is applied once, to the weighted sum of c_KV. That is how
// MLA is priced: score_flops_per_pair() and value_flops_per_pair() in core/cost/time/flops.cpp have
// these two widths, and matrix_sizes() in parameters.hpp has W_UK and W_UV, each used once for a
// position. The decoder does not run it (running_objection of core/model/checkpoint/slots.cpp).
struct LatentCache {
    u64 d_c, d_rope;  // elements of c_KV, and of k_R
    u64 d_index = 0;  // of the key of DeepSeek-V3.2's indexer, which chooses what is attended to
    u64 width() const { return d_c + d_rope; }
    bool operator==(const LatentCache&) const = default;
};
struct NoCache {  // recurrent, attention-free or shared: nothing of its own grows with the tokens
    bool shared = false;             // attends to the keys and values of an earlier layer
    std::optional<u64> window = {};  // and to the newest of these only
    std::optional<KvHeads> own = {};
    bool operator==(const NoCache&) const = default;
};
using LayerCache = std::variant<FullCache, WindowCache, LatentCache, NoCache>;

u64 kept_tokens(const LayerCache& layer, u64 tokens);
// Between two steps the oldest token of a full window may already go: the next one brings itself.
u64 kept_between_steps(const LayerCache& layer, u64 tokens);
// What the newest of `tokens` attends to.
u64 seen_tokens(const LayerCache& layer, u64 tokens);

struct CacheShape {
    std::vector<LayerCache> layers;  // one entry per layer
    u64 n_kv_heads = 0;
    u64 d_k = 0;  // head_dim of keys
    u64 d_v = 0;  // head_dim of values
    // Bytes of the state that each layer keeps for a whole sequence, whatever its length and the
    // codec (Mamba, linear attention, short convolutions); empty when no layer has one.
    std::vector<u64> state_bytes = {};

    u64 n_layers() const { return layers.size(); }
};

// Layers of one kind together, in the order in which the kinds first appear.
struct LayerGroup {
    LayerCache cache;
    u64 count;
};

std::vector<LayerGroup> layer_groups(const CacheShape& shape);

// The heads of a layer: its own, or the model's.
KvHeads heads_of(const CacheShape& shape, const LayerCache& layer);
const KvHeads* own_heads(const LayerCache& layer);  // null: the model's
bool has_own_heads(const CacheShape& shape);        // some layer has
LayerCache with_own_heads(LayerCache layer, std::optional<KvHeads> own);

CacheShape uniform_cache(u64 n_layers, u64 n_kv_heads, u64 head_dim);
// Every layer that keeps all tokens gets the window.
CacheShape with_window(CacheShape shape, u64 window);
u64 count_head_layers(const CacheShape& shape);            // layers that keep K and V per KV head
u64 count_latent_layers(const CacheShape& shape);          // layers that keep a latent vector
const LatentCache* latent_layer(const CacheShape& shape);  // the first of those; null when none is
bool is_latent(const CacheShape& shape);                   // some layer keeps a latent vector
bool is_windowed(const CacheShape& shape);                 // some layer forgets by position
u64 total_state_bytes(const CacheShape& shape);            // of one sequence, all layers

enum class MlpForm { Gated, Plain };     // three matrices (SwiGLU) or two
enum class NormForm { Rms, LayerNorm };  // a weight, or a weight and a bias

// The projections of multi-head latent attention (arXiv 2405.04434). A query head has nope_dim
// elements that are not rotated and d_rope that are; d_c and d_rope are those of the cache, which a
// config calls kv_lora_rank and qk_rope_head_dim.
struct LatentProjections {
    std::optional<u64> q_rank;  // none: one full query projection
    u64 d_c, nope_dim, d_rope, v_dim;
    bool bias;  // on the two down-projections and the output
};

struct Experts {
    u64 n_routed, n_shared, n_active, intermediate_size;
    u64 first_layer, every;  // layer i has experts when i >= first_layer and i % every == 0
    bool routing_bias;       // one number per routed expert
};

// Parameters that were counted by the table of families, with the way they were obtained. They
// stand in for what would follow from the fields of ModelShape.
struct CountedParameters {
    std::vector<Derived> list;  // the last one is "parameters"
    u64 total = 0;
    u64 idle = 0;  // of experts that one token does not go through
    u64 embedding = 0, norms = 0, head = 0, attention = 0, mlp = 0;
    u64 qkv = 0, o = 0, active_mlp = 0, lm_head = 0;  // matrices that a position is multiplied by
    u64 kv_projection = 0;                            // of them, those that make keys and values
};

enum class WeightType { F32, Bf16, Fp16 };
u64 bytes_of(WeightType type);
std::string_view name_of(WeightType type);

struct ModelShape {
    std::string name;   // "llama-2-7b", or the folder of a config
    std::string title;  // for people: "Llama 2 7B"
    CacheShape cache;
    u64 n_heads = 0;
    u64 hidden_size = 0;
    u64 intermediate_size = 0;
    u64 vocab_size = 0;
    u64 max_positions = 0;
    u64 learned_positions = 0;  // rows of a position table; 0 where positions are rotations
    MlpForm mlp = MlpForm::Gated;
    NormForm norm = NormForm::Rms;
    bool tied_embeddings = false;
    bool qkv_bias = false, o_bias = false, mlp_bias = false;
    bool qk_norm = false;  // a norm of size head_dim on each query and key head
    std::optional<LatentProjections> latent;
    std::optional<Experts> experts;
    std::optional<CountedParameters> counted;  // of a family beyond what the fields above can say
    WeightType weight_type = WeightType::Bf16;

    u64 n_layers() const { return cache.n_layers(); }
    u64 group_size() const { return kv::group_size(n_heads, cache.n_kv_heads); }
    bool has_experts(u64 layer) const;
};

// What makes a shape unusable, as a fragment ("n_kv_heads 3 does not divide n_heads 8"); nothing
// when fine.
std::optional<std::string> heads_objection(u64 n_heads, u64 n_kv_heads);

// The same model with another number of KV heads: the cache and the K and V projections follow.
ModelShape with_kv_heads(ModelShape shape, u64 n_kv_heads);

}  // namespace kv
