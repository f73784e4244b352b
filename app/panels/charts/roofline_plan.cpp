#include "app/panels/charts/roofline_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "app/panels/charts/equation_plan.hpp"
#include "app/panels/view/facts.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

constexpr double kGiga = 1e9, kTera = 1e12;
constexpr double kLeastRange = 64;                        // FLOP/B: so far the axis goes at least
constexpr std::array<u64, 5> kDraftRings{0, 1, 2, 4, 8};  // proposals that are compared

Text rate_number(double value) {
    Text text = group_thousands(significant(value, 3));
    if (text.find(".") == std::string_view::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

// The events count what each query reads for itself. The queries of one request share their keys,
// so of a step with several of them only the part counts that is read once.
AttentionDone attention_in(const RunHistory& history, std::uint32_t iteration) {
    const RunAttention of = history.attention(iteration);
    AttentionDone done{iteration, of.flops, of.bytes_read, of.us, history.has_prefill(iteration)};
    const double by_query = static_cast<double>(history.keys_by_query(iteration)),
                 by_request = static_cast<double>(history.keys_by_request(iteration));
    if (done.prefill && by_query > 0) done.bytes *= by_request / by_query;
    const auto drafts = history.drafts();
    const auto draft = std::find_if(drafts.begin(), drafts.end(),
                                    [&](const RunDraft& d) { return d.iteration == iteration; });
    if (draft != drafts.end()) done.k = draft->k, done.first_keys = draft->first_keys;
    return done;
}

class RoofPlanner {
public:
    RoofPlanner(const RunView& run, const AttentionNow& now, const Texts& text)
        : run_(run), now_(now), text_(text) {}

    RunRoofline plan() {
        if (timed() || modelled()) {
            const BillInputs card;
            out_.bandwidth = timed() ? run_.roofs.bytes_per_second : card.bandwidth;
            out_.peak = timed() ? run_.roofs.flops_per_second : card.flops;
            out_.ridge = out_.peak / out_.bandwidth;
            out_.memory = fill(text_["roofline.memory"_t], {{"rate", rate_text(out_.bandwidth)}});
            out_.compute = fill(text_["roofline.compute"_t], {{"rate", flops_text(out_.peak)}});
        }
        add_rings();
        out_.decode = point_of(now_.decode);
        out_.prefill = point_of(now_.prefill);
        set_range();
        add_marks();
        add_words();
        return std::move(out_);
    }

private:
    bool timed() const { return run_.roofs.state == MachineRoofs::State::Measured; }
    // Nobody asked for a measurement (a picture holds no times), so the roofs are those of the card
    // that a new bill has.
    bool modelled() const { return run_.roofs.state == MachineRoofs::State::NotAsked; }
    bool has_roofs() const { return out_.peak > 0; }
    double attainable(double intensity) const {
        return has_roofs() ? attainable_flops(intensity, out_.peak, out_.bandwidth) : 0;
    }

    void add_rings() {
        const double flops =
            2.0 * static_cast<double>(run_.model.n_heads) * (run_.layout.k.dim + run_.layout.v.dim);
        if (now_.decode && now_.decode->k > 0) return add_draft_rings(flops);
        for (const u64 heads : compared_kv_heads(run_)) {
            AttentionOption option;
            option.kv_heads = heads;
            option.kind = heads == run_.model.n_heads ? AttentionKind::Mha
                          : heads == 1                ? AttentionKind::Mqa
                                                      : AttentionKind::Gqa;
            const double bytes =
                static_cast<double>(heads) * (run_.layout.k.bytes + run_.layout.v.bytes);
            RoofPoint ring{.label = attention_label(option, text_),
                           .intensity = flops / bytes,
                           .current = heads == run_.layout.n_kv_heads};
            ring.flops = attainable(ring.intensity);
            out_.rings.push_back(std::move(ring));
        }
        sort_rings();
    }

    // The same read, shared by more queries: the point moves to the right as k grows.
    void add_draft_rings(double flops) {
        const double bytes = static_cast<double>(run_.layout.n_kv_heads) *
                             (run_.layout.k.bytes + run_.layout.v.bytes);
        List<u64> all(kDraftRings.begin(), kDraftRings.end());
        if (std::find(all.begin(), all.end(), now_.decode->k) == all.end())
            all.push_back(now_.decode->k);
        for (const u64 k : all) {
            RoofPoint ring{.label = fill(text_["run_roofline.k"_t], {{"k", with_commas(k)}}),
                           .intensity = flops / bytes * queries_share(now_.decode->first_keys, k),
                           .current = k == now_.decode->k};
            ring.flops = attainable(ring.intensity);
            out_.rings.push_back(std::move(ring));
        }
        sort_rings();
    }

    void sort_rings() {
        std::sort(out_.rings.begin(), out_.rings.end(),
                  [](const auto& a, const auto& b) { return a.intensity < b.intensity; });
        for (std::size_t i = 0; i + 1 < out_.rings.size(); ++i)
            out_.rings[i].label_above =
                out_.rings[i + 1].intensity < kCloseLabels * out_.rings[i].intensity;
    }

    std::optional<RoofPoint> point_of(const std::optional<AttentionDone>& done) const {
        if (!done || done->intensity() <= 0) return std::nullopt;
        const bool is_last = now_.last() == &*done;
        const double rate = timed() ? done->rate() : attainable(done->intensity());
        const TextId name = done->prefill ? "run_roofline.prefill"_t
                            : is_last     ? "run_roofline.now"_t
                                          : "run_roofline.decode"_t;
        return RoofPoint{.label = Text(text_[name]),
                         .intensity = done->intensity(),
                         .flops = rate,
                         .current = is_last};
    }

    // From the power of two below all points to the one above, and one more on each side; upwards
    // from a power of ten to half of one. Twice the ridge is in it, so that the flat roof is seen.
    void set_range() {
        double least = out_.rings.front().intensity, most = std::max(kLeastRange, 2 * out_.ridge);
        double low = out_.bandwidth * least, high = out_.peak;
        for (const auto& point : {out_.decode, out_.prefill}) {
            if (!point) continue;
            least = std::min(least, point->intensity), most = std::max(most, point->intensity);
            if (point->flops <= 0) continue;
            low = std::min(low, point->flops), high = std::max(high, point->flops);
        }
        out_.min_x = math::exp2(std::floor(math::log2(least)) - 1);
        out_.max_x = math::exp2(std::ceil(math::log2(most)) + 1);
        if (!has_roofs()) return;
        out_.min_y = math::pow(10, std::floor(math::log10(std::max(1.0, low))));
        out_.max_y = math::pow(10, std::ceil(2 * math::log10(high * 1.5)) / 2);
    }

    void add_marks() {
        for (const double at : power_ticks(out_.min_x, out_.max_x / 1.5, 4))
            out_.x_marks.push_back({at, rate_number(at), false});
        for (const double at : power_ticks(out_.min_y, out_.max_y, 10))
            out_.y_marks.push_back({at, has_roofs() ? rate_number(at / unit()) : Text(), false});
        out_.unit = text_[unit() > kGiga ? "run_roofline.unit.tera"_t : "run_roofline.unit"_t];
        for (std::optional<RoofPoint>* point : {&out_.decode, &out_.prefill})
            if (timed() && *point && (*point)->flops > 0)
                (*point)->label = fill(
                    text_["run_roofline.at"_t],
                    {{"name", (*point)->label}, {"rate", rate_number((*point)->flops / unit())}});
    }

    // The unit of rates: a card is so far above this machine that both need their own.
    double unit() const { return out_.min_y >= kTera ? kTera : kGiga; }

    void add_words() {
        using State = MachineRoofs::State;
        const AttentionDone* last = now_.last();
        if (last == nullptr) {
            out_.sentence = text_["run_roofline.none"_t];
        } else {
            const bool with_rate = timed() && last->us > 0;
            out_.sentence = fill(text_[with_rate ? "run_roofline.did"_t : "run_roofline.counted"_t],
                                 {{"step", with_commas(last->iteration)},
                                  {"flop", group_thousands(fixed(last->flops, 0))},
                                  {"bytes", bytes_binary(static_cast<u64>(last->bytes))},
                                  {"n", rate_number(last->intensity())},
                                  {"us", group_thousands(fixed(last->us, 0))}});
        }
        out_.state = text_[run_.roofs.state == State::NotAsked    ? "run_roofline.not_asked"_t
                           : run_.roofs.state == State::Measuring ? "run_roofline.measuring"_t
                           : last != nullptr && last->us <= 0     ? "run_roofline.no_times"_t
                           : run_.roofs.threads == 0              ? "run_roofline.measured_gpu"_t
                                                                  : "run_roofline.measured"_t];
        if (run_.roofs.state == State::Measured)
            out_.state = fill(out_.state, {{"n", with_commas(run_.roofs.threads)}});
    }

    const RunView& run_;
    const AttentionNow& now_;
    const Texts& text_;
    RunRoofline out_;
};

}  // namespace

// The k + 1 queries see first, first + 1, ... first + k keys: (k + 1) first + k (k + 1) / 2 in all.
// The longest of these stretches holds the others, so the pass reads first + k.
double queries_share(std::uint64_t first_keys, std::uint64_t k) {
    const double first = static_cast<double>(first_keys), more = static_cast<double>(k);
    return first > 0 ? ((more + 1) * first + more * (more + 1) / 2) / (first + more) : 1;
}

const AttentionDone* AttentionNow::last() const {
    if (decode && (!prefill || decode->iteration > prefill->iteration)) return &*decode;
    return prefill ? &*prefill : nullptr;
}

AttentionNow attention_now(const RunView& run, const RunHistory& history) {
    AttentionNow now;
    const auto after =
        std::upper_bound(run.samples.begin(), run.samples.end(), run.moment,
                         [](std::uint64_t moment, const Sample& s) { return moment < s.moment; });
    for (auto i = static_cast<std::size_t>(after - run.samples.begin()); i-- > 0;) {
        auto& place = history.has_prefill(run.samples[i].iteration) ? now.prefill : now.decode;
        if (!place) place = attention_in(history, run.samples[i].iteration);
        if (now.prefill && now.decode) break;
    }
    return now;
}

RunRoofline plan_run_roofline(const RunView& run, const AttentionNow& now, const Texts& text) {
    return RoofPlanner(run, now, text).plan();
}

}  // namespace kv
