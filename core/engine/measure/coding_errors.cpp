#include "core/engine/measure/coding_errors.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/engine/reference/hadamard.hpp"

namespace kv {
namespace {

// The keys or the values of one layer: (rows, heads, dim).
struct LayerVectors {
    std::uint32_t heads = 0, dim = 0;
    std::vector<float> values;

    std::size_t rows() const { return values.size() / heads / dim; }
    std::span<const float> vector(std::size_t row, std::uint32_t head) const {
        return std::span(values).subspan((row * heads + head) * dim, dim);
    }
};

std::vector<float> through_fp16(std::span<const float> values) {
    std::vector<float> rounded(values.begin(), values.end());
    for (float& value : rounded) value = fp16_to_float(fp16_from_float(value));
    return rounded;
}

ElementError error_of_key_group(const Codec& codec, const LayerVectors& keys, std::size_t first,
                                std::uint32_t head) {
    std::vector<float> group;
    for (std::size_t row = first; row < first + kKiviGroup; ++row) {
        const std::vector<float> key = through_fp16(keys.vector(row, head));
        group.insert(group.end(), key.begin(), key.end());
    }
    const std::size_t bytes = vector_of(codec, keys.dim, Side::K).bytes;
    std::vector<std::byte> stored(bytes * kKiviGroup);
    GroupSlots slots;
    ConstGroupSlots read;
    for (std::size_t i = 0; i < kKiviGroup; ++i) read[i] = slots[i] = stored.data() + i * bytes;
    encode_key_group(codec, group.data(), keys.dim, slots);
    ElementError error;
    std::vector<float> back(keys.dim);
    for (std::uint32_t token = 0; token < kKiviGroup; ++token) {
        decode_key(codec, read, token, keys.dim, back.data());
        error += element_error(keys.vector(first + token, head), back);
    }
    return error;
}

ElementError error_of_kivi(const Codec& codec, Side side, const LayerVectors& all) {
    ElementError error;
    if (side == Side::K) {
        for (std::size_t first = 0; first + kKiviGroup <= all.rows(); first += kKiviGroup)
            for (std::uint32_t head = 0; head < all.heads; ++head)
                error += error_of_key_group(codec, all, first, head);
        return error;
    }
    const Codec alone = value_codec(codec, all.dim);
    std::vector<std::byte> bytes(vector_of(alone, all.dim).bytes);
    std::vector<float> back(all.dim);
    for (std::size_t row = 0; row < all.rows(); ++row)
        for (std::uint32_t head = 0; head < all.heads; ++head) {
            encode_vector(alone, through_fp16(all.vector(row, head)).data(), all.dim, bytes.data());
            decode_vector(alone, bytes.data(), all.dim, back.data());
            error += element_error(all.vector(row, head), back);
        }
    return error;
}

ElementError error_of(const Codec& codec, Side side, const LayerVectors& all,
                      std::size_t first_step) {
    if (codec.has_residual()) return error_of_kivi(codec, side, all);
    SharedScale shared = kNoScale;
    if (codec.scale == ScaleMode::Tensor)
        shared = scale_for(codec, all.values.data(),
                           std::min(first_step, all.rows()) * all.heads * all.dim);
    return coding_error(codec, all.values, all.dim, shared);
}

// Gathers a layer's keys and values, and codes them when the next layer comes.
class Coder : public TapSink {
public:
    Coder(std::span<const Codec> codecs, const ModelConfig& config, Rotation rotation,
          std::size_t first_step)
        : codecs_(codecs), rotation_(rotation), first_step_(first_step) {
        const auto heads = static_cast<std::uint32_t>(config.n_kv_heads),
                   k = static_cast<std::uint32_t>(config.head_dim),
                   v = static_cast<std::uint32_t>(config.v_head_dim);
        of(Side::K) = {heads, k, {}}, of(Side::V) = {heads, v, {}};
        for (const Codec& codec : codecs) {
            const bool can =
                !codec_objection(codec, Side::K, k) && !codec_objection(codec, Side::V, v);
            errors_.push_back(can ? std::optional(CodingErrors{}) : std::nullopt);
        }
    }
    bool wants(Tap tap, LayerId /*layer*/) const override { return tap == Tap::K || tap == Tap::V; }
    void take(const TapPlace& place, std::span<const float> values) override {
        if (place.layer != layer_) finish_layer();
        layer_ = place.layer;
        LayerVectors& all = of(place.tap == Tap::K ? Side::K : Side::V);
        const std::size_t at = (std::size_t{place.row} * all.heads + place.head) * all.dim;
        const std::size_t rows_end = (std::size_t{place.row} + 1) * all.heads * all.dim;
        all.values.resize(std::max(all.values.size(), rows_end));
        std::copy(values.begin(), values.end(),
                  all.values.begin() + static_cast<std::ptrdiff_t>(at));
        if (rotation_ == Rotation::Hadamard)
            hadamard_heads(all.values.data() + at, 1, values.size());
    }
    std::vector<std::optional<CodingErrors>> finish() {
        finish_layer();
        return std::move(errors_);
    }

private:
    LayerVectors& of(Side side) { return sides_[static_cast<std::size_t>(side)]; }
    void finish_layer() {
        for (std::size_t i = 0; i < codecs_.size(); ++i) {
            if (!errors_[i]) continue;
            errors_[i]->k += error_of(codecs_[i], Side::K, of(Side::K), first_step_);
            errors_[i]->v += error_of(codecs_[i], Side::V, of(Side::V), first_step_);
        }
        for (LayerVectors& side : sides_) side.values.clear();
    }

    std::span<const Codec> codecs_;
    Rotation rotation_;
    std::size_t first_step_;
    LayerId layer_{0};
    std::array<LayerVectors, 2> sides_;
    std::vector<std::optional<CodingErrors>> errors_;
};

}  // namespace

std::vector<std::optional<CodingErrors>> coding_errors(const EngineParts& parts,
                                                       const EngineSettings& settings,
                                                       const QualityText& text,
                                                       std::span<const Codec> codecs) {
    std::vector<std::uint32_t> tokens = text.prompt;
    tokens.insert(tokens.end(), text.told.begin(), text.told.end());
    EngineSettings full = settings_for_text(settings, tokens.size());
    full.k_codec = full.v_codec = Codec::F32;
    full.rotation = Rotation::None;
    full.positions = KeyPositions::TextWhenStored;
    full.evict = "none";
    const auto backend = parts.make_backend(full.backend, pool_spec_of(full, full.pool.blocks));
    BlockTables tables;
    tables.tables.resize(1);
    for (std::uint32_t block = 0; block < full.pool.blocks; ++block)
        tables.tables[0].push_back(BlockId(block));
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &tables, {}});
    const auto first_step = std::min<std::size_t>(settings.max_batch_tokens, text.prompt.size());
    Coder coder(codecs, parts.config, settings.rotation, first_step);
    backend->forward(batch, &coder);
    return coder.finish();
}

}  // namespace kv
