#include "app/panels/policy/xray_rows.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/pair/pair.hpp"
#include "app/panels/view/sentence.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/logits.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

bool goes_by_place(const EvictionSpec& spec) {
    return spec.policy == EvictionPolicy::Window || spec.policy == EvictionPolicy::Streaming;
}

// Why a policy keeps a token: by its place, or by its score.
class KeptWords {
public:
    KeptWords(const RunView& run, SeqId request, const XrayDrops& drops, const Texts& text)
        : text_(text),
          r_(run.now.requests[request.index()]),
          spec_(policy_of(run)),
          has_dropped_(drops.any_before(run.moment)),
          threshold_(drops.threshold_before(run.moment)) {}

    std::string of(std::uint32_t position) const {
        if (chooses_reads(spec_)) return text_["xray.why.all"_t];
        if (is_lag() && r_.stored >= r_.n_prompt && r_.n_prompt < least_judged(spec_.lag))
            return counted("xray.why.short"_t, least_judged(spec_.lag));
        if (!has_dropped_) return text_["xray.why.first"_t];
        switch (spec_.policy) {
            case EvictionPolicy::None:
            case EvictionPolicy::Quest:
                return text_["xray.why.all"_t];
            case EvictionPolicy::Window:
            case EvictionPolicy::Streaming:
                return position < spec_.sinks ? counted("xray.why.sink"_t, spec_.sinks)
                                              : counted("xray.why.recent"_t, spec_.recent);
            case EvictionPolicy::H2o:
                return is_recent(position, spec_.heavy.recent)
                           ? counted("xray.why.recent"_t, spec_.heavy.recent)
                           : by_score();
            case EvictionPolicy::SnapKv:
            case EvictionPolicy::PyramidKv:
            case EvictionPolicy::AdaKv:
                return is_in_prompt(position) && position + spec_.observed.window >= r_.n_prompt
                           ? text_["xray.why.window"_t]
                           : in_prompt_by_score(position);
            case EvictionPolicy::Expected:
                return position < spec_.expected.sinks
                           ? counted("xray.why.sink"_t, spec_.expected.sinks)
                           : in_prompt_by_score(position);
            case EvictionPolicy::Random:
                return is_recent(position, spec_.spared)
                           ? counted("xray.why.recent"_t, spec_.spared)
                           : text_["xray.why.chance"_t];
            case EvictionPolicy::Tova:
                return by_score();
            case EvictionPolicy::LagKv:
                if (position < spec_.lag.sinks) return counted("xray.why.sink"_t, spec_.lag.sinks);
                return is_in_prompt(position) && position >= end_of_judged()
                           ? text_["xray.why.last"_t]
                           : in_prompt_by_score(position);
            case EvictionPolicy::Knorm:
            case EvictionPolicy::KeyDiff:
                break;
        }
        return in_prompt_by_score(position);
    }

private:
    bool is_in_prompt(std::uint32_t position) const { return position < r_.n_prompt; }
    bool is_recent(std::uint32_t position, std::uint32_t n) const {
        return position + n >= r_.stored;
    }
    bool is_lag() const { return spec_.policy == EvictionPolicy::LagKv; }
    // Where the tokens end that LagKV judges: it spares its sinks and what has no whole chunk
    // behind it.
    std::uint32_t end_of_judged() const {
        return spec_.lag.sinks + r_.n_prompt - never_judged(r_.n_prompt, spec_.lag);
    }
    std::string counted(TextId id, std::uint64_t n) const {
        return fill(text_[id], {{"n", with_commas(n)}});
    }
    std::string by_score() const {
        return threshold_ ? fill(text_["xray.why.best"_t], {{"threshold", score_text(*threshold_)}})
                          : Text(text_["xray.why.first"_t]);
    }
    // Of a policy that judges the prompt once: what came after it was never judged.
    std::string in_prompt_by_score(std::uint32_t position) const {
        return is_in_prompt(position) ? by_score() : std::string(text_["xray.why.after"_t]);
    }

    const Texts& text_;
    const RequestView& r_;
    EvictionSpec spec_;
    bool has_dropped_;  // before the moment
    std::optional<float> threshold_;
};

