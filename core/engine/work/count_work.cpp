#include "core/engine/work/count_work.hpp"

#include <algorithm>

#include "core/base/kv_head.hpp"
#include "core/engine/pool/count_seen.hpp"
#include "core/engine/pool/key_boxes.hpp"

namespace kv {
namespace {

u64 layer_bytes(const LayerWeights& w) {
    u64 bytes = 0;
    for (const Matrix* m : {&w.q, &w.k, &w.v, &w.o, &w.gate, &w.up, &w.down}) bytes += m->bytes();
    for (const auto* v : {&w.attention_norm, &w.q_bias, &w.k_bias, &w.v_bias, &w.o_bias, &w.q_norm,
                          &w.k_norm, &w.mlp_norm, &w.gate_bias, &w.up_bias, &w.down_bias})
        bytes += v->size() * sizeof(float);
    return bytes;
}

struct Visible {
    u64 scored = 0, tokens = 0;  // (query, key) pairs: of every query head; of tokens, once each
    u64 judged = 0;              // (query, block) pairs of every query head that chose
    u64 k_bytes = 0, v_bytes = 0, box_bytes = 0;
};

Visible visible_pairs(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work) {
    Visible sum;
    for (std::size_t row = 0; row < work.tokens.size(); ++row) {
        for (std::uint32_t layer = 0; layer < config.n_layers; ++layer)
            for (std::uint32_t head = 0; head < config.n_kv_heads; ++head) {
                const u64 seen = count_fresh_keys(config, work, LayerId(layer), HeadId(head), row);
                const u64 judged = count_judged_blocks(work, LayerId(layer), row);
                sum.scored += count_pairs(config, work, LayerId(layer), HeadId(head), row);
                sum.judged += judged * group_size(config.n_heads, config.n_kv_heads);
                sum.box_bytes += judged * box_bytes(layout);
                sum.k_bytes += bytes_seen(layout, Side::K, work, row, seen);
                sum.v_bytes += bytes_seen(layout, Side::V, work, row, seen);
            }
        sum.tokens += count_seen_tokens(config, work, row);
    }
    return sum;
}

void count_inputs(const ModelConfig& config, const SequenceWork& sequence, Work& work) {
    const u64 token = KeptInputs::bytes_per_token(config.n_layers, config.hidden_size);
    work.input_bytes_read += sequence.recomputed * token;
    work.input_bytes_written += sequence.tokens.size() * token;
}

}  // namespace

u64 multiply_adds(const Matrix& m) {
    return 2 * m.rows() * m.columns();
}

u64 bytes_seen(const KvLayout& layout, Side side, const SequenceWork& work, std::size_t row,
               u64 n_keys) {
    const KvVector& vector = layout.vector(side);
    if (vector.residual_bytes == 0) return n_keys * vector.bytes;
    const u64 slot = work.token_indices[row], from = slot + 1 - n_keys;
    const u64 end = coded_tokens(side, work.token_indices[row], work.residual.base);
    const u64 coded = end > from ? end - from : 0;
    return coded * vector.bytes + (n_keys - coded) * vector.residual_bytes;
}

// Bytes that a pass writes. With a residual each token is written twice: when it comes, and when it
// is coded.
u64 bytes_stored(const KvLayout& layout, Side side, const SequenceWork& work) {
    const KvVector& vector = layout.vector(side);
    const u64 tokens = work.tokens.size() + work.recomputed;
    if (vector.residual_bytes == 0) return tokens * vector.bytes;
    const std::uint32_t end = work.token_indices.back() + 1, base = work.residual.base;
    const auto first = static_cast<std::uint32_t>(end - tokens);
    const u64 coded = coded_tokens(side, end, base) - coded_tokens(side, first, base);
    return tokens * vector.residual_bytes + coded * vector.bytes;
}

Work count_work(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
                const Batch& batch) {
    Work work;
    u64 rows = 0, pairs = 0, judged = 0;
    for (const SequenceWork& sequence : batch.sequences) {
        const Visible seen = visible_pairs(config, layout, sequence);
        work.positions_forwarded += sequence.tokens.size();
        work.positions_projected += sequence.tokens.size() + sequence.recomputed;
        if (sequence.kept_inputs != nullptr) count_inputs(config, sequence, work);
        work.score_pairs += seen.tokens;
        pairs += seen.scored;
        judged += seen.judged;
        const u64 vectors = config.n_layers * config.n_kv_heads;
        work.k_bytes_read += seen.k_bytes;
        work.v_bytes_read += seen.v_bytes;
        work.box_bytes_read += seen.box_bytes;
        work.k_bytes_written += vectors * bytes_stored(layout, Side::K, sequence);
        work.v_bytes_written += vectors * bytes_stored(layout, Side::V, sequence);
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
    work.flops.scores = 2 * pairs * config.head_dim + kFlopsOfBound * judged * config.head_dim;
    work.flops.sum_of_values = 2 * pairs * config.v_head_dim;
    return work;
}

}  // namespace kv
