#pragma once
// The Figure of a lesson's step: one large picture in place of the tank, and what steers it.

#include "app/export/data_table.hpp"
#include "app/panels/figure/plan/plan.hpp"
#include "app/panels/lesson/view.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// What a figure remembers between frames: the key that it shows, and since when.
struct FigureUi {
    std::optional<std::uint32_t> lesson;
    std::size_t step = 0;
    std::uint32_t key = 0;
    double since = 0;
    bool is_moving = false;  // so the next picture is another one
};

bool has_figure(const LessonView& lesson);
figure::Keys figure_keys(const FigureFacts& facts);
// The figure as it would be drawn in a room of that size, in logical pixels.
figure::Plan figure_plan(const LessonView& lesson, Vec2 size, const Texts& text);
std::vector<DataTable> figure_tables(const LessonView& lesson);

// Draws the figure in the current window, with its title, and what it leaves out at the right.
void draw_figure(const Ui& ui, const LessonView& lesson, FigureUi& own);
// Draws it in front of an audience, in that room, in pixels; in a room that is wider than a figure
// may be it stands in the middle, or at the left edge.
void draw_figure_in(const Ui& ui, const LessonView& lesson, FigureUi& own, const Rect& room,
                    bool at_left = false);
// Back, Play, Forward; a segment for each key; the way to the tank.
void draw_figure_transport(const Ui& ui, const LessonView& lesson);

}  // namespace kv
