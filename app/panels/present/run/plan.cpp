#include "app/panels/present/run/plan.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/present/layout.hpp"

namespace kv {
namespace {

constexpr float kTop = 84, kRowsEnd = 326, kPoolHead = 330, kBand = 370, kPoolTop = 398,
                kPoolEnd = 790;

// The rows of the Stage, at the larger density.
void place_rows(PresentRunPlan& plan, const PresentRunNeeds& needs, float width, float height) {
    const float unit = plan.unit * kPresentTokens;
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    StagePlan& s = plan.stage;
    s.learn = true;  // the density that says where each row begins
    const float head = px(20), pitch = px(32), quiet = px(18);
    const auto fit = [&](float room) {
        return static_cast<std::uint32_t>(std::max(0.0f, room) / std::max(1.0f, pitch));
    };
    s.shown = rows_shown(needs.n_rows, fit(height - head), fit(height - head - 2 * quiet),
                         needs.anchor, 0);
    s.track_pitch = px(5);
    s.n_tracks = std::max(1u, s.shown.count());
    const float right = std::floor(width - px(9) - s.track_pitch * static_cast<float>(s.n_tracks));
    s.first_track = right + px(9);
    s.physical_w = px(41), s.logical_w = px(24), s.entry_h = px(26);
    s.physical_x = right - s.physical_w;
    s.logical_x = s.physical_x - px(18) - s.logical_w;
    const float left = px(46), end = s.logical_x - px(12);
    const auto n = static_cast<float>(std::max(1u, needs.block_size));
    s.chip_pitch = std::clamp((end - left) / n, 1.0f, px(96));
    s.chip_w = std::max(1.0f, s.chip_pitch - px(2));
    s.chip_h = px(28), s.row_pitch = pitch;
    s.chips = {left, head, std::round(n * s.chip_pitch), 0};
    s.offsets = {0, 0, right, head};
    float y = head;
    const auto rows = [&](std::uint32_t begin, std::uint32_t last) {
        for (std::uint32_t entry = begin; entry < last; ++entry, y += pitch)
            s.rows.push_back({y, entry, 0});
    };
    const auto left_out = [&](std::uint32_t count) {
        if (count == 0) return;
        s.rows.push_back({y, 0, count});
        y += quiet;
    };
    if (s.shown.first_apart) rows(0, 1);
    left_out(s.shown.above);
    rows(s.shown.begin, s.shown.end);
    left_out(s.shown.below);
    s.chips.h = y - head;
}

}  // namespace

PresentRunPlan plan_present_run(const Rect& room, const PresentRunNeeds& needs) {
    PresentRunPlan plan;
    plan.unit = std::max(0.01f, std::min(room.w / kPresentWidth, room.h / kPresentHeight));
    const float w = room.w / plan.unit, h = room.h / plan.unit;
    const float inner = w - 2 * kPresentMargin, low = h - kPresentHeight,
                right = w - kPresentMargin;
    const auto at = [&](float x) { return std::round(x * plan.unit); };
    const auto place = [&](float x, float y, float width, float height) {
        const float x0 = room.x + at(x), y0 = room.y + at(y);
        return Rect{x0, y0, room.x + at(x + width) - x0, room.y + at(y + height) - y0};
    };
    plan.title = place(kPresentMargin, 20, inner, 44);
    const Rect tokens = place(kPresentMargin, kTop, w - kPresentMargin - 16, kRowsEnd - kTop);
    plan.origin = {tokens.x, tokens.y};
    place_rows(plan, needs, tokens.w, tokens.h);
    plan.band_y = room.y + at(kBand), plan.band_pitch = std::max(3.0f, at(6));
    const float pool_w = std::floor(inner * 0.627f);
    plan.pool_head = place(kPresentMargin, kPoolHead, pool_w, 34);
    plan.pool = place(kPresentMargin, kPoolTop, pool_w, kPoolEnd - kPoolTop + low);
    const float chart_x = kPresentMargin + pool_w + 56;
    plan.chart = place(chart_x, kPoolTop, right - chart_x, kPoolEnd - kPoolTop + low);
    plan.rule_y = room.y + at(820 + low);
    plan.caption = place(kPresentMargin, 840 + low, inner - 260, 72);
    plan.page = place(right - 260, 840 + low, 260, 72);
    plan.buttons = place(right - 480, 974 + low, 480, 58);
    plan.prose = place(kPresentMargin, 921 + low, inner - 440, 138);
    return plan;
}

List<Vec2> present_line(const PresentRunPlan& plan, const Rect& entry, const Rect& cell, float gap,
                        std::size_t place, std::size_t beside) {
    const auto n = static_cast<float>(place);
    const float tracks = static_cast<float>(plan.stage.n_tracks);
    // Lines that leave higher stand further right and lower in the band, so that none crosses
    // another one where it turns.
    const float x = std::round(plan.origin.x + plan.stage.first_track +
                               (tracks - 1 - n) * plan.stage.track_pitch);
    const float y = std::round(plan.band_y + (tracks - 1 - n) * plan.band_pitch);
    const float left =
        std::round(cell.x - gap / 2 - static_cast<float>(beside) * std::max(2.0f, gap / 4));
    const float middle = std::round(cell.center().y);
    const float from = std::round(entry.center().y);
    return {{entry.right(), from}, {x, from}, {x, y}, {left, y}, {left, middle}, {cell.x, middle}};
}

}  // namespace kv
