#include "core/lesson/language/mask_experiment.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"

namespace kv {
namespace {

// One sequence in blocks 0, 1, 2 ... of an empty pool.
struct WholePool {
    explicit WholePool(std::uint32_t n_blocks) {
        tables.tables.resize(1);
        for (std::uint32_t block = 0; block < n_blocks; ++block)
            tables.tables[0].push_back(BlockId(block));
    }
    BlockTables tables;
};

std::vector<std::uint32_t> numbered(std::size_t n) {
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

VisibleKeys seen_under(MaskRule rule, const LaneShape& shape,
                       const std::vector<std::uint32_t>& slots) {
    const auto n = static_cast<std::uint32_t>(slots.size());
    LaneKeys keys{slots, slots, {}};
    for (std::uint32_t row = 0; row < n; ++row) {
        // The first token has nobody but itself to look at.
        const std::uint32_t end = rule == MaskRule::NoMask ? n : std::max(row, 1u);
        keys.rows.push_back({{0, end}});
    }
    VisibleKeys visible;
    visible.shape = shape;
    visible.lanes.assign(shape.n_lanes(), keys);
    return visible;
}

class KeyRows : public TapSink {
public:
    explicit KeyRows(LayerRows& rows, std::uint32_t head_dim) : rows_(rows), head_dim_(head_dim) {}
    bool wants(Tap tap, LayerId) const override { return tap == Tap::K; }
    void take(const TapPlace& place, std::span<const float> values) override {
        const std::size_t first = (place.layer.index() * rows_.n_tokens + place.row) * rows_.width +
                                  std::size_t{place.head} * head_dim_;
        std::copy(values.begin(), values.end(),
                  rows_.keys.begin() + static_cast<std::ptrdiff_t>(first));
    }

private:
    LayerRows& rows_;
    std::uint32_t head_dim_;
};

// Keeps the weights of one head, of the rows from `first` on.
class WeightsOfHead : public TapSink {
public:
    WeightsOfHead(std::uint32_t layer, std::uint32_t head, std::size_t first, std::size_t end)
        : rows(end - first), layer_(layer), head_(head), first_(first) {}
    bool wants(Tap tap, LayerId layer) const override {
        return tap == Tap::Weights && layer.value == layer_;
    }
    void take(const TapPlace& place, std::span<const float> values) override {
        if (place.head == head_ && place.row >= first_)
            rows[place.row - first_].assign(values.begin(), values.end());
    }
    std::vector<std::vector<float>> rows;

private:
    std::uint32_t layer_, head_;
    std::size_t first_;
};

class QueryTaps : public TapSink {
public:
    QueryTaps(std::uint32_t layer, std::uint32_t head, std::uint32_t kv_head, std::size_t n)
        : layer_(layer), head_(head), kv_head_(kv_head), last_(n - 1) {
        seen.keys.resize(n);
    }
    bool wants(Tap tap, LayerId layer) const override {
        return layer.value == layer_ && (tap == Tap::Q || tap == Tap::K);
    }
    void take(const TapPlace& place, std::span<const float> values) override {
        if (place.tap == Tap::K && place.head == kv_head_)
            seen.keys[place.row].assign(values.begin(), values.end());
        if (place.tap == Tap::Q && place.head == head_ && place.row == last_)
            seen.query.assign(values.begin(), values.end());
    }
    QueryAndKeys seen;

private:
    std::uint32_t layer_, head_, kv_head_;
    std::size_t last_;
};

// The weights of what a query sees, each at the place of its token.
std::vector<float> spread_out(const std::vector<float>& weights, const std::vector<KeyRange>& sees,
                              std::size_t n) {
    std::vector<float> all(n);
    std::size_t next = 0;
    for (const KeyRange& range : sees)
        for (std::uint32_t token = range.begin; token < range.end; ++token)
            all[token] = weights[next++];
    KV_ASSERT(next == weights.size());
    return all;
}

}  // namespace

LayerRows layer_rows(Backend& backend, const ModelConfig& config,
                     std::span<const std::uint32_t> tokens, MaskRule rule) {
    KV_ASSERT(!tokens.empty());
    LayerRows rows{static_cast<std::uint32_t>(config.n_layers),
                   static_cast<std::uint32_t>(tokens.size()),
                   static_cast<std::uint32_t>(config.n_kv_heads * config.head_dim),
                   {},
                   {}};
    rows.keys.assign(std::size_t{rows.n_layers} * rows.n_tokens * rows.width, 0.0f);
    const WholePool pool(backend.layout().n_blocks);
    const std::vector<std::uint32_t> slots = numbered(tokens.size()), last{rows.n_tokens - 1};
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &pool.tables, last});
    const LaneShape shape{TableScope::Sequence, rows.n_layers,
                          static_cast<std::uint32_t>(config.n_kv_heads)};
    const VisibleKeys visible = seen_under(rule, shape, slots);
    if (rule != MaskRule::Causal) batch.sequences[0].visible = &visible;
    KeyRows taps(rows, static_cast<std::uint32_t>(config.head_dim));
    rows.logits = backend.forward(batch, &taps).logits;
    return rows;
}

