// The points as a table: the first column to the left, numbers to the right; the last columns go
// where there is no room for them.

#include <array>

#include "app/panels/whatif/choice_words.hpp"
#include "app/panels/whatif/paint.hpp"

namespace kv {
namespace {

constexpr std::size_t kPointColumns = 10, kHitRate = 3, kModelledFrom = 8;
constexpr std::array<float, kPointColumns> kPointWidths{0, 136, 84, 76, 64, 104, 84, 88, 100, 96};
constexpr float kLeastName = 200;

// How many columns the room holds.
std::size_t columns_in(const Ui& ui, float width) {
    float taken = ui.px(kLeastName);
    std::size_t n = 1;
    while (n < kPointColumns && taken + ui.px(kPointWidths[n]) <= width)
        taken += ui.px(kPointWidths[n++]);
    return n;
}

// Right edges, from the right.
std::array<float, kPointColumns> edges_in(const Ui& ui, const Rect& room, std::size_t columns) {
    std::array<float, kPointColumns> edges{};
    float x = room.right();
    for (std::size_t i = columns; i-- > 1;) {
        edges[i] = x;
        x -= ui.px(kPointWidths[i]);
    }
    edges[0] = x;
    return edges;
}

std::vector<WhatIfTableRow> rows_of(const WhatIfFrame& frame) {
    const Texts& text = frame.ui.text;
    std::vector<WhatIfTableRow> rows;
    if (frame.shows_pools())
        for (const WhatIfRow& row : frame.weighed.rows)
            rows.push_back(point_row(text, frame.weighed, row));
    else
        for (const WhatIfChoice& choice : *frame.choices())
            rows.push_back(
                choice_row(text, frame.weighed, choice_words(text, frame.own.view, choice.setting),
                           choice.here(), is_as_recorded(frame.weighed, choice.setting)));
    return rows;
}

}  // namespace

void draw_whatif_points(const WhatIfFrame& frame) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const Rect room = whatif_head(
        p, frame.px(frame.plan.points), ui.text["whatif.points"_t],
        ui.text[frame.shows_pools() ? "whatif.points.how"_t : "whatif.points.how.same"_t]);
    if (!frame.shows_pools() && frame.choices() == nullptr)
        return draw_choices_awaited(frame, room);
    const std::vector<WhatIfTableRow> rows = rows_of(frame);
    const std::size_t columns = columns_in(ui, room.w);
    const auto edges = edges_in(ui, room, columns);
    const float n = static_cast<float>(rows.size() + 1);
    const float height = std::floor(std::min(ui.px(28), std::max(ui.px(17), room.h / n)));
    Rect line{room.x, room.y, room.w, height};
    const auto cell = [&](std::size_t i, TextStyle style, std::string_view words) {
        if (i == 0) return text_in(p, style, {line.x, line.y, edges[0] - line.x, line.h}, words);
        const float w = ui.px(kPointWidths[i]) - ui.px(6);
        style.align = Align::Right;
        return text_in(p, style, {edges[i] - w, line.y, w, line.h}, words);
    };
    const std::vector<Text> heads = point_heads(ui.text, frame.weighed);
    for (std::size_t i = 0; i < columns; ++i) {
        cell(i, type::caption(ui), heads[i]);
        if (i != kHitRate && i != kModelledFrom) continue;
        const float left = edges[i] - text_width(ui, type::caption(ui), heads[i]) - ui.px(10);
        known_mark(p, i == kHitRate ? WhatIfMark::Replayed : WhatIfMark::Modelled,
                   {left, line.center().y}, ui.colors.text2);
    }
    for (const WhatIfTableRow& row : rows) {
        line.y += height;
        if (line.bottom() > room.bottom() + 1) return;
        hline(p, room.x, room.right(), line.y, ui.colors.line);
        if (row.is_base) fill(p, line, ui.colors.hover_wash());
        for (std::size_t i = 0; i < columns; ++i) {
            TextStyle style = i == 0 ? colored(type::body(ui), ui.colors.text) : type::number(ui);
            if (i == 0 && row.is_base) style = type::strong(ui);
            if (row.cells[i].is_loss) style.color = ui.colors.loss.ink;
            if (i == kHitRate) style = with_font(style, ui.fonts.mono_bold);
            cell(i, style, row.cells[i].words);
        }
    }
}

}  // namespace kv
