// The pool: its blocks, and the lines from the table of the request in focus to them.

#include <algorithm>
#include <cmath>

#include "app/panels/stage/paint.hpp"
#include "app/panels/stage/plan/lines.hpp"
#include "app/shell/drawn_parts.hpp"

namespace kv {
namespace {

// Below this size the lines would share gutters, so only that of the inspected token is drawn.
constexpr BlockClass kLinesFrom = BlockClass::Label;

void paint_cells(const StagePicture& s, const Painter& p) {
    s.grid.each_visible([&](std::uint32_t id) {
        paint_block(s, p, id, s.grid.cell(id));
        if (s.lane().blocks()[id].ref_count > 0)
            tell_part(s.ui, {PartKind::Block, id}, s.grid.cell(id));
    });
}

std::optional<BlockId> pointed_block(const StagePicture& s) {
    if (s.focus.pointed.block) return s.focus.pointed.block;
    if (!s.focus.pointed.token) return std::nullopt;
    const auto place = place_of_token(s.lane(), *s.focus.pointed.token);
    return place ? std::optional(place->block) : std::nullopt;
}

// The tokens that the equation counts, while its factor is pointed at: the blocks that hold them.
void paint_counted(const StagePicture& s, const Painter& p) {
    s.grid.each_visible([&](std::uint32_t id) {
        if (s.lane().blocks()[id].ref_count > 0) linked_ring(p, s.grid.cell(id));
    });
}

void paint_rings(const StagePicture& s, const Painter& p) {
    const bool large = s.grid.look >= BlockClass::Label;
    if (large && s.focus.pointed.factor == BillFactor::Tokens) paint_counted(s, p);
    if (const auto block = pointed_block(s); block && s.grid.is_visible(block->value)) {
        const Rect cell = s.grid.cell(block->value);
        if (large)
            hover_ring(p, cell);
        else
            ring(p, cell, {.color = s.ui.colors.text});
    }
    if (const auto block = s.selected_block(); block && s.grid.is_visible(block->value)) {
        const Rect cell = s.grid.cell(block->value);
        if (large)
            brackets(p, cell, s.ui.colors.focus);
        else
            ring(p, cell,
                 {.color = s.ui.colors.focus,
                  .width = s.grid.look == BlockClass::Texel ? 1.0f : 2.0f});
    }
}

// How far above its block a line turns into it: in Learn it ends in a large head, and needs more.
float above_block(const StagePicture& s) {
    if (s.grid.look == BlockClass::Slots && s.plan.learn) return 8;
    return s.grid.look >= BlockClass::Label ? 5 : 3;
}

struct RowLine {
    LineEnd end;
    bool strong;  // of the inspected token
    std::uint32_t entry;
};
List<RowLine> lines_of(const StagePicture& s) {
    List<RowLine> lines;
    const auto inspected = s.inspected();
    for (const StageRow& row : s.plan.rows) {
        const auto block = row.left_out > 0 ? std::nullopt : s.entry(s.focus.request, row.entry);
        if (!block || block->value >= s.grid.n_blocks) continue;
        const bool strong = inspected && s.row_of(*inspected) == row.entry;
        if (!strong && s.grid.look < kLinesFrom) continue;
        const Rect cell = s.grid.cell(block->value), entry = s.on_screen(s.plan.physical(row));
        // A block that is scrolled out of sight gets no line.
        const float middle = std::floor(cell.center().x);
        if (cell.y < s.grid.area.y || cell.y >= s.grid.area.bottom() || middle < s.grid.area.x ||
            middle > s.grid.area.right())
            continue;
        if (lines.size() >= s.plan.n_tracks && !strong) continue;
        lines.push_back({.end = {.from = {entry.right(), std::floor(entry.center().y)},
                                 .to = {middle, cell.y},
                                 .row = s.grid.row_of(block->value)},
                         .strong = strong,
                         .entry = row.entry});
    }
    return lines;
}

// Below 4 pixels there is a texel for each block; above it a block is drawn by itself.
void paint_in_class(const StagePicture& s, const Painter& p) {
    if (s.grid.look == BlockClass::Texel)
        s.own.texels.paint(s, p);
    else
        paint_cells(s, p);
}

}  // namespace

float fade_left(double seconds) {
    constexpr double kFade = 0.12;
    return static_cast<float>(1 - std::clamp(seconds / kFade, 0.0, 1.0));
}

void paint_lines(const StagePicture& s) {
    const List<RowLine> lines = lines_of(s);
    List<LineEnd> ends;
    for (const RowLine& line : lines) ends.push_back(line.end);
    const Ui& ui = s.ui;
    const bool slots = s.grid.look == BlockClass::Slots;
    const auto paths = route_lines(ends, {.first_track = s.origin.x + s.plan.first_track + ui.px(1),
                                          .track_pitch = s.plan.track_pitch,
                                          .above_block = ui.px(above_block(s)),
                                          .gutter_pitch = ui.px(slots ? 3 : 2),
                                          .gutter = s.grid.pitch_y - s.grid.cell_h,
                                          .top = s.origin.y + s.plan.pool_head.bottom()});
    for (std::size_t i = 0; i < lines.size(); ++i)
        tell_line(ui, {PartKind::Line, lines[i].entry}, paths[i]);
    const Painter p(ui);
    const Color hue = s.hue(s.focus.request).ink;
    for (const bool strong : {false, true})
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (lines[i].strong == strong)
                connector(p, paths[i],
                          {.color = strong ? ui.colors.focus : hue,
                           .halo = ui.colors.panel,
                           .width = strong ? 2.5f : 1.8f,
                           .head = slots && s.plan.learn});
}

void paint_pool(const StagePicture& s) {
    if (s.now().lanes.empty() || s.grid.area.w < 1 || s.grid.area.h < 1) return;
    const Painter p(s.ui);
    const float over = s.ui.px(6);
    const Rect clip = s.grid.area.inset(-over);
    ImGui::PushClipRect(im(clip.min()), im(clip.max()), true);
    paint_in_class(s, p);
    // The look of blocks that zooming has just left fades out over the new one.
    if (const float left = fade_left(ImGui::GetTime() - s.own.fade.since);
        s.own.fade.from && left > 0) {
        StagePicture old = s;
        old.grid.look = *s.own.fade.from;
        const Fading fading(p, left);
        paint_in_class(old, p);
    }
    paint_rings(s, p);
    ImGui::PopClipRect();
}

}  // namespace kv
