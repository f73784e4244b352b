#include "app/live/looks.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/checked.hpp"
#include "core/engine/prover.hpp"

namespace kv {
namespace {

std::unique_ptr<Backend> backend_for(const LoadedModel& model, const LookSpec& spec,
                                     std::uint64_t n_tokens) {
    PoolSpec pool = spec.pool;
    pool.n_blocks = static_cast<std::uint32_t>(ceil_div(n_tokens, pool.block_size));
    auto backend = open_backend(model.config(), model.loaded.weights, spec.backend, pool);
    for (std::uint32_t i = 0; i < spec.shared_scales.size(); ++i)
        backend->set_shared_scale(LayerId(i / 2), i % 2 == 0 ? KvSide::K : KvSide::V,
                                  spec.shared_scales[i]);
    return backend;
}

class WeightsOfLastRow : public TapSink {
public:
    explicit WeightsOfLastRow(AttentionPicture& picture) : picture_(picture) {}
    bool wants(Tap tap, LayerId) const override { return tap == Tap::Weights; }
    void take(const TapPlace& place, std::span<const float> values) override {
        const std::size_t first =
            (place.layer.index() * picture_.n_heads + place.head) * picture_.n_keys();
        // A sliding window shows the newest keys only; the others had no weight.
        const std::size_t unseen = picture_.n_keys() - values.size();
        std::copy(values.begin(), values.end(),
                  picture_.weights.begin() + static_cast<std::ptrdiff_t>(first + unseen));
    }

private:
    AttentionPicture& picture_;
};

}  // namespace

AttentionPicture look_at_attention(const LoadedModel& model, const LookSpec& spec, SeqId request,
                                   std::span<const std::uint32_t> tokens) {
    const ModelConfig& config = model.config();
    AttentionPicture picture{request,
                             static_cast<std::uint32_t>(tokens.size() - 1),
                             static_cast<std::uint32_t>(config.n_layers),
                             static_cast<std::uint32_t>(config.n_heads),
                             {}};
    picture.weights.assign(std::size_t{picture.n_layers} * picture.n_heads * tokens.size(), 0.0f);
    const std::unique_ptr<Backend> backend = backend_for(model, spec, tokens.size());
    BlockTables tables;
    tables.tables.resize(1);
    for (std::uint32_t block = 0; block < backend->layout().n_blocks; ++block)
        tables.tables[0].push_back(BlockId(block));
    std::vector<std::uint32_t> slots(tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);

    // All but the last token first, without a look: only the last one's weights are wanted.
    const std::span<const std::uint32_t> all(slots);
    const std::size_t before = tokens.size() - 1;
    if (before > 0) {
        Batch batch;
        batch.sequences.push_back(
            {tokens.first(before), all.first(before), all.first(before), &tables, {}});
        backend->forward(batch);
    }
    WeightsOfLastRow taps(picture);
    const std::vector<std::uint32_t> row{0};
    Batch last;
    last.sequences.push_back({tokens.last(1), all.last(1), all.last(1), &tables, row});
    backend->forward(last, &taps);
    return picture;
}

ProofView prove_rows(const LoadedModel& model, const LookSpec& spec,
                     std::span<const JudgedRow> rows) {
    ProofView view;
    Prover prover([&](std::uint32_t n_tokens) { return backend_for(model, spec, n_tokens); });
    for (const JudgedRow& row : rows) {
        prover.check({row.seen, row.passes}, row.logits, row.iteration);
        if (prover.proof().max_abs_difference > view.max_abs_difference)
            view.where = std::to_string(row.request.value);
        view.max_abs_difference = prover.proof().max_abs_difference;
        ++view.n_compared;
    }
    view.state =
        holds(prover.proof(), spec.backend) ? ProofView::State::Proved : ProofView::State::Differs;
    return view;
}

}  // namespace kv
