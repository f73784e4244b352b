#include "core/engine/work/pass_parts.hpp"

#include "core/base/kv_head.hpp"
#include "core/engine/pool/count_seen.hpp"
#include "core/engine/pool/key_boxes.hpp"
#include "core/engine/seam/pass_clock.hpp"
#include "core/engine/work/count_work.hpp"

namespace kv {
namespace {

u64 bytes_of(const std::vector<float>& values) {
    return values.size() * sizeof(float);
}

class Parts {
public:
    Parts(const ModelConfig& config, const Weights& weights, const KvLayout& layout,
          const Batch& batch)
        : config_(config), weights_(weights), layout_(layout), batch_(batch) {
        for (const SequenceWork& sequence : batch.sequences) {
            n_ += sequence.tokens.size();
            recomputed_ += sequence.recomputed;
            rows_ += sequence.logit_rows.size();
            kept_ += sequence.kept_inputs == nullptr ? 0 : sequence.tokens.size();
        }
    }

    std::vector<Operation> run() {
        const Matrix& embedding = weights_.embedding;
        add(Op::Embed, {}, 0, n_ * embedding.columns() * kv::bytes_of(embedding.storage()), 0);
        for (std::uint32_t layer = 0; layer < config_.n_layers; ++layer) add_layer(LayerId(layer));
        if (rows_ > 0)
            add(Op::Logits, {}, rows_ * multiply_adds(weights_.output()),
                weights_.output().bytes() + bytes_of(weights_.final_norm), 0);
        return std::move(parts_);
    }

private:
    void add_layer(LayerId layer) {
        const LayerWeights& w = weights_.layers[layer.index()];
        const u64 projected = n_ + recomputed_, input = config_.hidden_size * sizeof(float);
        const Attention attention = attention_of(layer);
        add(Op::Project, layer,
            n_ * multiply_adds(w.q) + projected * (multiply_adds(w.k) + multiply_adds(w.v)),
            w.q.bytes() + w.k.bytes() + w.v.bytes() + bytes_of(w.attention_norm) +
                bytes_of(w.q_bias) + bytes_of(w.k_bias) + bytes_of(w.v_bias) + recomputed_ * input,
            kept_ * input);
        add(Op::Rotate, layer, 0, bytes_of(w.q_norm) + bytes_of(w.k_norm), 0);
        add(Op::Append, layer, 0, 0, config_.n_kv_heads * stored_bytes());
        add(Op::Attend, layer, attention.flops, attention.bytes, 0);
        add(Op::Output, layer, n_ * multiply_adds(w.o), w.o.bytes() + bytes_of(w.o_bias), 0);
        add(Op::Mlp, layer,
            n_ * (multiply_adds(w.gate) + multiply_adds(w.up) + multiply_adds(w.down)),
            w.gate.bytes() + w.up.bytes() + w.down.bytes() + bytes_of(w.mlp_norm) +
                bytes_of(w.gate_bias) + bytes_of(w.up_bias) + bytes_of(w.down_bias),
            0);
    }

    struct Attention {
        u64 flops = 0, bytes = 0;
    };
    Attention attention_of(LayerId layer) const {
        Attention sum;
        for (const SequenceWork& sequence : batch_.sequences)
            for (std::size_t row = 0; row < sequence.tokens.size(); ++row)
                for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
                    add_attention_of(sequence, row, layer, HeadId(head), sum);
        return sum;
    }

    // One row of a sequence with one KV head: every query head of the group multiplies its query
    // with each key (d_k multiply-adds) and adds up each value (d_v), and K and V are read once for
    // the group. Where a policy chooses blocks (Quest), every query head first bounds each block by
    // its box.
    void add_attention_of(const SequenceWork& sequence, std::size_t row, LayerId layer, HeadId head,
                          Attention& sum) const {
        const u64 pairs = count_pairs(config_, sequence, layer, head, row);
        sum.flops += 2 * pairs * (config_.head_dim + config_.v_head_dim);

        const u64 judged = count_judged_blocks(sequence, layer, row);
        const u64 query_heads = group_size(config_.n_heads, config_.n_kv_heads);
        sum.flops += kFlopsOfBound * judged * query_heads * config_.head_dim;
        sum.bytes += judged * box_bytes(layout_);

        const u64 seen = count_fresh_keys(config_, sequence, layer, head, row);
        for (const Side side : {Side::K, Side::V})
            sum.bytes += bytes_seen(layout_, side, sequence, row, seen);
    }
    // What K and V of the batch's tokens take in the pool, of one KV head in one layer.
    u64 stored_bytes() const {
        u64 bytes = 0;
        for (const SequenceWork& sequence : batch_.sequences)
            for (const Side side : {Side::K, Side::V})
                bytes += bytes_stored(layout_, side, sequence);
        return bytes;
    }

    void add(Op op, std::optional<LayerId> layer, u64 flops, u64 read, u64 written) {
        const double us = batch_.clock == nullptr ? 0 : batch_.clock->us(op, layer);
        parts_.push_back({op, layer, flops, read, written, us});
    }

    const ModelConfig& config_;
    const Weights& weights_;
    const KvLayout& layout_;
    const Batch& batch_;
    u64 n_ = 0, recomputed_ = 0, rows_ = 0, kept_ = 0;
    std::vector<Operation> parts_;
};

}  // namespace

std::vector<Operation> pass_parts(const ModelConfig& config, const Weights& weights,
                                  const KvLayout& layout, const Batch& batch) {
    return Parts(config, weights, layout, batch).run();
}

}  // namespace kv
