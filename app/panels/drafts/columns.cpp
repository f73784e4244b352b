// A column of cells for each checked read: the model's own token at the foot, the accepted ones, a
// cross on the wrong one, dashes behind it.

#include <array>
#include <cmath>

#include "app/panels/drafts/paint.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kColumnLine = 18, kColumnKey = 20, kColumnHead = 22, kColumnScale = 22;

struct ColumnKeyPart {
    DraftPart part;
    TextId words;
};
constexpr std::array kColumnKeyParts{ColumnKeyPart{DraftPart::Own, "drafts.key.own"_t},
                                     ColumnKeyPart{DraftPart::Accepted, "drafts.accepted"_t},
                                     ColumnKeyPart{DraftPart::Struck, "drafts.struck"_t},
                                     ColumnKeyPart{DraftPart::Behind, "drafts.behind"_t}};

void paint_column_key(const DraftsPicture& s, const Painter& p, const Rect& line) {
    const Ui& ui = s.ui;
    float x = line.x, y = line.y;
    for (const ColumnKeyPart& part : kColumnKeyParts) {
        const Text words = fill(ui.text[part.words], {{"model", s.run.model_name}});
        const float w = std::ceil(text_width(ui, type::caption(ui), words));
        if (x > line.x && x + ui.px(18) + w > line.right()) x = line.x, y += line.h;
        const Rect box{x, std::round(y + line.h / 2 - ui.px(6)), ui.px(12), ui.px(12)};
        paint_draft_part(s, p, box, part.part);
        text_in(p, type::caption(ui), {box.right() + ui.px(6), y, 0, line.h}, words);
        x = box.right() + ui.px(6) + w + ui.px(14);
    }
}

void paint_read_column(const DraftsPicture& s, const Painter& p, const RunDraft& draft,
                       const Rect& foot, float cell_h, bool last) {
    const Ui& ui = s.ui;
    float y = foot.y;
    for (const DraftPart part : parts_of(draft)) {
        y -= cell_h;
        paint_draft_part(
            s, p, {foot.x + ui.px(1), y + ui.px(1), foot.w - ui.px(2), cell_h - ui.px(2)}, part);
    }
    const TextStyle number = aligned(
        with_font(type::tick_label(ui), last ? ui.fonts.mono_bold : ui.fonts.mono), Align::Center);
    if (text_width(ui, number, with_commas(draft.iteration)) <= foot.w)
        text_in(p, number, {foot.x, foot.y, foot.w, ui.px(kColumnLine)},
                with_commas(draft.iteration));
}

}  // namespace

void paint_draft_part(const DraftsPicture& s, const Painter& p, const Rect& cell, DraftPart part) {
    const Palette& colors = s.ui.colors;
    const float mark = std::min(cell.w, cell.h) / s.ui.unit * 0.5f;
    switch (part) {
        case DraftPart::Own:
            return outline(p, cell, colors.focus, 2, 1.8f);
        case DraftPart::Accepted:
            fill(p, cell, s.hue.fill, 2);
            if (const auto edge = needed_outline(colors, s.hue.fill)) outline(p, cell, *edge, 2);
            return;
        case DraftPart::Struck:
            outline(p, cell, colors.loss.ink, 2, 1.4f);
            return cross_mark(p, cell.center(), mark, colors.loss.ink);
        case DraftPart::Behind:
            return dashed_outline(p, cell, colors.loss.ink, 2);
    }
}

void paint_draft_columns(const DraftsPicture& s, const Rect& room) {
    const Ui& ui = s.ui;
    const Painter p(ui);
    const std::array head{Run{type::section(ui), ui.text["drafts.columns"_t]},
                          Run{type::caption(ui), ui.text["drafts.columns.unit"_t], 8}};
    runs_in(p, head, {room.x, room.y, room.w, ui.px(kColumnHead)});
    const float top = room.y + ui.px(kColumnHead + kColumnLine),
                left = room.x + ui.px(kColumnScale);
    const float foot = room.bottom() - ui.px(2 * kColumnKey + kColumnLine);
    const DraftColumns plan = plan_columns(s.drafts, room.right() - left, foot - top, ui.unit);
    const TextStyle scale = aligned(type::tick_label(ui), Align::Right);
    for (std::uint32_t n = 0; n <= plan.most; ++n) {
        const float y = foot - static_cast<float>(n) * plan.cell_h;
        hline(p, left, room.right(), std::round(y), ui.colors.line);
        if (plan.cell_h >= ui.px(11) || n == 0 || n == plan.most)
            text_in(p, scale, {room.x, y - ui.px(8), ui.px(kColumnScale - 6), ui.px(16)},
                    with_commas(n));
    }
    const float high = foot - static_cast<float>(plan.most) * plan.cell_h;
    for (std::size_t i = 0; i < plan.count; ++i) {
        const RunDraft& draft = s.drafts[plan.first + i];
        const Rect column{left + static_cast<float>(i) * plan.pitch, foot, plan.pitch, 0};
        const bool last = i + 1 == plan.count;
        paint_read_column(s, p, draft, column, plan.cell_h, last);
        const TextStyle number =
            aligned(sized(with_font(type::number(ui), ui.fonts.mono_bold), 12), Align::Center);
        text_in(p, number, {column.x, high - ui.px(kColumnLine), column.w, ui.px(kColumnLine)},
                with_commas(draft.tokens));
    }
    paint_column_key(s, p,
                     {room.x, room.bottom() - ui.px(2 * kColumnKey), room.w, ui.px(kColumnKey)});
}

}  // namespace kv
