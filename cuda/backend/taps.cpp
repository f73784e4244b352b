// What a tap is shown: numbers that are fetched from the memory of the card when somebody wants
// them. Scores and weights stand nowhere; they are computed once more, from the query and from the
// bytes of the keys that the card holds.

#include <cmath>

#include "core/base/kv_head.hpp"
#include "core/cache/layout/place_in.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/reference/rope.hpp"
#include "cuda/backend/gpu_backend.hpp"

namespace kv::gpu {
namespace {

float dot(const float* a, const float* b, u64 n) {
    float sum = 0;
    for (u64 i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

void softmax(std::vector<float>& scores) {
    const float top = *std::max_element(scores.begin(), scores.end());
    float sum = 0;
    for (float& s : scores) sum += s = std::exp(s - top);
    for (float& s : scores) s /= sum;
}

}  // namespace

void GpuBackend::tap_rows(TapSink* taps, Tap tap, LayerId layer, const Batch& batch,
                          const View<float>& values, u64 width) const {
    if (taps == nullptr || !taps->wants(tap, layer)) return;
    const std::vector<float> all = downloaded(*gpu_, values);
    const float* row = all.data();
    for (u32 s = 0; s < batch.sequences.size(); ++s)
        for (u32 i = 0; i < batch.sequences[s].tokens.size(); ++i, row += width)
            TapPoint{taps, s}(tap, layer, i, 0, row, width);
}

void GpuBackend::tap_heads(TapSink* taps, LayerId layer, const Batch& batch,
                           const Pass& pass) const {
    const u64 dim = config_.head_dim;
    const auto show = [&](Tap tap, const View<float>& values, u64 n_heads) {
        if (taps == nullptr || !taps->wants(tap, layer)) return;
        const std::vector<float> all = downloaded(*gpu_, values);
        const float* row = all.data();
        for (u32 s = 0; s < batch.sequences.size(); ++s)
            for (u32 i = 0; i < batch.sequences[s].tokens.size(); ++i, row += n_heads * dim)
                TapPoint{taps, s}.heads(tap, layer, i, row, n_heads, dim);
    };
    show(Tap::Q, pass.q, config_.n_heads);
    show(Tap::K, pass.k, config_.n_kv_heads);
    show(Tap::V, pass.v, config_.n_kv_heads);
}

// Reads a key of a KIVI codec as it lies there now: in fp16 as long as it waits, then in its group.
void GpuBackend::read_held_or_group(const SequenceWork& work, LayerId layer, HeadId head, u32 slot,
                                    float* out) const {
    const u32 dim = layout_.k.dim, n = work.token_indices.back() + 1;
    const auto read = [&](u32 of, std::span<std::byte> bytes) {
        const BlockId block = work.tables->of(layer, head)[of / layout_.block_size];
        read_pool(layout_.vector_offset(layer, Side::K, head, block, Slot(of % layout_.block_size)),
                  bytes);
    };
    if (slot >= coded_tokens(Side::K, n, work.residual.base)) {
        std::vector<std::byte> row(layout_.k.residual_bytes);
        gpu_->download(row.data(),
                       residual_.raw() + work.residual.row_set * bytes_of_row_set(layout_) +
                           residual_offset(layout_, layer, Side::K, head, slot),
                       row.size());
        return decode_vector(Codec::Fp16, row.data(), dim, out);
    }
    std::vector<std::byte> bytes(u64{kKiviGroup} * layout_.k.bytes);
    ConstGroupSlots slots{};
    for (u32 token = 0; token < kKiviGroup; ++token) {
        const std::span<std::byte> at =
            std::span(bytes).subspan(token * layout_.k.bytes, layout_.k.bytes);
        read(slot / kKiviGroup * kKiviGroup + token, at);
        slots[token] = at.data();
    }
    decode_key(spec_.k, slots, slot % kKiviGroup, dim, out);
}

// The keys that a row sees in one KV head, rotated where that is done when they are read: (seen,
// dim).
std::vector<float> GpuBackend::keys_of(const SequenceWork& work, LayerId layer, HeadId head,
                                       u32 row, const SeenKeys& seen, const float* own_keys) const {
    const u64 dim = config_.head_dim;
    const std::vector<double> frequencies = rope_frequencies(config_);
    const SharedScale scale = shared_scale(layer, Side::K);
    const std::vector<BlockId>& table = work.tables->of(layer, head);
    std::vector<float> keys(seen.slots.size() * dim);
    std::vector<std::byte> bytes(layout_.k.bytes);
    for (u64 j = 0; j < seen.slots.size(); ++j) {
        float* key = keys.data() + j * dim;
        const u32 slot = seen.slots[j];
        const auto own = spec_.attends_exactly(Side::K) ? computed_row(work, layer, head, slot, row)
                                                        : std::nullopt;
        if (own) {
            std::copy_n(own_keys + (*own * config_.n_kv_heads + head.index()) * dim, dim, key);
        } else if (spec_.k.has_residual()) {
            read_held_or_group(work, layer, head, slot, key);
        } else {
            const SlotPlace at = place_in(table, slot, layout_);
            read_pool(layout_.vector_offset(layer, Side::K, head, at.block, at.slot), bytes);
            decode_vector(spec_.k, bytes.data(), layout_.k.dim, key, scale);
        }
        if (seen.rotated_when_read) rotate_head(key, frequencies, seen.positions[j]);
    }
    return keys;
}

void GpuBackend::tap_weights(TapSink* taps, LayerId layer, const Batch& batch,
                             const Pass& pass) const {
    if (taps == nullptr || !(taps->wants(Tap::Scores, layer) || taps->wants(Tap::Weights, layer)))
        return;
    const u64 dim = config_.head_dim;
    const float scale = 1 / std::sqrt(static_cast<float>(dim));
    const std::vector<float> q = downloaded(*gpu_, pass.q), k = downloaded(*gpu_, pass.k);
    const std::vector<double> frequencies = rope_frequencies(config_);
    u64 row = 0;
    for (u32 s = 0; s < batch.sequences.size(); ++s) {
        const SequenceWork& work = batch.sequences[s];
        const float* own_keys = k.data() + row * config_.n_kv_heads * dim;
        for (u32 i = 0; i < work.tokens.size(); ++i, ++row)
            for (u32 head = 0; head < config_.n_heads; ++head) {
                const HeadId kv_head = kv_head_of(head, config_.n_heads, config_.n_kv_heads);
                SeenKeys seen;
                find_keys_of_head(config_, layout_, work, layer, {kv_head, head, i}, seen);
                const std::vector<float> keys = keys_of(work, layer, kv_head, i, seen, own_keys);
                std::vector<float> query(q.data() + (row * config_.n_heads + head) * dim,
                                         q.data() + (row * config_.n_heads + head + 1) * dim);
                if (seen.rotated_when_read)
                    rotate_head(query.data(), frequencies, seen.positions.back());
                std::vector<float> scores(seen.slots.size());
                for (u64 j = 0; j < scores.size(); ++j)
                    scores[j] = dot(query.data(), keys.data() + j * dim, dim) * scale;
                const TapPoint tap{taps, s};
                tap(Tap::Scores, layer, i, head, scores.data(), scores.size());
                softmax(scores);
                tap(Tap::Weights, layer, i, head, scores.data(), scores.size());
            }
    }
}

}  // namespace kv::gpu
