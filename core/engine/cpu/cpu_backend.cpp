#include "core/engine/cpu/cpu_backend.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/engine/cpu/kernels/of_path.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/work/count_work.hpp"

namespace kv::cpu {
namespace {

std::vector<Row> rows_of(const Batch& batch) {
    std::vector<Row> rows;
    for (std::uint32_t s = 0; s < batch.sequences.size(); ++s)
        for (std::uint32_t i = 0; i < batch.sequences[s].tokens.size(); ++i)
            rows.push_back({&batch.sequences[s], s, i});
    return rows;
}

bool is_bf16(const Matrix& m) {
    return m.storage() == WeightStorage::Bf16;
}

bool any_bf16(const Weights& weights) {
    return is_bf16(weights.output()) ||
           std::any_of(weights.layers.begin(), weights.layers.end(), [](const LayerWeights& w) {
               return is_bf16(w.q) || is_bf16(w.k) || is_bf16(w.v) || is_bf16(w.o) ||
                      is_bf16(w.gate) || is_bf16(w.up) || is_bf16(w.down);
           });
}

bool wants_logits(const Row& row) {
    const auto& wanted = row.work->logit_rows;
    return std::binary_search(wanted.begin(), wanted.end(), row.index);
}

std::size_t rows_of_first(std::span<const Row> rows) {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const Row& row) { return row.work == rows.front().work; }));
}

}  // namespace

CpuBackend::CpuBackend(const ModelConfig& config, const Weights& weights, const PoolSpec& pool,
                       CpuPath path, std::size_t workers)
    : PoolBackend(config, pool),
      config_(config),
      weights_(weights),
      kernels_(kernels_of_path(path)),
      frequencies_(rope_frequencies(config)),
      threads_(workers),
      attention_(config, this->pool(), pool, kernels_,
                 [this](const SequenceWork& work, LayerId layer, Side side, HeadId head,
                        std::uint32_t slot, std::uint32_t n,
                        float* out) { read(work, layer, side, head, slot, n, out); }),
      listed_attention_(config, this->pool(), pool, kernels_, frequencies_) {
    for (Activations* x : {&h_, &attention_output_, &up_, &last_}) x->packs = any_bf16(weights);
}

ForwardResult CpuBackend::forward(const Batch& batch, TapSink* taps) {
    const std::vector<Row> rows = rows_of(batch);
    mark_.clock = batch.clock;
    if (batch.clock != nullptr) batch.clock->start(static_cast<std::uint32_t>(config_.n_layers));
    const auto wanted =
        static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), wants_logits));
    last_.resize(wanted, config_.hidden_size);
    std::size_t filled = 0;
    const std::size_t together = goes_together() ? rows.size() : kChunkRows;
    for (std::size_t at = 0; at < rows.size(); at += together) {
        const auto chunk = std::span(rows).subspan(at, std::min(together, rows.size() - at));
        forward_chunk(chunk, taps);
        for (std::size_t i = 0; i < chunk.size(); ++i)
            if (wants_logits(chunk[i])) norm(x_[i], weights_.final_norm, last_, filled++);
    }
    ForwardResult result;
    result.logits.resize(wanted * config_.vocab_size);
    if (wanted > 0)
        project(threads_, kernels_,
                {{weights_.output(), no_bias_, result.logits.data(),
                  static_cast<std::size_t>(config_.vocab_size)}},
                last_);
    if (wanted > 0) mark_(Op::Logits);
    result.work = count_work(config_, weights_, layout(), batch);
    if (batch.clock != nullptr) result.parts = pass_parts(config_, weights_, layout(), batch);
    return result;
}

