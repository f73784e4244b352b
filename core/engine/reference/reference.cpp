#include "core/engine/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/background/give_way.hpp"
#include "core/engine/pool/backend.hpp"
#include "core/engine/reference/kept_strips.hpp"
#include "core/engine/reference/pass_cache.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/reference/tensor.hpp"
#include "core/engine/seam/watch.hpp"
#include "core/engine/work/count_work.hpp"
#include "core/engine/work/pass_parts.hpp"

namespace kv {
namespace {

template <class Real>
class Reference final : public PoolBackend {
public:
    Reference(const ModelConfig& config, const Weights& weights, const PoolSpec& pool)
        : PoolBackend(config, pool),
          config_(config),
          weights_(weights),
          rope_(rope_frequencies(config)) {}

    std::string_view name() const override { return "reference"; }

    ForwardResult forward(const Batch& batch, TapSink* taps) override {
        ForwardResult result;
        if (batch.clock != nullptr)
            batch.clock->start(static_cast<std::uint32_t>(config_.n_layers));
        for (std::uint32_t s = 0; s < batch.sequences.size(); ++s)
            decode(batch.sequences[s], {{taps, s}, {batch.clock}}, result.logits);
        result.work = count_work(config_, weights_, layout(), batch);
        if (batch.clock != nullptr) result.parts = pass_parts(config_, weights_, layout(), batch);
        return result;
    }

private:
    // X W^T + b for all rows of X.
    Rows<Real> project(const Rows<Real>& x, const Matrix& w, const std::vector<float>& bias = {}) {
        return strips_.project(x, w, bias);
    }

    // n new tokens of one sequence, from their ids to the logits of those that are asked for.
    void decode(const SequenceWork& work, const Watch& watch, std::vector<float>& logits) {
        Rows<Real> x = embed(work.tokens);  // (n, hidden), the residual stream
        watch.done(Op::Embed);
        for (std::uint32_t l = 0; l < config_.n_layers; ++l) {
            const LayerId layer(l);
            const LayerWeights& w = weights_.layers[l];
            watch.tap.rows(Tap::LayerInput, layer, x);
            x += attention(x, w, work, layer, watch);
            x += mlp(x, w);
            watch.tap.rows(Tap::LayerOutput, layer, x);
            watch.done(Op::Mlp, layer);
        }
        if (work.logit_rows.empty()) return;
        Rows<Real> last(work.logit_rows.size(), x.columns());  // (asked for, hidden)
        for (std::size_t i = 0; i < last.size(); ++i)
            rms_norm(x[work.logit_rows[i]], weights_.final_norm, config_.norm_eps, last[i]);
        append_logits(project(last, weights_.output()), logits);  // (asked for, vocab_size)
        watch.done(Op::Logits);
    }

    static void append_logits(const Rows<Real>& rows, std::vector<float>& logits) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t t = 0; t < rows.columns(); ++t)
                logits.push_back(static_cast<float>(rows[i][t]));
    }

