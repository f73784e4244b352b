#include "app/live/looks/looks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/panels/view/facts.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/measure/quality.hpp"

namespace kv {
namespace {

std::unique_ptr<Backend> backend_for(const LoadedModel& model, const LookSpec& spec,
                                     std::uint64_t n_tokens) {
    PoolSpec pool = spec.pool;
    pool.n_blocks = static_cast<std::uint32_t>(ceil_div(n_tokens, pool.block_size));
    auto backend = open_backend(model.config(), model.loaded.weights, spec.backend, pool);
    for (std::uint32_t i = 0; i < spec.shared_scales.size(); ++i)
        backend->set_shared_scale(LayerId(i / 2), i % 2 == 0 ? Side::K : Side::V,
                                  spec.shared_scales[i]);
    return backend;
}

// Which keys the weights of a row belong to.
class WeightsOfLastRow : public TapSink {
public:
    WeightsOfLastRow(AttentionPicture& picture, const std::optional<SightMask>& mask)
        : picture_(picture), mask_(mask) {}
    bool wants(Tap tap, LayerId) const override { return tap == Tap::Weights; }
    void take(const TapPlace& place, std::span<const float> values) override {
        const std::size_t first =
            (place.layer.index() * picture_.n_heads + place.head) * picture_.n_keys();
        std::span<const float> rest = values;
        for (const KeyRange& range : seen_by(place, values.size())) {
            std::copy_n(
                rest.begin(), range.end - range.begin,
                picture_.weights.begin() + static_cast<std::ptrdiff_t>(first + range.begin));
            rest = rest.subspan(range.end - range.begin);
        }
    }

private:
    std::vector<KeyRange> seen_by(const TapPlace& place, std::size_t n) const {
        const bool masked = mask_ && picture_.position < mask_->seen.size() &&
                            !mask_->seen[picture_.position].empty();
        // A sliding window shows the newest keys only; the others had no weight.
        const std::uint32_t end = picture_.n_keys();
        if (!masked) return {{end - static_cast<std::uint32_t>(n), end}};
        const HeadId head = kv_head_of(place.head, picture_.n_heads, mask_->lanes.n_kv_heads);
        return mask_->seen[picture_.position][mask_->lanes.lane_of(place.layer, head).index()];
    }

    AttentionPicture& picture_;
    const std::optional<SightMask>& mask_;
};

}  // namespace

LookSpec look_spec_of(const RunSession& session) {
    const std::size_t of_step = session.pool_of_step();
    const RunSession::Pool& pool = session.pools()[of_step];
    LookSpec spec{pool.backend, pool.spec, pool.shared_scales};
    for (std::uint32_t i = 0; i < session.now().requests.size(); ++i)
        if (const SeenInPool* sight = session.sight(SeqId(i), of_step))
            spec.seen[SeqId(i)] = *sight;
    return spec;
}

namespace {

SightMask mask_of(const SeenInPool& sight) {
    return {sight.seen, sight.lanes, sight.key_rotation};
}

}  // namespace

std::optional<SightMask> LookSpec::mask(SeqId request) const {
    const auto known = seen.find(request);
    if (known == seen.end()) return std::nullopt;
    return mask_of(known->second);
}

namespace {

FullLook look(const LoadedModel& model, const LookSpec& spec, SeqId request,
              std::span<const std::uint32_t> tokens, const std::optional<SightMask>& mask) {
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
    const std::vector<std::uint32_t> last_row{0};
    const auto pass = [&](std::size_t first, std::size_t end, TapSink* taps) {
        const auto at = all.subspan(first, end - first);
        Batch batch;
        batch.sequences.push_back({tokens.subspan(first, end - first), at, at, &tables, {}});
        if (taps != nullptr) batch.sequences[0].logit_rows = last_row;
        VisibleKeys visible;
        if (mask) {
            visible = sight_behind(*mask, all.first(end), first);
            batch.sequences[0].visible = &visible;
        }
        return backend->forward(batch, taps).logits;
    };
    if (before > 0) pass(0, before, nullptr);
    WeightsOfLastRow taps(picture, mask);
    std::vector<float> logits = pass(before, tokens.size(), &taps);
    return {std::move(picture), std::move(logits)};
}

}  // namespace

AttentionPicture look_at_attention(const LoadedModel& model, const LookSpec& spec, SeqId request,
                                   std::span<const std::uint32_t> tokens) {
    return look(model, spec, request, tokens, spec.mask(request)).attention;
}

FullLook look_at_everything(const LoadedModel& model, const LookSpec& spec, SeqId request,
                            std::span<const std::uint32_t> tokens) {
    return look(model, spec, request, tokens, std::nullopt);
}

namespace {

// Hands each row of weights to both sides of a comparison.
class LostOnBothSides : public TapSink {
public:
    LostOnBothSides(const std::array<std::optional<SightMask>, 2>& sides, std::uint32_t n_heads) {
        for (std::size_t i = 0; i < sides.size(); ++i)
            if (sides[i]) lost_[i].emplace(sides[i]->seen, sides[i]->lanes, n_heads);
    }
    bool wants(Tap tap, LayerId) const override {
        return tap == Tap::Weights && (lost_[0] || lost_[1]);
    }
    void take(const TapPlace& place, std::span<const float> weights) override {
        for (auto& side : lost_)
            if (side) side->take(place, weights);
    }
    std::vector<double> of(std::size_t side, std::span<const std::uint32_t> rows,
                           double n_layers) const {
        std::vector<double> shares(rows.size());
        if (!lost_[side]) return shares;
        const std::vector<double> all = lost_[side]->by_token();
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i] < all.size()) shares[i] = all[rows[i]] / n_layers;
        return shares;
    }

private:
    std::array<std::optional<MassLost>, 2> lost_;
};

}  // namespace

