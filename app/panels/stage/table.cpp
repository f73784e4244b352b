// The entries of the table of the request in focus: logical block, arrow, physical block.

#include <cmath>
#include <string>

#include "app/panels/stage/paint.hpp"
#include "app/shell/drawn_parts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void paint_physical(const StagePicture& s, const Painter& p, const StageRow& row, const Rect& box) {
    const Ui& ui = s.ui;
    const Palette& colors = ui.colors;
    const auto block = s.entry(s.focus.request, row.entry);
    const TextStyle style{ui.fonts.mono_bold, 14, colors.text, Align::Center};
    if (!block) {
        const auto host = s.own.facts.host_place(s.focus.request, row.entry);
        if (host) hatch(p, box, colors.line);
        dashed_outline(p, box, colors.text3, 4);
        return text_that_fits(p, colored(style, colors.text3), box,
                              host ? Text("H" + std::to_string(*host)) : Text("–"));
    }
    const Hue hue = s.hue(s.focus.request);
    const bool shared = s.is_shared(*block);
    fill(p, box, shared ? colors.pressed_wash() : colors.wash_of(hue), 4);
    outline(p, box, shared ? colors.shared : hue.ink, 4);
    if (shared) outline(p, box.inset(ui.px(3)), colors.shared, 2);
    text_that_fits(p, style, box, with_commas(block->value));
}

void paint_logical(const StagePicture& s, const Painter& p, const StageRow& row, const Rect& box,
                   bool strong) {
    const Ui& ui = s.ui;
    const Rect physical = s.on_screen(s.plan.physical(row));
    const Color ink = strong ? ui.colors.focus : ui.colors.text3;
    const float y = std::floor(box.center().y);
    const TextStyle style{ui.fonts.mono, s.plan.learn ? 14.0f : 13.0f, ui.colors.text2,
                          Align::Center};
    text_that_fits(p, style, box, with_commas(row.entry));
    if (!s.plan.learn)
        return hline(p, box.right() + ui.px(3), physical.x - ui.px(3), y, ink,
                     strong ? 2.0f : 1.0f);
    outline(p, box, ui.colors.edge, 4);
    arrow(p, {box.right(), y + 0.5f}, {physical.x - 1, y + 0.5f}, ink, strong ? 2.0f : 1.4f);
}

}  // namespace

void paint_table_entry(const StagePicture& s, const Painter& p, const StageRow& row) {
    const auto block = s.entry(s.focus.request, row.entry);
    const auto inspected = s.inspected();
    const bool strong = inspected && s.row_of(*inspected) == row.entry;
    const Rect physical = s.on_screen(s.plan.physical(row));
    paint_row_bracket(s, p, row, strong);
    paint_logical(s, p, row, s.on_screen(s.plan.logical(row)), strong);
    paint_physical(s, p, row, physical);
    tell_part(s.ui, {PartKind::Entry, row.entry}, physical);
    if (!block) return;
    const auto& pointed = s.focus.pointed;
    const bool by_token = pointed.token && pointed.token->request == s.focus.request &&
                          s.row_of(pointed.token->position) == row.entry;
    if (by_token || pointed.block == *block) hover_ring(p, physical, 4);
    if (s.selected_block() == *block) brackets(p, physical.inset(s.ui.px(2)), s.ui.colors.focus);
}

}  // namespace kv
