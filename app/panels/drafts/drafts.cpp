#include "app/panels/drafts/drafts.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/bill/panels.hpp"
#include "app/panels/drafts/paint.hpp"

namespace kv {
namespace {

constexpr float kDraftPartNumbersW = 248, kDraftPartExpectedW = 280, kDraftPartGap = 24,
                kDraftPartLeastColumns = 160;

// Three parts beside each other, two over a third, or all under each other, as there is width.
void paint_draft_parts(const DraftsPicture& s, const Rect& room) {
    const Ui& ui = s.ui;
    const float numbers = ui.px(kDraftPartNumbersW), expected = ui.px(kDraftPartExpectedW),
                gap = ui.px(kDraftPartGap);
    const float columns = ui.px(kDraftPartLeastColumns);
    float bottom = 0;
    if (room.w >= numbers + expected + columns + 2 * gap) {
        const float h = std::max(room.h, ui.px(kExpectedH));
        paint_draft_numbers(s, {room.x, room.y, numbers, h});
        const float x = room.x + numbers + gap, right = room.right() - expected;
        paint_draft_columns(s, {x, room.y, right - gap - x, std::min(h, ui.px(kExpectedH))});
        paint_expected(s, {right, room.y, expected, h});
        bottom = ui.px(kExpectedH);
    } else if (room.w >= numbers + columns + gap) {
        const float h = ui.px(kNumbersH), x = room.x + numbers + gap;
        paint_draft_numbers(s, {room.x, room.y, numbers, h});
        paint_draft_columns(s, {x, room.y, room.right() - x, ui.px(kColumnsH)});
        const float y = room.y + h + gap;
        paint_expected(s, {room.x, y, std::min(room.w, 1.5f * expected), ui.px(kExpectedH)});
        bottom = h + gap + ui.px(kExpectedH);
    } else {
        float y = room.y;
        paint_draft_columns(s, {room.x, y, room.w, ui.px(kColumnsH)});
        y += ui.px(kColumnsH) + gap;
        paint_draft_numbers(s, {room.x, y, room.w, ui.px(kNumbersH)});
        y += ui.px(kNumbersH) + gap;
        paint_expected(s, {room.x, y, room.w, ui.px(kExpectedH)});
        bottom = y + ui.px(kExpectedH) - room.y;
    }
    ImGui::Dummy({room.w, bottom});
}

}  // namespace

void draw_drafts(const Ui& ui, const RunView& run, const RunFocus& focus, const RunHistory& history,
                 const BillInputs& bill) {
    List<RunDraft> drafts = drafts_of(run, history, focus.request);
    if (drafts.empty()) {
        const bool on = drafts_are_on(run) || !run.has_engine;
        return draw_empty_words(ui, on ? "drafts.waits"_t : "drafts.off"_t,
                                on ? "drafts.waits.why"_t : "drafts.off.why"_t);
    }
    const DraftSums sums = sum_drafts(run, drafts);
    const std::uint64_t k = usual_k(run, drafts);
    const DraftsPicture s{ui,
                          run,
                          focus.request,
                          std::move(drafts),
                          sums,
                          draft_times(run, history),
                          k,
                          run.now.requests[focus.request.index()].stored,
                          request_hue(ui.colors, tag_of(run.now, focus.request).index),
                          bill};
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    paint_draft_parts(s,
                      {std::floor(at.x), std::floor(at.y), std::floor(room.x), std::floor(room.y)});
}

}  // namespace kv
