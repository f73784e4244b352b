#include "core/engine/measure/quality.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/logits.hpp"

namespace kv {
namespace {

// A run over the text to the last told token; the one that is drawn after it does not matter.
struct Told {
    std::vector<std::vector<float>> logits;  // a row for each told token
    std::vector<double> nll;
    SeenLog seen;  // empty without a policy
    LaneShape lanes;
    std::uint64_t held_bytes = 0, peak_bytes = 0;
};

// Bytes of what is stored, a token that waits to be coded at the bytes it takes while it waits; and
// of the bounds of blocks, where a policy goes by them.
std::uint64_t stored_bytes(const KvLayout& layout, const Held& held) {
    const std::uint64_t heads = std::uint64_t{layout.n_layers} * layout.n_kv_heads;
    return heads *
               ((held.live_slots - held.residual_k) * layout.k.bytes +
                held.residual_k * layout.k.residual_bytes +
                (held.live_slots - held.residual_v) * layout.v.bytes +
                held.residual_v * layout.v.residual_bytes) /
               held.n_lanes +
           held.box_bytes;
}

// One request, which answers with the told tokens whatever it would have drawn.
RequestSpec told_request(const QualityText& text) {
    RequestSpec spec;
    spec.name = "text";
    spec.prompt = text.prompt;
    spec.forced = text.told;
    spec.max_new = 1;
    return spec;
}

// Adds up at the end of each step what the run holds, and what it held at most.
class HeldBytes {
public:
    explicit HeldBytes(const EngineSettings& settings)
        : drops_late_(eviction_time(eviction_of(settings)) != EvictionTime::BeforeAppend) {}