// Shapes: n rows; q_width = n_heads x head_dim; kv_width = n_kv_heads x head_dim.
void CpuBackend::forward_chunk(std::span<const Row> rows, TapSink* taps) {
    const std::size_t n = rows.size(), hidden = config_.hidden_size;
    make_room(n);
    for_rows(n, [&](std::size_t i) {
        embed(rows[i].work->tokens[rows[i].index], x_[i]);
        find_angles(rows[i].position(), angles_, i);
    });
    mark_(Op::Embed);

    for (std::uint32_t l = 0; l < config_.n_layers; ++l) {
        const LayerWeights& w = weights_.layers[l];
        const LayerId layer(l);
        tap_rows(taps, Tap::LayerInput, layer, rows, x_, hidden);
        use_kept_inputs(rows, layer);

        // Queries, keys and values, in one region; rotated, and appended before anyone attends.
        for_rows(n, [&](std::size_t i) { norm(x_[i], w.attention_norm, h_, i); });
        project(threads_, kernels_,
                {{w.q, w.q_bias, q_[0], q_.stride()},
                 {w.k, w.k_bias, k_[0], k_.stride()},
                 {w.v, w.v_bias, v_[0], v_.stride()}},
                h_);
        mark_(Op::Project, layer);
        for_rows(n, [&](std::size_t i) {
            const bool rotates = rotated_when_stored(*rows[i].work);
            norm_and_rotate(q_[i], config_.n_heads, w.q_norm, rotates ? &angles_ : nullptr, i);
            norm_and_rotate(k_[i], config_.n_kv_heads, w.k_norm, rotates ? &angles_ : nullptr, i);
        });
        tap_heads(taps, layer, rows);
        for_rows(n, [&](std::size_t i) {
            apply_hadamard(q_[i], config_.n_heads);
            apply_hadamard(k_[i], config_.n_kv_heads);
            apply_hadamard(v_[i], config_.n_kv_heads);
        });
        mark_(Op::Rotate, layer);
        take_scales(layer, k_, v_, rows_of_first(rows));
        each_sequence(rows, [&](const NewTokens& some) { before_append(some, layer); });
        for_rows(n, [&](std::size_t i) { append(rows[i], layer, k_[i], v_[i]); });
        each_sequence(rows, [&](const NewTokens& some) { after_append(some, layer); });
        mark_(Op::Append, layer);

        attend(layer, rows);
        tap_weights(taps, layer, rows);
        for_rows(n, [&](std::size_t i) {
            apply_hadamard(attention_output_.values[i], config_.n_heads);
        });
        tap_rows(taps, Tap::Attention, layer, rows, attention_output_.values,
                 config_.n_heads * config_.head_dim);
        mark_(Op::Attend, layer);
        for_rows(n, [&](std::size_t i) { attention_output_.pack(kernels_, i); });
        project_and_add(threads_, kernels_, {w.o, w.o_bias, out_[0], out_.stride()},
                        attention_output_, x_);
        mark_(Op::Output, layer);

        // The MLP: a gate decides how much of each of its widths goes through.
        for_rows(n, [&](std::size_t i) { norm(x_[i], w.mlp_norm, h_, i); });
        project_gated(threads_, kernels_, {w.gate, w.gate_bias, gate_[0], gate_.stride()},
                      {w.up, w.up_bias, up_.values[0], up_.values.stride()}, h_);
        for_rows(n, [&](std::size_t i) { up_.pack(kernels_, i); });
        project_and_add(threads_, kernels_, {w.down, w.down_bias, out_[0], out_.stride()}, up_, x_);
        tap_rows(taps, Tap::LayerOutput, layer, rows, x_, hidden);
        mark_(Op::Mlp, layer);
    }
}

// Whether a pass is one chunk: its tokens attend to each other before they are coded, or all of
// them have a say in the scale.
bool CpuBackend::goes_together() const {
    return spec().attends_exactly() || spec().k.scale == ScaleMode::Tensor ||
           spec().v.scale == ScaleMode::Tensor;
}

void CpuBackend::make_kv_room(std::size_t n, Angles& angles) {
    const std::size_t kv_width = config_.n_kv_heads * config_.head_dim;
    for (AlignedRows<float>* rows : {&k_, &v_}) rows->resize(n, kv_width);
    for (AlignedRows<float>* rows : {&angles.cosine, &angles.sine})
        rows->resize(n, frequencies_.size());
    h_.resize(n, config_.hidden_size);
}

void CpuBackend::make_room(std::size_t n) {
    const std::size_t q_width = config_.n_heads * config_.head_dim;
    for (AlignedRows<float>* rows : {&x_, &out_}) rows->resize(n, config_.hidden_size);
    make_kv_room(n, angles_);
    q_.resize(n, q_width);
    gate_.resize(n, config_.intermediate_size);
    attention_output_.resize(n, q_width);
    up_.resize(n, config_.intermediate_size);
}

void CpuBackend::embed(std::uint32_t token, float* x) const {
    const Matrix& e = weights_.embedding;
    KV_ASSERT(token < e.rows());
    const std::size_t n = e.columns(), first = token * n;
    if (e.storage() == WeightStorage::F32)
        std::copy_n(e.f32() + first, n, x);
    else
        kernels_.decode[static_cast<std::size_t>(ElementCode::Bf16)](
            reinterpret_cast<const std::byte*>(e.bf16() + first), n, x);
}

void CpuBackend::find_angles(std::uint32_t position, Angles& angles, std::size_t i) const {
    for (std::size_t f = 0; f < frequencies_.size(); ++f) {
        const double angle = position * frequencies_[f];
        angles.cosine[i][f] = static_cast<float>(math::cos(angle));
        angles.sine[i][f] = static_cast<float>(math::sin(angle));
    }
}

void CpuBackend::norm(const float* x, const std::vector<float>& weight, Activations& to,
                      std::size_t i) {
    kernels_.rms_norm(x, weight.data(), weight.size(), static_cast<float>(config_.norm_eps),
                      to.values[i]);
    to.pack(kernels_, i);
}

// Norms heads and rotates them by the angles of row i. Without angles they are rotated when they
// are read.
void CpuBackend::norm_and_rotate(float* heads, u64 count, const std::vector<float>& norm,
                                 const Angles* angles, std::size_t i) const {
    for (u64 head = 0; head < count; ++head, heads += config_.head_dim) {
        if (!norm.empty())
            kernels_.rms_norm(heads, norm.data(), norm.size(), static_cast<float>(config_.norm_eps),
                              heads);
        if (angles != nullptr)
            kernels_.rotate(heads, angles->cosine[i], angles->sine[i], frequencies_.size());
    }
}

}  // namespace kv::cpu