std::optional<SeenInPool> sight_of(const RunSession& run, const std::string& request) {
    const auto id = request_named(run.trace().end(), request);
    const SeenInPool* sight = id ? run.sight(*id, run.pools().size() - 1) : nullptr;
    return sight == nullptr ? std::nullopt : std::optional(*sight);
}

FullText look_at_text(const LoadedModel& model, const LookSpec& spec, FullText text,
                      const std::array<std::optional<SeenInPool>, 2>& sides, bool same_model) {
    LookSpec full{spec.backend, spec.pool};
    full.pool.k = full.pool.v = Codec::F32;
    full.pool.rotation = Rotation::None;
    const auto backend = backend_for(model, full, text.tokens.size());
    BlockTables tables;
    tables.tables.resize(1);
    for (std::uint32_t block = 0; block < backend->layout().n_blocks; ++block)
        tables.tables[0].push_back(BlockId(block));
    std::vector<std::uint32_t> slots(text.tokens.size());
    std::iota(slots.begin(), slots.end(), 0u);
    Batch batch;
    batch.sequences.push_back({text.tokens, slots, slots, &tables, text.rows});
    const ModelConfig& config = model.config();
    std::array<std::optional<SightMask>, 2> masks;
    if (sides[0]) masks[0].emplace(mask_of(*sides[0]));
    if (sides[1] && same_model) masks[1].emplace(mask_of(*sides[1]));
    LostOnBothSides lost(masks, static_cast<std::uint32_t>(config.n_heads));
    const std::vector<float> logits = backend->forward(batch, &lost).logits;
    for (std::size_t i = 0; i < text.rows.size(); ++i) {
        const auto row = std::span(logits).subspan(i * config.vocab_size, config.vocab_size);
        text.logits.emplace_back(row.begin(), row.end());
    }
    const auto n_layers = static_cast<double>(config.n_layers);
    text.lost_left = lost.of(0, text.rows, n_layers);
    if (same_model) text.lost_right = lost.of(1, text.rows, n_layers);
    return text;
}

ProofView prove_rows(const LoadedModel& model, const LookSpec& spec,
                     std::span<const JudgedRow> rows) {
    ProofView view;
    const auto make = [&](std::uint32_t n_tokens) { return backend_for(model, spec, n_tokens); };
    Prover prover(make), masked(make);
    bool has_mask = false;
    for (const JudgedRow& row : rows) {
        prover.check({row.seen, row.passes}, row.logits, row.iteration);
        if (const auto mask = spec.mask(row.request)) {
            masked.check({row.seen, row.passes}, row.logits, row.iteration, &*mask);
            has_mask = true;
        }
        if (prover.proof().max_abs_difference > view.max_abs_difference)
            view.where = std::to_string(row.request.value);
        view.max_abs_difference = prover.proof().max_abs_difference;
        ++view.n_compared;
    }
    view.masked_difference = masked.proof().max_abs_difference;
    const Proof& must_hold = has_mask ? masked.proof() : prover.proof();
    view.state = !holds(must_hold, spec.backend)            ? ProofView::State::Differs
                 : has_mask && view.max_abs_difference != 0 ? ProofView::State::Lossy
                                                            : ProofView::State::Proved;
    return view;
}

}  // namespace kv
