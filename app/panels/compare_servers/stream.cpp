// What steers both servers, and what happened to each connection, on one axis of time.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/parts.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "app/panels/compare_servers/panels.hpp"
#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kPairLabelW = 34, kPairClock = 20, kPairLane = 22;

List<StreamMark> marks_of_rank(const ServerView& s) {
    List<StreamMark> marks;
    for (const StreamMark& mark : s.tank.marks)
        if (mark.rank == s.rank) marks.push_back(mark);
    return marks;
}

// A press or a drag goes to that time, on both sides.
void use_lanes(const Ui& ui, const ServerView& left, const StreamSpan& span, const Rect& plot) {
    ImGui::SetCursorScreenPos({plot.x, plot.y});
    const Hit hit = hit_item("lanes", {plot.w, plot.h});
    if (hit.focused) focus_ring(Painter(ui), plot);
    if (!hit.held || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    const double at = span.at(std::clamp(ImGui::GetMousePos().x - plot.x, 0.0f, plot.w), plot.w);
    if (left.events > 0)
        ui.out.push("attach.goto", std::floor(std::max(0.0, at - left.tank.start_s) * 10) / 10);
}

}  // namespace

void draw_servers_stream(const Ui& ui, const AttachUi& own) {
    const Flush flush;
    if (!own.compares()) return draw_no_server(ui, "servers.nothing"_t, "servers.nothing.why"_t);
    const Painter p(ui);
    const Rect room = panel_room();
    const Rect row{room.x, room.y, room.w, control_height(ui, false)};
    draw_stream_row(ui, own, row);
    const PairAxis axis = pair_axis(*own.view, *own.other);
    const float top = row.bottom() + ui.px(4);
    const Rect plot{room.x + ui.px(kPairLabelW), top, std::max(1.0f, room.w - ui.px(kPairLabelW)),
                    ui.px(kPairClock + 2 * kPairLane)};
    draw_stream_axis(p, axis.left, axis.zero_s, {plot.x, top, plot.w, ui.px(kPairClock)});
    const auto lane = [&](std::size_t i, const ServerView& s, const StreamSpan& span,
                          CompareSide side) {
        const float y = top + ui.px(kPairClock + kPairLane * static_cast<float>(i));
        draw_side_mark(p, {room.x + ui.px(14), std::round(y + ui.px(kPairLane / 2))}, 9, side,
                       ui.colors.text2);
        draw_stream_lane(p, marks_of_rank(s), span, {plot.x, y, plot.w, ui.px(kPairLane)});
        if (s.events == 0) return;
        const float at = plot.x + std::clamp(span.x_of(s.tank.now_s, plot.w), 0.0f, plot.w);
        vline(p, std::round(at) - 1, y, y + ui.px(kPairLane), ui.colors.focus, 2);
    };
    lane(0, *own.view, axis.left, CompareSide::Left);
    lane(1, *own.other, axis.right, CompareSide::Right);
    use_lanes(ui, *own.view, axis.left, plot);
    ImGui::SetCursorScreenPos({room.x, room.y});
    ImGui::Dummy({room.w, std::max(room.h, plot.bottom() - room.y)});
}

}  // namespace kv
