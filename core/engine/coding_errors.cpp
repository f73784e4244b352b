#include "core/engine/coding_errors.hpp"

#include <numeric>

#include "core/base/checked.hpp"
#include "core/engine/hadamard.hpp"

namespace kv {
namespace {

class Coder : public TapSink {
public:
    Coder(std::span<const KvFormat> formats, const ModelConfig& config, Rotation rotation)
        : formats_(formats), rotation_(rotation) {
        const auto k = static_cast<std::uint32_t>(config.head_dim),
                   v = static_cast<std::uint32_t>(config.v_head_dim);
        for (const KvFormat& format : formats) {
            const bool can = codes_alone(format) && !objection(format, KvSide::K, k) &&
                             !objection(format, KvSide::V, v);
            errors.push_back(can ? std::optional(CodingErrors{}) : std::nullopt);
        }
    }
    bool wants(Tap tap, LayerId /*layer*/) const override { return tap == Tap::K || tap == Tap::V; }
    void take(const TapPlace& place, std::span<const float> values) override {
        vector_.assign(values.begin(), values.end());
        if (rotation_ == Rotation::Hadamard) hadamard_heads(vector_.data(), 1, vector_.size());
        const auto dim = static_cast<std::uint32_t>(vector_.size());
        for (std::size_t i = 0; i < formats_.size(); ++i)
            if (errors[i])
                (place.tap == Tap::K ? errors[i]->k : errors[i]->v) +=
                    coding_error(formats_[i], vector_, dim);
    }

    std::vector<std::optional<CodingErrors>> errors;

private:
    std::span<const KvFormat> formats_;
    Rotation rotation_;
    std::vector<float> vector_;
};

}  // namespace

bool codes_alone(const KvFormat& format) {
    return format.scale != ScaleMode::Kivi && format.scale != ScaleMode::Tensor;
}

std::vector<std::optional<CodingErrors>> coding_errors(const EngineParts& parts,
                                                       const EngineSettings& settings,
                                                       const QualityText& text,
                                                       std::span<const KvFormat> formats) {
    std::vector<std::uint32_t> tokens = text.prompt;
    tokens.insert(tokens.end(), text.told.begin(), text.told.end());
    EngineSettings full = settings_for_text(settings, tokens.size());
    full.k_codec = full.v_codec = KvFormat::F32;
    full.rotation = Rotation::None;
    full.positions = KeyPositions::True;
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
    Coder coder(formats, parts.config, settings.rotation);
    backend->forward(batch, &coder);
    return std::move(coder.errors);
}

}  // namespace kv
