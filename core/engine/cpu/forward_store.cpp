// What a chunk puts into the pool, and what it computes once more where inputs alone are kept.

#include <algorithm>

#include "core/engine/cpu/cpu_backend.hpp"

namespace kv::cpu {

// Keeps the inputs of the new tokens; before a sequence's first one, computes K and V of the
// earlier tokens once more from theirs. Nothing of this layer is in h_, k_ and v_ yet.
void CpuBackend::use_kept_inputs(std::span<const Row> rows, LayerId layer) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SequenceWork& work = *rows[i].work;
        if (work.kept_inputs == nullptr) continue;
        if (rows[i].index == 0) recompute(work, layer);
        h_.resize(rows.size(), config_.hidden_size);  // which had as many as were recomputed
        std::copy_n(x_[i], config_.hidden_size,
                    work.kept_inputs->row(layer, rows[i].token_index()).begin());
    }
}

void CpuBackend::recompute(const SequenceWork& work, LayerId layer) {
    const LayerWeights& w = weights_.layers[layer.index()];
    const KeptInputs& kept = *work.kept_inputs;
    for (std::uint32_t at = 0; at < work.recomputed; at += kChunkRows) {
        const std::size_t n = std::min<std::size_t>(kChunkRows, work.recomputed - at);
        make_kv_room(n, earlier_angles_);
        const auto slot = [at](std::size_t i) { return at + static_cast<std::uint32_t>(i); };
        for_rows(n, [&](std::size_t i) {
            norm(kept.row(layer, slot(i)).data(), w.attention_norm, h_, i);
            find_angles(kept.position(slot(i)), earlier_angles_, i);
        });
        project(threads_, kernels_,
                {{w.k, w.k_bias, k_[0], k_.stride()}, {w.v, w.v_bias, v_[0], v_.stride()}}, h_);
        for_rows(n, [&](std::size_t i) {
            norm_and_rotate(k_[i], config_.n_kv_heads, w.k_norm, &earlier_angles_, i);
            apply_hadamard(k_[i], config_.n_kv_heads);
            apply_hadamard(v_[i], config_.n_kv_heads);
            for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
                write(work, layer, HeadId(head), slot(i), k_[i], v_[i]);
        });
        for (std::size_t i = 0; i < n && spec().has_residual(); ++i) {
            wait_in_residual(work, layer, slot(i), k_[i], v_[i]);
            code_due(work, layer, slot(i) + 1);
        }
    }
}

void CpuBackend::append(const Row& row, LayerId layer, const float* k, const float* v) {
    for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head)
        write(*row.work, layer, HeadId(head), own_slots(*row.work, layer, HeadId(head))[row.index],
              k, v);
}

// k, v: (n_kv_heads, head_dim), of which this head's go to the slot.
void CpuBackend::write(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot,
                       const float* k, const float* v) {
    const SlotPlace at = place(work, layer, head, slot);
    const std::size_t first = head.index() * config_.head_dim;
    if (!spec().k.has_residual())
        encode(layer, Side::K, k + first, pool().vector(layer, Side::K, head, at.block, at.slot));
    if (!spec().v.has_residual())
        encode(layer, Side::V, v + first, pool().vector(layer, Side::V, head, at.block, at.slot));
}

void CpuBackend::encode(LayerId layer, Side side, const float* values, std::byte* out) const {
    const Codec& codec = pool().codec(side);
    if (codec.is_plain())
        kernels_.encode[static_cast<std::size_t>(codec.code)](values, config_.head_dim, out);
    else
        encode_vector(codec, values, static_cast<std::uint32_t>(config_.head_dim), out,
                      pool().shared_scale(layer, side));
}

}  // namespace kv::cpu