std::string dropped_words(const RunView& run, const XrayDrop& drop, const Texts& text) {
    const std::string step = with_commas(drop.iteration);
    if (drop.rank && drop.threshold && !goes_by_place(policy_of(run)))
        return fill(text["xray.dropped.score"_t], {{"step", step},
                                                   {"rank", with_commas(*drop.rank + 1)},
                                                   {"all", with_commas(drop.judged)},
                                                   {"threshold", score_text(*drop.threshold)}});
    const auto name = [&](SeqId id) { return name_of_request(run.now, id); };
    return fill(text["xray.dropped"_t],
                {{"step", step}, {"reason", reason_in(text, drop.reason, name)}});
}

// The mean over the query heads that share the KV head in focus.
std::vector<double> looks_of(const AttentionPicture* picture, const RunView& run,
                             const RunFocus& focus) {
    if (picture == nullptr || picture->request != focus.request) return {};
    const std::uint32_t group = group_size(picture->n_heads, std::max(1u, run.layout.n_kv_heads));
    std::vector<double> mean(picture->n_keys());
    for (std::uint32_t h = 0; h < group; ++h) {
        const auto weights = picture->of(focus.layer, focus.kv_head * group + h);
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += static_cast<double>(weights[i]);
    }
    for (double& share : mean) share /= group;
    return mean;
}

// Where blocks are chosen: how many query heads of the KV head in focus gave a key any weight, and
// the share of a full cache's attention that went to keys that they passed over.
struct Chosen {
    std::uint32_t heads = 0;
    std::vector<std::uint32_t> readers;  // by key
    double lost = 0;
};
std::optional<Chosen> chosen_of(const RunView& run, const RunFocus& focus) {
    const AttentionPicture* picture = run.attention;
    const AttentionPicture* whole = run.full == nullptr ? nullptr : &run.full->attention;
    if (!chooses_reads(policy_of(run)) || picture == nullptr || whole == nullptr ||
        picture->request != focus.request || whole->n_keys() != picture->n_keys())
        return std::nullopt;
    Chosen chosen;
    chosen.heads = group_size(picture->n_heads, std::max(1u, run.layout.n_kv_heads));
    chosen.readers.resize(picture->n_keys());
    for (std::uint32_t h = 0; h < chosen.heads; ++h) {
        const std::uint32_t head = focus.kv_head * chosen.heads + h;
        const auto weights = picture->of(focus.layer, head), all = whole->of(focus.layer, head);
        for (std::size_t i = 0; i < chosen.readers.size(); ++i) {
            if (weights[i] > 0)
                ++chosen.readers[i];
            else
                chosen.lost += static_cast<double>(all[i]) / chosen.heads;
        }
    }
    return chosen;
}

std::string read_words(const Chosen& chosen, std::uint32_t position, const Texts& text) {
    const std::uint32_t n = chosen.readers[position];
    if (n == 0) return text["xray.why.reads.none"_t];
    return fill(text["xray.why.reads"_t],
                {{"n", with_commas(n)}, {"all", with_commas(chosen.heads)}});
}

std::optional<double> kl_of(const RunView& run, SeqId request) {
    const JudgedRow* row = row_at_cursor(run, request);
    if (row == nullptr || run.full == nullptr || run.full->logits.size() != row->logits.size() ||
        run.full->attention.position + 1 != row->seen.size())
        return std::nullopt;
    return kl_divergence(run.full->logits, row->logits);
}

}  // namespace

// The few digits that tell scores apart, though some are tiny: 2.1e-5.
std::string score_text(float score) {
    const double size = std::abs(static_cast<double>(score));
    if (size == 0 || size >= 1e-3) return significant(static_cast<double>(score), 3);
    const int power = static_cast<int>(std::floor(math::log10(size)));
    return fixed(static_cast<double>(score) / math::pow(10.0, power), 1) + "e" +
           std::to_string(power);
}

void XrayDrops::follow(const RunView& run, SeqId request) {
    if (run_ != run.id || request_ != request || lane_ != run.lane_in_focus ||
        run.trace.size() < read_)
        *this = {};
    run_ = run.id, request_ = request, lane_ = run.lane_in_focus;
    run.trace.each(read_, run.trace.size(),
                   [this](std::uint64_t n, const Event& event) { take(n, event); });
    read_ = run.trace.size();
}

