// The server's events, the newest first.

#include <imgui.h>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/panels/attach/words.hpp"
#include "app/widgets/rows.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kServerLogRow = 42, kLogSequence = 70;

void draw_deed_mark(const Painter& p, Vec2 at, TankLogKind kind) {
    const Ui& ui = p.ui;
    switch (kind) {
        case TankLogKind::Stored:
            return triangle(p, at, 9, Dir::Up, ui.colors.text, true);
        case TankLogKind::Removed:
            return triangle(p, at, 9, Dir::Down, ui.colors.text, false);
        case TankLogKind::Cleared:
            vline(p, at.x - ui.px(2), at.y - ui.px(5), at.y + ui.px(5), ui.colors.text, 1.6f);
            return vline(p, at.x + ui.px(2), at.y - ui.px(5), at.y + ui.px(5), ui.colors.text,
                         1.6f);
        case TankLogKind::Unknown:
            return cross_mark(p, at, 8, ui.colors.text3);
    }
}

void draw_log_row(const Ui& ui, const Painter& p, const TankLogRow& row, double start_s) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x;
    const Rect line{at.x, at.y, w, ui.px(kServerLogRow)};
    const float mark = line.x + ui.px(kLogSequence + 12), words = mark + ui.px(16);
    const Rect top{words, line.y + ui.px(3), line.right() - words - ui.px(6), ui.px(19)};
    text_in(p, aligned(type::number_small(ui), Align::Right),
            {line.x, top.y, ui.px(kLogSequence), top.h}, with_commas(row.sequence));
    draw_deed_mark(p, {mark, top.center().y}, row.kind);
    const TextStyle clock = aligned(type::number_small(ui), Align::Right);
    const Text time = clock_of(row.time_s - start_s);
    const float clock_w = text_width(ui, clock, time) + ui.px(8);
    text_in(p, type::strong(ui), {top.x, top.y, top.w - clock_w, top.h}, log_words(ui.text, row));
    text_in(p, clock, top, time);
    text_in(p, type::caption(ui), {top.x, top.bottom() - ui.px(1), top.w, ui.px(18)},
            log_more(ui.text, row));
    hline(p, line.x, line.right(), line.bottom() - 1, ui.colors.line);
    ImGui::Dummy({w, line.h});
}

}  // namespace

void draw_attach_log(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const ServerView& s = *own.view;
    const float foot = ui.px(26);
    ImGui::BeginChild("log", {0, std::max(1.0f, ImGui::GetContentRegionAvail().y - foot)});
    const Painter p(ui);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(s.tank.log.size()), ui.px(kServerLogRow));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_log_row(ui, p, s.tank.log[static_cast<std::size_t>(i)], s.tank.start_s);
    ImGui::EndChild();
    const Rect room = panel_room();
    Text words =
        fill(ui.text["attach.log.foot"_t],
             {{"n", with_commas(s.events)}, {"unknown", with_commas(s.tank.unknown_events)}});
    text_in(Painter(ui), type::caption(ui), {room.x, room.y, room.w, foot}, words);
    ImGui::Dummy({room.w, foot});
}

}  // namespace kv
