// What both servers are compared by, as a table.

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/panels/compare_servers/words.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kServersRow = 22, kServersNumber = 104, kServersApart = 124, kServersGutter = 40,
                kTwoColumns = 1000;

struct ServersColumns {
    Rect what, left, right, apart;
};
ServersColumns columns_of(const Ui& ui, const Rect& line) {
    ServersColumns c;
    const float apart = std::min(ui.px(kServersApart), line.w / 4),
                number = std::min(ui.px(kServersNumber), line.w / 4.5f);
    float right = line.right();
    const auto take = [&](float w) {
        right -= w;
        return Rect{right, line.y, w - ui.px(6), line.h};
    };
    c.apart = take(apart);
    c.right = take(number);
    c.left = take(number);
    c.what = {line.x, line.y, std::max(1.0f, right - line.x - ui.px(6)), line.h};
    return c;
}

// Right-aligned, with its mark before it.
void draw_marked_cell(const Painter& p, const TextStyle& style, const Rect& cell,
                      NumberSource source, std::string_view text) {
    const Ui& ui = p.ui;
    const float w = std::min(cell.w, text_width(ui, style, text));
    if (cell.w >= w + ui.px(12))
        source_mark(p, {cell.right() - w - ui.px(9), cell.center().y}, source);
    text_in(p, aligned(style, Align::Right), cell, text);
}

void draw_servers_head(const Ui& ui, const Painter& p, const Rect& line) {
    const ServersColumns c = columns_of(ui, line);
    const TextStyle head = aligned(type::caption(ui), Align::Right);
    const auto side = [&](const Rect& cell, TextId words, CompareSide mark) {
        const float w = text_width(ui, head, ui.text[words]);
        draw_side_mark(p, {cell.right() - w - ui.px(10), cell.center().y}, 8, mark,
                       ui.colors.text2);
        text_in(p, head, cell, ui.text[words]);
    };
    side(c.left, "servers.col.left"_t, CompareSide::Left);
    side(c.right, "servers.col.right"_t, CompareSide::Right);
    text_in(p, head, c.apart, ui.text["servers.col.apart"_t]);
}

void draw_servers_row(const Ui& ui, const Painter& p, const ServersRow& row, const Rect& line) {
    const ServersColumns c = columns_of(ui, line);
    const Color ink = row.is_known ? ui.colors.text : ui.colors.text3;
    const TextStyle number = colored(type::number_small(ui), ink);
    text_in(p, type::body(ui), c.what, row.what);
    draw_marked_cell(p, number, c.left, row.left_from, row.left);
    draw_marked_cell(p, number, c.right, row.right_from, row.right);
    text_in(p, aligned(type::caption(ui), Align::Right), c.apart, row.apart);
}

}  // namespace

void draw_servers_numbers(const Ui& ui, const AttachUi& own) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const Painter p(ui);
    const List<ServersRow> rows = servers_rows(*own.view, *own.other, ui.text);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, pitch = ui.px(kServersRow),
                gap = ui.px(kServersGutter);
    // Where the panel is wide and low, in two columns.
    const std::size_t columns = width >= ui.px(kTwoColumns) ? 2 : 1;
    const std::size_t each = (rows.size() + columns - 1) / columns;
    const float w = std::floor((width + gap) / static_cast<float>(columns)) - gap;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float x = at.x + static_cast<float>(i / each) * (w + gap);
        const float y = at.y + static_cast<float>(i % each + 1) * pitch;
        if (i % each == 0) draw_servers_head(ui, p, {x, at.y, w, pitch});
        draw_servers_row(ui, p, rows[i], {x, y, w, pitch});
    }
    ImGui::Dummy({width, static_cast<float>(each + 1) * pitch});
}

}  // namespace kv
