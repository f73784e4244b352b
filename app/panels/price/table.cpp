// The table of Price: one row for each codec and policy.

#include <algorithm>
#include <cmath>

#include "app/panels/bill/calculator/parts.hpp"
#include "app/panels/price/paint.hpp"
#include "app/widgets/edge_list.hpp"

namespace kv {
namespace {

constexpr float kNameMark = 18;  // room for the mark before a name

struct PriceColumns {
    const Ui& ui;
    PriceTableWidths widths;  // pixels
    Rect cell(const Rect& row, std::size_t i) const {
        const float x = row.x + widths.name + widths.column * static_cast<float>(i);
        return {x, row.y, widths.column, row.h};
    }
};

PriceColumns price_columns(const Ui& ui, float width) {
    const PriceTableWidths logical = price_table_widths(width / ui.unit);
    const float column = std::floor(logical.column * ui.unit);
    return {ui, {logical.columns, width - column * static_cast<float>(logical.columns), column}};
}

void paint_head(const Painter& p, const PriceColumns& columns, const Rect& r) {
    const Ui& ui = p.ui;
    const TextStyle unit = aligned(type::tick_label(ui), Align::Right);
    const float half = std::floor(r.h / 2);
    text_in(p, type::caption(ui),
            {r.x + ui.px(kNameMark), r.y, columns.widths.name - ui.px(kNameMark), half},
            ui.text["price.what"_t]);
    for (std::size_t i = 0; i < columns.widths.columns; ++i) {
        const auto column = static_cast<PriceColumn>(i);
        const Rect cell = columns.cell(r, i);
        const float over = ui.px(6);  // into the room that the title before it leaves
        text_in(p, aligned(type::caption(ui), Align::Right),
                {cell.x - over, cell.y, cell.w + over, half}, ui.text[title_of(column)]);
        text_in(p, unit, {cell.x, cell.y + half - ui.px(2), cell.w, r.h - half},
                unit_of_column(column));
    }
}

void paint_name(const PriceFrame& frame, const Painter& p, std::size_t i, const Rect& r) {
    const Ui& ui = frame.ui;
    const PriceRow& row = frame.sheet.rows[i];
    const Vec2 mark{std::floor(r.x + ui.px(6)), std::floor(r.center().y)};
    if (row.state == PriceRow::State::Refused)
        cross_mark(p, mark, 8, ui.colors.loss.ink);
    else if (row.measured())
        draw_price_shape(p, mark, shape_of(row), frame.frontier[i], ui.colors.text);
    const std::string name = price_name(row);
    const TextStyle style = row.measured() ? sized(type::number(ui), 12) : type::number_small(ui);
    Rect room{r.x + ui.px(kNameMark), r.y, r.w - ui.px(kNameMark + 4), r.h};
    text_in(p, style, room, name);
    if (!row.of_run) return;
    const float w = std::ceil(text_width(ui, style, name)) + ui.px(8);
    const TextStyle quiet = type::caption(ui);
    if (w + text_width(ui, quiet, ui.text["price.of_run"_t]) > room.w) return;
    text_in(p, quiet, {room.x + w, room.y, room.w - w, room.h}, ui.text["price.of_run"_t]);
}

void paint_cells(const PriceFrame& frame, const Painter& p, const PriceColumns& columns,
                 std::size_t i, const Rect& r) {
    const Ui& ui = frame.ui;
    const PriceRow& row = frame.sheet.rows[i];
    if (!row.measured()) {
        const Rect rest{r.x + columns.widths.name, r.y, r.w - columns.widths.name, r.h};
        const bool refused = row.state == PriceRow::State::Refused;
        const Text words =
            refused ? row.why.in(ui.text)
                    : Text(ui.text[row.state == PriceRow::State::Measuring ? "price.measuring"_t
                                                                           : "price.waiting"_t]);
        const TextStyle quiet = type::caption(ui);
        text_in(p, refused ? colored(quiet, ui.colors.text2) : quiet, rest, words);
        return;
    }
    for (std::size_t c = 0; c < columns.widths.columns; ++c) {
        const auto column = static_cast<PriceColumn>(c);
        const std::string text = price_cell(row.numbers, column);
        TextStyle style = aligned(sized(type::number(ui), 12), Align::Right);
        const bool lost = column == PriceColumn::Needles && row.numbers.found < row.numbers.needles;
        if (lost) style.color = ui.colors.loss.ink;
        if (text.empty()) style.color = ui.colors.text3;
        text_in(p, style, columns.cell(r, c), text.empty() ? "–" : std::string_view(text));
    }
}

void diamond(const Painter& p, Vec2 center, float r, Color color) {
    const auto corner = [&](float x, float y) { return im(Vec2{center.x + x, center.y + y}); };
    p.list.AddQuadFilled(corner(0, -r), corner(r, 0), corner(0, r), corner(-r, 0), im(color));
}

}  // namespace

void draw_price_shape(const Painter& p, Vec2 center, PriceShape shape, bool on_frontier,
                      Color color) {
    const Ui& ui = p.ui;
    const Color inside = on_frontier ? color : ui.colors.panel;
    const float r = ui.px(4);
    const Rect box{center.x - r, center.y - r, 2 * r, 2 * r};
    const float width = std::max(1.0f, 1.6f * ui.unit) + ui.px(ui.colors.extra_line);
    switch (shape) {
        case PriceShape::Square:
            fill(p, box, inside);
            return outline(p, box, color, 0, 1.6f);
        case PriceShape::Diamond:
            diamond(p, center, r * 1.4f, color);
            if (!on_frontier) diamond(p, center, r * 1.4f - width * 1.4f, inside);
            return;
        case PriceShape::Circle:
            p.list.AddCircleFilled(im(center), r, im(inside));
            p.list.AddCircle(im(center), r - width / 2, im(color), 0, width);
    }
}

void draw_price_table(const PriceFrame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room_width();
    const PriceColumns columns = price_columns(ui, width);
    const float head = ui.px(kPriceHead);
    paint_head(Painter(ui), columns, {at.x, at.y, width, head});
    ImGui::Dummy({width, head});
    hline(Painter(ui), at.x, at.x + width, at.y + head - ui.line(), ui.colors.line);
    edge_list(ui, "rows", 0, frame.sheet.rows.size(), kPriceRow,
              [&](std::size_t i, const EdgeRow& row) {
                  const Painter p(ui);
                  if (frame.lit(i) || row.hit.hovered) fill(p, row.wash, ui.colors.hover_wash());
                  if (row.hit.hovered || row.hit.focused) frame.own.next_pointed = i;
                  if (row.hit.hovered && columns.widths.columns < kPriceColumns &&
                      frame.sheet.rows[i].measured())
                      tell_price_row(frame, i);
                  if (row.hit.pressed || row.hit.focused) frame.own.row = i;
                  paint_name(frame, p, i,
                             {row.hit.rect.x, row.hit.rect.y, columns.widths.name, row.hit.rect.h});
                  paint_cells(frame, p, columns, i, row.hit.rect);
                  if (row.hit.focused) focus_ring(p, row.hit.rect, 2);
              });
}

}  // namespace kv