    void after_step(const Engine& engine, Told& told) {
        const KvLayout& layout = engine.backend().layout();
        Held held = engine.last_held();
        if (!engine.requests()[0].logits.empty())
            told.held_bytes = std::max(told.held_bytes, stored_bytes(layout, held));
        // What was dropped behind the pass was there while it ran, so it counts for the peak.
        const std::uint64_t dropped = engine.trace().end().counters.tokens_dropped;
        if (drops_late_) held.live_slots += dropped - dropped_before_;
        dropped_before_ = dropped;
        told.peak_bytes = std::max(told.peak_bytes, stored_bytes(layout, held));
    }

private:
    bool drops_late_;
    std::uint64_t dropped_before_ = 0;
};

std::optional<Told> tell(EngineParts parts, const EngineSettings& settings, const QualityText& text,
                         const Progress& go_on) {
    KV_ASSERT(!text.prompt.empty() && !text.told.empty());
    Told told;
    const Engine* running = nullptr;
    parts.keep_logits = true;
    parts.keep_seen = true;
    parts.payload_bytes = 0;
    // Of the rows of logits only the last told token's matters here: by then the policy's keeper
    // has noted what every query of the text saw, and after it the request is gone.
    parts.on_logits = [&](SeqId id, const SeenTokens& known, std::span<const float>) {
        const TokenKeeper* keeper = running->keeper(id);
        if (keeper != nullptr && known.tokens.size() == text.prompt.size() + text.told.size())
            told.seen = keeper->seen();
    };
    Engine engine(std::move(parts), settings);
    running = &engine;
    engine.submit(told_request(text));
    HeldBytes held(settings);
    const auto most_steps = static_cast<double>(text.prompt.size() + text.told.size());
    for (std::size_t steps = 0; !engine.done(); ++steps) {
        if (go_on && !go_on(std::min(1.0, static_cast<double>(steps) / most_steps)))
            return std::nullopt;
        engine.advance();
        held.after_step(engine, told);
    }
    const Request& r = engine.requests()[0];
    if (r.finish == Finish::Refused)
        throw Error(ErrorCode::Usage,
                    "The text does not fit the pool at its longest; make the pool larger.");
    told.logits.assign(r.logits.begin(),
                       r.logits.begin() + static_cast<std::ptrdiff_t>(text.told.size()));
    told.nll = r.forced_nll;
    told.lanes = engine.sight_lanes();
    return told;
}

// The same settings without anything that loses something.
EngineSettings full_settings(EngineSettings settings, const QualityText& text) {
    settings.evict = "none";
    settings.positions = KeyPositions::TextWhenStored;
    settings.k_codec = settings.v_codec = Codec::F32;
    settings.rotation = Rotation::None;
    return settings_for_text(std::move(settings), text.prompt.size() + text.told.size());
}

// Computes the whole text in one pass, with everything kept, and watches the softmax weights.
std::vector<double> mass_lost(const EngineParts& parts, const EngineSettings& full,
                              const QualityText& text, const Told& told) {
    std::vector<std::uint32_t> tokens = text.prompt;
    tokens.insert(tokens.end(), text.told.begin(), text.told.end());
    if (told.seen.empty()) return std::vector<double>(tokens.size());
    const auto n = static_cast<std::uint32_t>(tokens.size());
    const auto blocks = static_cast<std::uint32_t>(ceil_div(n, full.block_size));
    const auto backend = parts.make_backend(full.backend, pool_spec_of(full, blocks));
    BlockTables tables;
    tables.tables.resize(1);
    tables.tables[0].reserve(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block)
        tables.tables[0].push_back(BlockId(block));
    std::vector<std::uint32_t> slots(n);
    std::iota(slots.begin(), slots.end(), 0u);
    Batch batch;
    batch.sequences.push_back({.tokens = tokens,
                               .positions = slots,
                               .token_indices = slots,
                               .tables = &tables,
                               .logit_rows = {}});
    MassLost lost(told.seen, told.lanes, static_cast<std::uint32_t>(parts.config.n_heads));
    backend->forward(batch, &lost);
    std::vector<double> by_token = lost.by_token();
    for (double& share : by_token) share /= static_cast<double>(parts.config.n_layers);
    by_token.resize(n);
    return by_token;
}

}  // namespace

QualityMeans means_of(std::span<const QualityRow> rows) {
    QualityMeans m;
    for (const QualityRow& row : rows) {
        m.nll += row.nll;
        m.nll_full += row.nll_full;
        m.kl += row.kl;
        m.flips += row.flip ? 1 : 0;
        m.recalled += row.recalled ? 1 : 0;
        m.mass_lost += row.mass_lost;
    }
    const double n = std::max<double>(1, static_cast<double>(rows.size()));
    return {.nll = m.nll / n,
            .nll_full = m.nll_full / n,
            .kl = m.kl / n,
            .flips = m.flips / n,
            .recalled = m.recalled / n,
            .mass_lost = m.mass_lost / n};
}

void MassLost::take(const TapPlace& place, std::span<const float> weights) {
    if (place.row >= seen_.size() || seen_[place.row].empty()) return;
    const HeadId head = kv_head_of(place.head, n_heads_, lanes_.n_kv_heads);
    std::uint32_t hidden = 0;
    const auto lose_up_to = [&](std::size_t end) {
        for (; hidden < end; ++hidden) lost_[place.row] += static_cast<double>(weights[hidden]);
    };
    for (const KeyRange& range : seen_[place.row][lanes_.lane_of(place.layer, head).index()]) {
        lose_up_to(range.begin);
        hidden = range.end;
    }
    lose_up_to(weights.size());
}

std::vector<double> MassLost::by_token() const {
    std::vector<double> shares = lost_;
    for (double& share : shares) share /= n_heads_;
    return shares;
}

EngineSettings settings_for_text(EngineSettings settings, std::uint64_t n_tokens) {
    const std::uint64_t blocks = 2 * ceil_div(n_tokens, settings.block_size) + 1;
    settings.pool = {{}, static_cast<std::uint32_t>(blocks)};
    settings.free_list.clear();
    settings.host_blocks = settings.file_blocks = 0;
    settings.cold_blocks = ColdBlocks::Forget;
    settings.prefetch = false;
    settings.watermark_blocks = 0;
    return settings;
}

std::optional<QualityTruth> tell_truth(const EngineParts& parts, const EngineSettings& settings,
                                       const QualityText& text, const Progress& go_on) {
    auto told = tell(parts, full_settings(settings, text), text, go_on);
    if (!told) return std::nullopt;
    return QualityTruth{std::move(told->logits), std::move(told->nll)};
}

std::optional<QualityResult> measure_against(const QualityTruth& truth, const EngineParts& parts,
                                             const EngineSettings& settings,
                                             const QualityText& text, const Progress& go_on) {
    KV_ASSERT(truth.logits.size() == text.told.size());
    const auto told = tell(parts, settings, text, go_on);
    if (!told) return std::nullopt;
    const std::vector<double> lost = mass_lost(parts, full_settings(settings, text), text, *told);
    QualityResult result{
        .rows = {}, .held_bytes = told->held_bytes, .peak_bytes = told->peak_bytes};
    result.rows.reserve(text.told.size());
    for (std::size_t i = 0; i < text.told.size(); ++i) {
        const std::uint32_t token = text.told[i];
        const auto &full = truth.logits[i], &asked = told->logits[i];
        // The row that judges told token i came from the query one before it.
        result.rows.push_back({.token = token,
                               .nll = told->nll[i],
                               .nll_full = truth.nll[i],
                               .kl = kl_divergence(full, asked),
                               .flip = top_token(full) != top_token(asked),
                               .recalled = top_token(asked) == token,
                               .mass_lost = lost[text.prompt.size() + i - 1]});
    }
    return result;
}

}  // namespace kv
