#include "core/engine/count_work.hpp"

#include <algorithm>

#include "core/engine/pool_backend.hpp"

namespace kv {
namespace {

u64 multiply_adds(const Matrix& m) {
    return 2 * m.rows() * m.columns();
}

u64 layer_bytes(const LayerWeights& w) {
    u64 bytes = 0;
    for (const Matrix* m : {&w.q, &w.k, &w.v, &w.o, &w.gate, &w.up, &w.down}) bytes += m->bytes();
    for (const auto* v : {&w.attention_norm, &w.q_bias, &w.k_bias, &w.v_bias, &w.o_bias, &w.q_norm,
                          &w.k_norm, &w.mlp_norm, &w.gate_bias, &w.up_bias, &w.down_bias})
        bytes += v->size() * sizeof(float);
    return bytes;
}

struct Visible {
    u64 all_layers = 0, widest_layer = 0;  // (query, key) pairs
    u64 k_bytes = 0, v_bytes = 0;          // of one KV head, all layers
};

Visible visible_pairs(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work) {
    Visible sum;
    for (const std::uint32_t slot : work.slots) {
        u64 widest = 0;
        for (std::uint32_t layer = 0; layer < config.n_layers; ++layer) {
            const std::uint32_t from = first_visible(config, LayerId(layer), slot);
            const u64 seen = slot + 1 - from;
            sum.k_bytes += bytes_seen(layout, KvSide::K, work, from, slot);
            sum.v_bytes += bytes_seen(layout, KvSide::V, work, from, slot);
            sum.all_layers += seen;
            widest = std::max(widest, seen);
        }
        sum.widest_layer += widest;
    }
    return sum;
}

void count_inputs(const ModelConfig& config, const SequenceWork& sequence, Work& work) {
    const u64 token = KeptInputs::bytes_per_token(config.n_layers, config.hidden_size);
    work.input_bytes_read += sequence.recomputed * token;
    work.input_bytes_written += sequence.tokens.size() * token;
}

}  // namespace

u64 bytes_seen(const KvLayout& layout, KvSide side, const SequenceWork& work, std::uint32_t from,
               std::uint32_t slot) {
    const KvVector& vector = layout.vector(side);
    const u64 seen = slot + 1 - from;
    if (vector.residual_bytes == 0) return seen * vector.bytes;
    const u64 end = coded_tokens(side, slot, work.residual.base);
    const u64 coded = end > from ? end - from : 0;
    return coded * vector.bytes + (seen - coded) * vector.residual_bytes;
}

// With a residual each token is written twice: when it comes, and when it is coded.
u64 bytes_stored(const KvLayout& layout, KvSide side, const SequenceWork& work) {
    const KvVector& vector = layout.vector(side);
    const u64 tokens = work.tokens.size() + work.recomputed;
    if (vector.residual_bytes == 0) return tokens * vector.bytes;
    const std::uint32_t end = work.slots.back() + 1, base = work.residual.base;
    const auto first = static_cast<std::uint32_t>(end - tokens);
    const u64 coded = coded_tokens(side, end, base) - coded_tokens(side, first, base);
    return tokens * vector.residual_bytes + coded * vector.bytes;
}

Work count_work(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
                const Batch& batch) {
    Work work;
    u64 rows = 0, pairs = 0;
    for (const SequenceWork& sequence : batch.sequences) {
        const Visible seen = visible_pairs(config, layout, sequence);
        work.positions_forwarded += sequence.tokens.size();
        work.positions_projected += sequence.tokens.size() + sequence.recomputed;
        if (sequence.kept_inputs != nullptr) count_inputs(config, sequence, work);
        work.score_pairs += seen.widest_layer;
        pairs += seen.all_layers;
        const u64 vectors = config.n_layers * config.n_kv_heads;
        work.k_bytes_read += config.n_kv_heads * seen.k_bytes;
        work.v_bytes_read += config.n_kv_heads * seen.v_bytes;
        work.k_bytes_written += vectors * bytes_stored(layout, KvSide::K, sequence);
        work.v_bytes_written += vectors * bytes_stored(layout, KvSide::V, sequence);
        rows += sequence.logit_rows.size();
    }
    const u64 n = work.positions_forwarded, projected = work.positions_projected;
    for (const LayerWeights& w : weights.layers) {
        work.weight_bytes += layer_bytes(w);
        work.flops.qkv += n * multiply_adds(w.q);
        work.kv_projection_flops += projected * (multiply_adds(w.k) + multiply_adds(w.v));
        work.flops.o += n * multiply_adds(w.o);
        work.flops.mlp += n * (multiply_adds(w.gate) + multiply_adds(w.up) + multiply_adds(w.down));
    }
    work.flops.qkv += work.kv_projection_flops;
    const Matrix& embedding = weights.embedding;
    work.weight_bytes += n * embedding.columns() * bytes_of(embedding.storage());
    if (rows > 0)
        work.weight_bytes += weights.output().bytes() + weights.final_norm.size() * sizeof(float);
    work.flops.lm_head = rows * multiply_adds(weights.output());
    work.flops.scores = 2 * pairs * config.n_heads * config.head_dim;
    work.flops.mix = 2 * pairs * config.n_heads * config.v_head_dim;
    return work;
}

}  // namespace kv