void XrayDrops::take(std::uint64_t n, const Event& event) {
    const auto* drop = std::get_if<TokensDropped>(&event.what);
    if (drop == nullptr || event.request != request_ || drop->lane != lane_) return;
    if (!first_) first_ = n;
    if (drop->threshold) thresholds_.emplace_back(n, *drop->threshold);
    const auto at = [](const auto& list, std::size_t i) {
        using Item = std::decay_t<decltype(list[i])>;
        return i < list.size() ? std::optional<Item>(list[i]) : std::nullopt;
    };
    const auto judged =
        static_cast<std::uint32_t>(drop->kept - drop->spared + drop->positions.size());
    for (std::size_t i = 0; i < drop->positions.size(); ++i) {
        const std::uint32_t position = drop->positions[i];
        if (drops_.size() <= position) drops_.resize(position + std::size_t{1});
        drops_[position].push_back({.event = n,
                                    .iteration = event.iteration,
                                    .score = at(drop->scores, i),
                                    .threshold = drop->threshold,
                                    .rank = at(drop->ranks, i),
                                    .judged = judged,
                                    .reason = event.reason});
    }
}

const XrayDrop* XrayDrops::of(std::uint32_t position, std::uint64_t moment) const {
    if (position >= drops_.size()) return nullptr;
    const auto& all = drops_[position];
    const auto after = std::partition_point(
        all.begin(), all.end(), [moment](const XrayDrop& drop) { return drop.event < moment; });
    return after == all.begin() ? nullptr : &*(after - 1);
}

std::optional<float> XrayDrops::threshold_before(std::uint64_t moment) const {
    const auto after =
        std::partition_point(thresholds_.begin(), thresholds_.end(),
                             [moment](const auto& one) { return one.first < moment; });
    return after == thresholds_.begin() ? std::nullopt : std::optional((after - 1)->second);
}

Xray xray_of(const RunView& run, const RunFocus& focus, const XrayDrops& drops, const Texts& text) {
    Xray xray;
    if (focus.request.index() >= run.now.requests.size()) return xray;
    const RequestView& r = run.now.requests[focus.request.index()];
    const KeptWords kept(run, focus.request, drops, text);
    const std::vector<double> seen = looks_of(run.attention, run, focus);
    const AttentionPicture* whole = run.full == nullptr ? nullptr : &run.full->attention;
    const std::vector<double> full = looks_of(whole, run, focus);
    if (whole != nullptr && !full.empty()) xray.query = whole->position, xray.mass_lost = 0;
    xray.stored = r.stored;
    const std::optional<Chosen> chosen = chosen_of(run, focus);
    // Where blocks are chosen no token is dropped, so the loop below adds nothing to it.
    if (chosen && xray.mass_lost) xray.mass_lost = chosen->lost;
    xray.by_score = drops_tokens(policy_of(run)) && !goes_by_place(policy_of(run));
    xray.rows.reserve(r.tokens.size());
    for (std::uint32_t i = 0; i < r.tokens.size(); ++i) {
        XrayRow row;
        row.position = i, row.stored = i < r.stored;
        row.dropped = is_dropped(run.lane(), {focus.request, i});
        row.drop = row.dropped ? drops.of(i, run.moment) : nullptr;
        if (row.drop != nullptr)
            row.why = dropped_words(run, *row.drop, text);
        else if (!row.stored)
            row.why = text["xray.why.queued"_t];
        else if (chosen && i < chosen->readers.size())
            row.why = read_words(*chosen, i, text);
        else
            row.why = kept.of(i);
        if (i < seen.size()) row.seen = seen[i];
        if (i < full.size()) row.full = full[i];
        if (row.dropped && xray.mass_lost) *xray.mass_lost += row.full;
        xray.kept += row.stored && !row.dropped;
        xray.rows.push_back(std::move(row));
    }
    xray.kl = kl_of(run, focus.request);
    return xray;
}

}  // namespace kv
