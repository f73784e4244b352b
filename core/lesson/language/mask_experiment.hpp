#pragma once
// What would the cache be worth under another mask? The same tokens go through the layers with the
// causal mask, with none, or with one that hides a token from itself (attending before appending),
// and the keys of every layer are set side by side. Under the causal mask a key depends on what
// came before it alone; that is why it may be kept.

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/measure/prover.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/model/config/config.hpp"

namespace kv {

enum class MaskRule : std::uint8_t { Causal, NoMask, NotItself };

struct LayerRows {
    std::uint32_t n_layers = 0, n_tokens = 0, width = 0;
    std::vector<float> keys;    // (layer, token, KV heads x head_dim)
    std::vector<float> logits;  // behind the last token

    std::span<const float> row(std::uint32_t layer, std::uint32_t token) const {
        return std::span(keys).subspan((std::size_t{layer} * n_tokens + token) * width, width);
    }
};
// One pass over all tokens on a backend with an empty pool that has room for them.
LayerRows layer_rows(Backend& backend, const ModelConfig& config,
                     std::span<const std::uint32_t> tokens, MaskRule rule);

// The tokens that both have and whose keys differ in that layer.
std::vector<std::uint32_t> changed_rows(const LayerRows& a, const LayerRows& b,
                                        std::uint32_t layer);

// What the last of the tokens gives to each of them: softmax weights of one query head.
std::vector<float> attention_weights(Backend& backend, std::span<const std::uint32_t> tokens,
                                     std::uint32_t layer, std::uint32_t query_head);
// What one query head looks at behind a mask, which every layer has. It gives no weight to what it
// does not see.
struct Sight {
    SightMask mask;
    HeadId kv_head;    // that the query head reads
    HeadId lane_head;  // and by which the mask goes: the same, or the query head itself
};
std::vector<float> attention_weights(Backend& backend, std::span<const std::uint32_t> tokens,
                                     std::uint32_t layer, std::uint32_t query_head,
                                     const Sight& sight);
// What its weights come from: its query, and the keys of all tokens in the KV head that it reads.
struct QueryAndKeys {
    std::vector<float> query;
    std::vector<std::vector<float>> keys;  // by token
};
QueryAndKeys query_and_keys(Backend& backend, std::span<const std::uint32_t> tokens,
                            std::uint32_t layer, std::uint32_t query_head, const Sight& sight);
// The same of the last `rows` tokens, row by row.
std::vector<std::vector<float>> last_weights(Backend& backend,
                                             std::span<const std::uint32_t> tokens,
                                             std::uint32_t layer, std::uint32_t query_head,
                                             std::uint32_t rows);

}  // namespace kv