std::vector<std::uint32_t> changed_rows(const LayerRows& a, const LayerRows& b,
                                        std::uint32_t layer) {
    std::vector<std::uint32_t> changed;
    for (std::uint32_t t = 0; t < std::min(a.n_tokens, b.n_tokens); ++t) {
        const auto x = a.row(layer, t), y = b.row(layer, t);
        if (!std::equal(x.begin(), x.end(), y.begin())) changed.push_back(t);
    }
    return changed;
}

std::vector<std::vector<float>> last_weights(Backend& backend,
                                             std::span<const std::uint32_t> tokens,
                                             std::uint32_t layer, std::uint32_t query_head,
                                             std::uint32_t rows) {
    const WholePool pool(backend.layout().n_blocks);
    const std::vector<std::uint32_t> slots = numbered(tokens.size());
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &pool.tables, {}});
    WeightsOfHead taps(layer, query_head, tokens.size() - rows, tokens.size());
    backend.forward(batch, &taps);
    return taps.rows;
}

std::vector<float> attention_weights(Backend& backend, std::span<const std::uint32_t> tokens,
                                     std::uint32_t layer, std::uint32_t query_head) {
    return last_weights(backend, tokens, layer, query_head, 1)[0];
}

std::vector<float> attention_weights(Backend& backend, std::span<const std::uint32_t> tokens,
                                     std::uint32_t layer, std::uint32_t query_head,
                                     const Sight& sight) {
    const WholePool pool(backend.layout().n_blocks);
    const std::vector<std::uint32_t> slots = numbered(tokens.size());
    const VisibleKeys visible = sight_behind(sight.mask, slots, 0);
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &pool.tables, {}});
    batch.sequences[0].visible = &visible;
    WeightsOfHead taps(layer, query_head, tokens.size() - 1, tokens.size());
    backend.forward(batch, &taps);
    const LaneKeys& keys = visible.of(LayerId(layer), sight.lane_head);
    return spread_out(taps.rows[0], keys.rows.back(), tokens.size());
}

QueryAndKeys query_and_keys(Backend& backend, std::span<const std::uint32_t> tokens,
                            std::uint32_t layer, std::uint32_t query_head, const Sight& sight) {
    const WholePool pool(backend.layout().n_blocks);
    const std::vector<std::uint32_t> slots = numbered(tokens.size());
    const VisibleKeys visible = sight_behind(sight.mask, slots, 0);
    Batch batch;
    batch.sequences.push_back({tokens, slots, slots, &pool.tables, {}});
    batch.sequences[0].visible = &visible;
    QueryTaps taps(layer, query_head, sight.kv_head.value, tokens.size());
    backend.forward(batch, &taps);
    return taps.seen;
}

}  // namespace kv