    Rows<Real> embed(std::span<const std::uint32_t> tokens) const {
        Rows<Real> x(tokens.size(), config_.hidden_size);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t c = 0; c < x.columns(); ++c)
                x[i][c] = static_cast<Real>(weights_.embedding.at(tokens[i], c));
        return x;
    }

    // Attention of one layer: what each token asks, what it offers to all after it, and what it
    // takes from all before it and itself.
    Rows<Real> attention(const Rows<Real>& x, const LayerWeights& w, const SequenceWork& work,
                         LayerId layer, const Watch& watch) {
        PassCache<Real> cache(*this, config_, rope_, work, layer);
        if (work.kept_inputs != nullptr) restore_and_keep(x, w, work, layer, cache);

        const Rows<Real> h = rms_norm(x, w.attention_norm, config_.norm_eps);  // (n, hidden)
        Rows<Real> q = project(h, w.q, w.q_bias);  // (n, n_heads x head_dim)
        Rows<Real> k = project(h, w.k, w.k_bias);  // (n, n_kv_heads x head_dim)
        Rows<Real> v = project(h, w.v, w.v_bias);  // (n, n_kv_heads x head_dim)
        watch.done(Op::Project, layer);

        norm_heads(q, w.q_norm);
        norm_heads(k, w.k_norm);
        // Mostly keys are stored rotated. Where a policy or the scene has them rotated when they
        // are read (key_positions.hpp), they are stored as they are: see_keys_of() rotates q, key()
        // each key.
        if (cache.stores_rotated_keys()) {
            rotate_rows(q, rope_, work.positions);
            rotate_rows(k, rope_, work.positions);
        }
        watch.tap.heads(Tap::Q, layer, q, config_.n_heads);
        watch.tap.heads(Tap::K, layer, k, config_.n_kv_heads);
        watch.tap.heads(Tap::V, layer, v, config_.n_kv_heads);
        watch.done(Op::Rotate, layer);

        cache.append(std::move(k), std::move(v));  // before attending: a token sees itself
        watch.done(Op::Append, layer);

        Rows<Real> heads(x.size(), q.columns());  // (n, n_heads x head_dim)
        for (std::size_t i = 0; i < x.size(); ++i) {
            typename PassCache<Real>::Query query(cache, i);
            for (std::uint32_t head = 0; head < config_.n_heads; ++head) {
                const std::size_t first = head * config_.head_dim;
                query.see_keys_of(head, q[i] + first);
                attend(q[i] + first, query, heads[i] + first, {watch, layer, i, head});
            }
            query.token_has_attended();
            give_way();  // a page in a browser may draw a frame here
        }
        cache.pass_has_attended();
        watch.tap.rows(Tap::Attention, layer, heads);
        watch.done(Op::Attend, layer);

        Rows<Real> out = project(heads, w.o, w.o_bias);  // (n, hidden)
        watch.done(Op::Output, layer);
        return out;
    }

    struct Where {
        const Watch& watch;
        LayerId layer;
        std::size_t row;
        std::uint32_t head;
    };
    // softmax(q K^T / sqrt(head_dim)) V of one query head over the keys that it sees. `out` comes
    // in as zeros.
    void attend(const Real* q, typename PassCache<Real>::Query& seen, Real* out,
                const Where& at) const {
        const std::size_t dim = config_.head_dim;
        const Real scale = Real{1} / std::sqrt(static_cast<Real>(dim));
        std::vector<Real> weights(seen.n_seen());  // scores, until softmax()
        for (std::size_t j = 0; j < weights.size(); ++j)
            weights[j] = dot(q, seen.key(j), dim) * scale;
        at.watch.tap(Tap::Scores, at.layer, at.row, at.head, weights.data(), weights.size());
        softmax(weights);
        at.watch.tap(Tap::Weights, at.layer, at.row, at.head, weights.data(), weights.size());
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const Real* value = seen.value(j);
            for (std::size_t c = 0; c < dim; ++c) out[c] += weights[j] * value[c];
        }
        seen.back_from_hadamard(out);
    }

    // The MLP: a gate decides how much of each of its widths goes through.
    Rows<Real> mlp(const Rows<Real>& x, const LayerWeights& w) {
        const Rows<Real> h = rms_norm(x, w.mlp_norm, config_.norm_eps);  // (n, hidden)
        const Rows<Real> gate = project(h, w.gate, w.gate_bias);         // (n, intermediate)
        const Rows<Real> up = project(h, w.up, w.up_bias);               // (n, intermediate)
        return project(gated(gate, up), w.down, w.down_bias);            // (n, hidden)
    }

    // For a run that keeps a layer's inputs in place of its keys and values: computes those of the
    // earlier tokens once more, exactly as they were, and keeps the new tokens' inputs.
    void restore_and_keep(const Rows<Real>& x, const LayerWeights& w, const SequenceWork& work,
                          LayerId layer, PassCache<Real>& cache) {
        KeptInputs& kept = *work.kept_inputs;
        Rows<Real> earlier(work.recomputed, config_.hidden_size);
        std::vector<std::uint32_t> positions(work.recomputed);
        for (std::uint32_t slot = 0; slot < work.recomputed; ++slot) {
            const std::span<const float> row = std::as_const(kept).row(layer, slot);
            std::copy(row.begin(), row.end(), earlier[slot]);
            positions[slot] = kept.position(slot);
        }
        const Rows<Real> h = rms_norm(earlier, w.attention_norm, config_.norm_eps);
        Rows<Real> k = project(h, w.k, w.k_bias), v = project(h, w.v, w.v_bias);
        norm_heads(k, w.k_norm);
        rotate_rows(k, rope_, positions);
        cache.restore(std::move(k), std::move(v));
        for (std::size_t i = 0; i < x.size(); ++i)
            std::copy_n(x[i], x.columns(), kept.row(layer, work.token_indices[i]).begin());
    }

    // Some models norm each head of q and k by itself.
    void norm_heads(Rows<Real>& heads, const std::vector<float>& weight) const {
        if (weight.empty()) return;
        for (std::size_t i = 0; i < heads.size(); ++i)
            for (std::size_t first = 0; first < heads.columns(); first += config_.head_dim)
                rms_norm(heads[i] + first, weight, config_.norm_eps, heads[i] + first);
    }

    const ModelConfig& config_;
    const Weights& weights_;
    Rotations<Real> rope_;
    KeptStrips<Real> strips_;
};

}  // namespace

std::unique_ptr<Backend> make_reference(const ModelConfig& config, const Weights& weights,
                                        const PoolSpec& pool, Precision precision) {
    if (precision == Precision::F64)
        return std::make_unique<Reference<double>>(config, weights, pool);
    return std::make_unique<Reference<float>>(config, weights, pool);
}

}  // namespace kv
