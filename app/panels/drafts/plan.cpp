#include "app/panels/drafts/plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "app/panels/view/real.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/time/drafts.hpp"

namespace kv {
namespace {

constexpr float kDraftColumnLeastPitch = 14, kDraftColumnWidestPitch = 40,
                kDraftColumnHighestCell = 30;

double share_of_drafts(std::uint64_t part, std::uint64_t of) {
    return of == 0 ? 0 : real(part) / real(of);
}

// What the draft model reads of its own cache: its passes see a key more each. Its weights are left
// out, as the target's are.
std::uint64_t drafter_kv_bytes(const RunView& run, const RunDraft& draft, std::uint64_t lanes) {
    if (draft.drafter_bytes == 0 || !run.now.drafter) return 0;
    const std::uint64_t slots = std::max(1u, run.now.drafter->block_size);
    const std::uint64_t keys = draft.first_keys / lanes;
    const std::uint64_t k = draft.k;
    return (k * keys + k * (k - 1) / 2) * run.now.drafter->block_bytes / slots;
}

std::string_view draft_setting(const RunView& run) {
    const auto found = run.settings.find("draft");
    return found == run.settings.end() ? std::string_view("off") : std::string_view(found->second);
}

}  // namespace

double DraftSums::per_read() const {
    return share_of_drafts(tokens, reads);
}
double DraftSums::acceptance() const {
    return measured_acceptance(accepted, struck);
}
double DraftSums::bytes_per_token() const {
    return share_of_drafts(bytes, tokens);
}
double DraftSums::without_per_token() const {
    return share_of_drafts(without, tokens);
}

List<RunDraft> drafts_of(const RunView& run, const RunHistory& history, SeqId request) {
    List<RunDraft> drafts;
    for (const RunDraft& draft : history.drafts()) {
        if (draft.event >= run.moment) break;
        if (draft.request == request) drafts.push_back(draft);
    }
    return drafts;
}

DraftSums sum_drafts(const RunView& run, std::span<const RunDraft> drafts) {
    DraftSums sums;
    for (const RunDraft& draft : drafts) {
        const TokenSize size = knows_bytes(run.layout) ? measure_at(run, draft.event) : TokenSize{};
        const std::uint64_t lanes = size.slot == 0 ? run.lanes.n_lanes() : size.token / size.slot;
        ++sums.reads;
        sums.proposed += draft.k, sums.accepted += draft.accepted;
        sums.struck += draft.struck, sums.behind += draft.behind;
        sums.tokens += draft.tokens;
        sums.bytes += draft.keys_read * size.slot + drafter_kv_bytes(run, draft, lanes);
        // One by one, each of them sees a key more than the one before it.
        for (std::uint64_t i = 0; i < draft.tokens; ++i)
            sums.without += (draft.first_keys + i * lanes) * size.slot;
    }
    return sums;
}

DraftTimes draft_times(const RunView& run, const RunHistory& history) {
    double with_us = 0, without_us = 0;
    std::uint64_t with = 0, without = 0;
    for (const Sample& sample : run.samples) {
        if (sample.moment > run.moment) break;
        if (history.has_prefill(sample.iteration) || sample.step.new_tokens == 0) continue;
        const double us = history.times(sample.iteration).us;
        const bool drafted = sample.step.drafts > 0;
        (drafted ? with_us : without_us) += us;
        (drafted ? with : without) += sample.step.new_tokens;
    }
    return {with == 0 ? 0 : with_us / real(with), without == 0 ? 0 : without_us / real(without)};
}

bool drafts_are_on(const RunView& run) {
    return draft_setting(run) != "off";
}

std::uint64_t usual_k(const RunView& run, std::span<const RunDraft> drafts) {
    const std::string_view written = draft_setting(run);
    std::string why;
    if (const std::size_t at = written.find("k="); at != std::string_view::npos)
        if (const auto k = parse_whole(written.substr(at + 2), 1, 1u << 20, why)) return *k;
    std::uint32_t longest = 0;
    for (const RunDraft& draft : drafts) longest = std::max(longest, draft.k);
    return longest;
}

List<DraftPart> parts_of(const RunDraft& draft) {
    List<DraftPart> parts;
    if (draft.tokens > draft.accepted) parts.push_back(DraftPart::Own);
    for (std::uint32_t i = 0; i < draft.accepted; ++i) parts.push_back(DraftPart::Accepted);
    for (std::uint32_t i = 0; i < draft.struck; ++i) parts.push_back(DraftPart::Struck);
    for (std::uint32_t i = 0; i < draft.behind; ++i) parts.push_back(DraftPart::Behind);
    return parts;
}

DraftColumns plan_columns(std::span<const RunDraft> drafts, float width, float height, float unit) {
    DraftColumns plan;
    if (drafts.empty()) return plan;
    const auto room =
        static_cast<std::size_t>(std::max(0.0f, width) / (kDraftColumnLeastPitch * unit));
    plan.count = std::min(drafts.size(), std::max<std::size_t>(1, room));
    plan.first = drafts.size() - plan.count;
    for (const RunDraft& draft : drafts.subspan(plan.first))
        plan.most = std::max(plan.most, draft.k + 1);
    plan.pitch = std::min(std::floor(width / static_cast<float>(plan.count)),
                          kDraftColumnWidestPitch * unit);
    plan.cell_h = std::max(1.0f, std::min(std::floor(height / static_cast<float>(plan.most)),
                                          kDraftColumnHighestCell * unit));
    return plan;
}

}  // namespace kv
