// The pass itself, launch by launch; run_layers reads like the reference's decode().

#include <algorithm>

#include "cuda/backend/gpu_backend.hpp"

namespace kv::gpu {

using A = PlanArray;

namespace {

constexpr u32 kRowsOfMatvec = MatmulWarpPerOutput::kRows;

ProductPart part(const DeviceMatrix& w, const Memory<float>& bias, View<float> y) {
    return {w.view(), bias.view(), y};
}

}  // namespace

void GpuBackend::make_room(const BatchPlan& plan) {
    u64 n = plan.n_rows;
    for (const KeptRows& kept : plan.kept) n = std::max<u64>(n, kept.n);
    const u64 q_width = config_.n_heads * config_.head_dim,
              kv_width = config_.n_kv_heads * config_.head_dim;
    grow(rows_.x, n * config_.hidden_size);
    grow(rows_.h, n * config_.hidden_size);
    grow(rows_.q, n * q_width);
    grow(rows_.k, n * kv_width);
    grow(rows_.v, n * kv_width);
    grow(rows_.attention_output, n * q_width);
    grow(rows_.up, n * config_.intermediate_size);
    grow(rows_.cosine, n * config_.head_dim / 2);
    grow(rows_.sine, n * config_.head_dim / 2);
    const u64 wanted = std::max<u64>(plan[A::LogitRows].size(), 1);
    grow(last_, wanted * config_.hidden_size);
    grow(logits_, wanted * config_.vocab_size);
    make_split_room(plan);
    make_residual_room(plan);
}

// A step of single tokens is the same launches as the one before, with other numbers in its arrays.
bool GpuBackend::can_record(const Batch& batch, const BatchPlan& plan, const TapSink* taps) const {
    const bool keeps =
        std::any_of(batch.sequences.begin(), batch.sequences.end(),
                    [](const SequenceWork& work) { return work.kept_inputs != nullptr; });
    const u64 n = plan.n_rows;
    return options_.record && taps == nullptr && !keeps && !chooses(batch) && scales_known_ &&
           n > 0 && (plan[A::DecodeRows].size() == n || plan.in_turn.size() == n);
}

// Shapes: n rows; q_width = n_heads x head_dim; kv_width = n_kv_heads x head_dim.
void GpuBackend::run_layers(const Batch& batch, const BatchPlan& plan, TapSink* taps) {
    const u32 n = plan.n_rows;
    const u64 hidden = config_.hidden_size, q_width = config_.n_heads * config_.head_dim,
              kv_width = config_.n_kv_heads * config_.head_dim, half = config_.head_dim / 2;
    const Pass pass{.n = n,
                    .rotated = plan_memory_.exactly(A::Rotated),
                    .mapping = plan_memory_.exactly(A::SlotMapping),
                    .h = rows_.h.first(n * hidden),
                    .q = rows_.q.first(n * q_width),
                    .k = rows_.k.first(n * kv_width),
                    .v = rows_.v.first(n * kv_width),
                    .cosine = rows_.cosine.first(n * half),
                    .sine = rows_.sine.first(n * half)};
    const View<float> x = rows_.x.first(n * hidden);
    if (timing_) gpu_->mark(0);  // the start; mark(Op) sets the others
    gpu_->launch(Embed{model_->embedding.view(), plan_memory_.exactly(A::Tokens), x, n});
    gpu_->launch(Angles{model_->frequencies.view(), plan_memory_.exactly(A::Positions), pass.cosine,
                        pass.sine, n});
    mark(Op::Embed);
    for (u32 l = 0; l < layout_.n_layers; ++l) {
        const LayerId layer(l);
        const DeviceLayer& w = model_->layers[l];
        tap_rows(taps, Tap::LayerInput, layer, batch, x, hidden);
        recompute(batch, plan, layer);

        // Queries, keys and values of the new tokens, rotated and appended before anyone attends.
        norm(x, w.attention_norm.view(), pass.h, {}, n);
        project_heads(pass, layer, true);
        mark(Op::Project, layer);
        rotate_and_append(pass, layer, batch, plan, taps);
        mark(Op::Append, layer);

        attend(batch, plan, layer);
        tap_weights(taps, layer, batch, pass);
        const View<float> attention_output = rows_.attention_output.first(n * q_width);
        const u32 dim = static_cast<u32>(config_.head_dim);
        if (spec_.rotation == Rotation::Hadamard)
            gpu_->launch(HadamardHeads{attention_output, dim});
        tap_rows(taps, Tap::Attention, layer, batch, attention_output, q_width);
        mark(Op::Attend, layer);
        multiply({.parts = {part(w.o, w.o_bias, x)},
                  .n_parts = 1,
                  .n_rows = n,
                  .end = ProductEnd::Add,
                  .x = attention_output});
        mark(Op::Output, layer);

        // The MLP: a gate decides how much of each of its widths goes through.
        const View<float> up = rows_.up.first(n * config_.intermediate_size);
        norm(x, w.mlp_norm.view(), pass.h, {}, n);
        multiply({.parts = {part(w.gate, w.gate_bias, up), part(w.up, w.up_bias, up)},
                  .n_parts = 2,
                  .n_rows = n,
                  .end = ProductEnd::Gated,
                  .x = pass.h});
        multiply({.parts = {part(w.down, w.down_bias, x)},
                  .n_parts = 1,
                  .n_rows = n,
                  .end = ProductEnd::Add,
                  .x = up});
        tap_rows(taps, Tap::LayerOutput, layer, batch, x, hidden);
        mark(Op::Mlp, layer);
    }
    logits(plan);
}

void GpuBackend::logits(const BatchPlan& plan) {
    const u32 wanted = static_cast<u32>(plan[A::LogitRows].size());
    if (wanted == 0) return;
    norm(rows_.x.view(), model_->final_norm.view(), last_.view(),
         plan_memory_.exactly(A::LogitRows), wanted);
    multiply({.parts = {{model_->output(), {}, logits_.view()}},
              .n_parts = 1,
              .n_rows = wanted,
              .end = ProductEnd::Store,
              .x = last_.view()});
    mark(Op::Logits);
}

void GpuBackend::norm(View<const float> x, View<const float> weight, View<float> y,
                      View<const u32> rows, u32 n) {
    gpu_->launch(RmsNorm{x, weight, y, rows, n, static_cast<u32>(config_.hidden_size),
                         static_cast<float>(config_.norm_eps)});
}

void GpuBackend::multiply(const Product& product) {
    if (product.n_rows <= kRowsOfMatvec)
        gpu_->launch(MatmulWarpPerOutput{product});
    else
        gpu_->launch(MatmulTile{product});
}

void GpuBackend::project_heads(const Pass& pass, LayerId layer, bool queries) {
    const DeviceLayer& w = model_->layers[layer.index()];
    Product product{.parts = {part(w.k, w.k_bias, pass.k), part(w.v, w.v_bias, pass.v)},
                    .n_parts = 2,
                    .n_rows = pass.n,
                    .end = ProductEnd::Store,
                    .x = pass.h};
    if (queries) product.parts[product.n_parts++] = part(w.q, w.q_bias, pass.q);
    multiply(product);
}

PagedKv GpuBackend::cache(LayerId layer, u32 n_lanes) const {
    return {.layout = layout_,
            .k_codec = spec_.k,
            .v_codec = spec_.v,
            .pool = pool_.view(),
            .scales = scales_.view(),
            .tables = plan_memory_.room(A::Tables),
            .starts = plan_memory_.exactly(A::TableStarts),
            .lanes = {n_lanes, layout_.n_kv_heads},
            .layer = layer,
            .residual = residuals(layer)};
}

NewHeads GpuBackend::new_heads(const Pass& pass, LayerId layer, u32 n_lanes, bool queries) const {
    return {.cache = cache(layer, n_lanes),
            .q = pass.q,
            .k = pass.k,
            .v = pass.v,
            .slot_mapping = pass.mapping,
            .n_rows = pass.n,
            .n_heads = queries ? static_cast<u32>(config_.n_heads) : 0,
            .n_kv_heads = layout_.n_kv_heads,
            .hadamard = spec_.rotation == Rotation::Hadamard};
}

NormAndRope GpuBackend::rope_of(const Pass& pass, LayerId layer) const {
    const DeviceLayer& w = model_->layers[layer.index()];
    return {.cosine = pass.cosine,
            .sine = pass.sine,
            .rotated = pass.rotated,
            .q_norm = w.q_norm.view(),
            .k_norm = w.k_norm.view(),
            .eps = static_cast<float>(config_.norm_eps)};
}

// In one launch, unless somebody wants to see what lies between its steps, or a scale has to be
// found first.
void GpuBackend::rotate_and_append(const Pass& pass, LayerId layer, const Batch& batch,
                                   const BatchPlan& plan, TapSink* taps) {
    const NewHeads heads = new_heads(pass, layer, plan.n_lanes, true);
    const NormAndRope rope = rope_of(pass, layer);
    if (taps == nullptr && scales_known_) return gpu_->launch(RopeQuantizeAppend{heads, rope});
    gpu_->launch(RotateHeads{heads, rope});
    tap_heads(taps, layer, batch, pass);
    if (heads.hadamard)
        for (const View<float>& values : {pass.q, pass.k, pass.v})
            gpu_->launch(HadamardHeads{values, static_cast<u32>(config_.head_dim)});
    mark(Op::Rotate, layer);
    if (!scales_known_ && plan.n_rows > 0) take_scales(pass, layer, plan);
    gpu_->launch(AppendHeads{heads});
}

// Takes shared scales from the first sequence alone: who else is in the batch has no say.
void GpuBackend::take_scales(const Pass& pass, LayerId layer, const BatchPlan& plan) {
    const u64 n = u64{plan[A::NewTokens][0]} * config_.n_kv_heads * config_.head_dim;
    for (const Side side : {Side::K, Side::V}) {
        if (spec_.codec(side).scale != ScaleMode::Tensor) continue;
        const View<float>& values = side == Side::K ? pass.k : pass.v;
        gpu_->launch(TakeScale{{values.data, n},
                               scales_.view(),
                               static_cast<u32>(2 * layer.index() + (side == Side::V ? 1 : 0)),
                               layout_.vector(side).element_bits});
    }
}

// For a run that keeps layer inputs: computes keys and values of the earlier tokens once more, and
// keeps the new tokens' inputs.
void GpuBackend::recompute(const Batch& batch, const BatchPlan& plan, LayerId layer) {
    const u64 hidden = config_.hidden_size, kv_width = config_.n_kv_heads * config_.head_dim,
              half = config_.head_dim / 2;
    for (const KeptRows& kept : plan.kept) {
        const KeptInputs& inputs = *batch.sequences[kept.work].kept_inputs;
        const Pass pass{.n = kept.n,
                        .rotated = plan_memory_.part(A::KeptRotated, kept.first, kept.n),
                        .mapping = plan_memory_.part(A::KeptMapping, kept.first_mapping,
                                                     u64{kept.n} * plan.n_lanes),
                        .h = rows_.h.first(kept.n * hidden),
                        .q = {},  // nobody asks with an earlier token
                        .k = rows_.k.first(kept.n * kv_width),
                        .v = rows_.v.first(kept.n * kv_width),
                        .cosine = rows_.cosine.first(kept.n * half),
                        .sine = rows_.sine.first(kept.n * half)};
        for (u32 slot = 0; slot < kept.n; ++slot)
            gpu_->upload(reinterpret_cast<std::byte*>(pass.h.range(slot * hidden, hidden)),
                         inputs.row(layer, slot).data(), hidden * sizeof(float));
        norm(pass.h, model_->layers[layer.index()].attention_norm.view(), pass.h, {}, kept.n);
        gpu_->launch(Angles{model_->frequencies.view(),
                            plan_memory_.part(A::KeptPositions, kept.first, kept.n), pass.cosine,
                            pass.sine, kept.n});
        project_heads(pass, layer, false);
        gpu_->launch(
            RopeQuantizeAppend{new_heads(pass, layer, plan.n_lanes, false), rope_of(pass, layer)});
    }
    for (u32 s = 0; s < batch.sequences.size(); ++s) {
        const SequenceWork& work = batch.sequences[s];
        for (u32 i = 0; work.kept_inputs != nullptr && i < work.tokens.size(); ++i)
            gpu_->download(work.kept_inputs->row(layer, work.token_indices[i]).data(),
                           rows_.x.raw() + (plan.first_rows[s] + i) * hidden * sizeof(float),
                           hidden * sizeof(float));
    }
    if (!plan.kept.empty())  // which took their place
        gpu_->launch(Angles{model_->frequencies.view(), plan_memory_.exactly(A::Positions),
                            rows_.cosine.first(plan.n_rows * half),
                            rows_.sine.first(plan.n_rows * half), plan.n_rows});
}

}  // namespace kv::gpu
