#include "app/panels/stage/plan/draft.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr float kBoxPad = 12, kBoxHead = 24, kBoxNames = 168, kBoxReads = 118, kBoxChip = 28;
constexpr float kBoxNarrowNames = 132, kBoxNarrowReads = 96, kBoxNarrow = 560;
constexpr float kBoxLeastColumn = 46, kBoxWidestColumn = 170, kBoxChipShare = 0.66f;

Verdict verdict_of(const DraftView& draft, std::uint32_t i) {
    if (!draft.verified) return Verdict::Proposed;
    if (i < draft.accepted) return Verdict::Accepted;
    return i == draft.accepted && draft.struck > 0 ? Verdict::Struck : Verdict::Behind;
}

// What making it took stands in the event that told of it, some events before the cursor.
void add_reads(DraftShown& shown, const RunView& run) {
    for (std::uint64_t n = std::min(run.moment, run.trace.size()); n-- > 0;) {
        const Event event = run.trace.event(n);
        if (event.request != shown.request) continue;
        const auto* proposed = std::get_if<DraftProposed>(&event.what);
        if (proposed == nullptr) continue;
        shown.passes = proposed->passes;
        if (!run.now.drafter || proposed->passes == 0) return;
        // Bytes of keys and values: each pass sees a key more. Weights are left out in all rows.
        const std::uint64_t k = shown.k(), first = proposed->first;
        shown.drafter_bytes = (k * first + k * (k - 1) / 2) * run.now.drafter->block_bytes /
                              std::max(1u, run.now.drafter->block_size);
        return;
    }
}

}  // namespace

std::optional<DraftShown> draft_shown(const RunView& run, SeqId request) {
    if (!is_known(run.now, request)) return std::nullopt;
    const RequestView& r = run.now.requests[request.index()];
    if (!r.draft || r.draft->tokens.empty()) return std::nullopt;
    const DraftView& draft = *r.draft;
    DraftShown shown{.request = request,
                     .source = Text(draft.source),
                     .from = draft.from,
                     .cells = {},
                     .verified = draft.verified,
                     .accepted = draft.accepted,
                     .struck = draft.struck,
                     .behind = draft.behind,
                     .own = draft.own};
    for (std::uint32_t i = 0; i < draft.tokens.size(); ++i)
        shown.cells.push_back({draft.first + i, draft.tokens[i], verdict_of(draft, i)});
    // The query before them sees all up to itself; each proposal adds its own key.
    const std::uint64_t seen =
        keys_seen(policy_of(run), draft.first - 1, dropped_in(run.lane(), request));
    shown.keys_read = seen + shown.cells.size();
    if (knows_bytes(run.layout)) shown.bytes_read = shown.keys_read * bytes_per_token(run.layout);
    add_reads(shown, run);
    return shown;
}

const std::optional<DraftShown>& DraftFacts::follow(const RunView& run, SeqId request) {
    if (run_ == run.id && moment_ == run.moment && size_ == run.trace.size() && request_ == request)
        return shown_;
    run_ = run.id, moment_ = run.moment, size_ = run.trace.size(), request_ = request;
    shown_ = draft_shown(run, request);
    return shown_;
}

List<SentencePiece> draft_sentence(const Snapshot& now, const DraftShown& draft,
                                   const Texts& text) {
    return pieces(text[draft.verified ? "stage.draft.judged"_t : "stage.draft.proposes"_t],
                  {{"step", with_commas(now.iteration)},
                   {"source", draft.source},
                   {"request", name_of_request(now, draft.request)},
                   {"k", with_commas(draft.k())},
                   {"accepted", with_commas(draft.accepted)},
                   {"tokens", with_commas(draft.tokens())}});
}

DraftBoxPlan plan_draft_box(const Rect& room, float unit, std::uint32_t n_columns) {
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    DraftBoxPlan plan;
    const bool narrow = room.w < px(kBoxNarrow);
    plan.box = room;
    plan.head_y = room.y + px(4), plan.head_h = px(kBoxHead);
    plan.row_h = std::floor((room.h - px(4) - plan.head_h - px(4)) / 3);
    plan.names_x = room.x + px(kBoxPad), plan.names_w = px(narrow ? kBoxNarrowNames : kBoxNames);
    plan.reads_w = px(narrow ? kBoxNarrowReads : kBoxReads);
    plan.reads_x = room.right() - px(kBoxPad) - plan.reads_w;
    plan.cells_x = plan.names_x + plan.names_w;
    const float width = std::max(0.0f, plan.reads_x - px(8) - plan.cells_x);
    const auto most = static_cast<std::uint32_t>(width / px(kBoxLeastColumn));
    plan.n_columns = std::min(n_columns, std::max(1u, most));
    plan.left_out = n_columns - plan.n_columns;
    const auto n = static_cast<float>(std::max(1u, plan.n_columns));
    plan.pitch = std::min(px(kBoxWidestColumn), std::floor(width / n));
    plan.chip_h = std::min(px(kBoxChip), plan.row_h - px(6));
    return plan;
}

Rect DraftBoxPlan::column(std::uint32_t i) const {
    return {cells_x + static_cast<float>(i) * pitch, head_y, pitch, head_h};
}

// In the row of what is kept, a struck proposal shares its column with what the model says instead.
Rect DraftBoxPlan::chip(std::uint32_t row, std::uint32_t i) const {
    const float w = std::round(pitch * kBoxChipShare);
    const Rect at = column(i);
    return {std::round(at.x + (pitch - w) / 2), row_y(row) + std::round((row_h - chip_h) / 2), w,
            chip_h};
}

}  // namespace kv
