// The small signs of a watched server.

#include <imgui.h>

#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/widgets/message.hpp"

namespace kv {
namespace {

constexpr float kSourceRoom = 12;  // logical pixels, mark and the gap behind it

}  // namespace

NumberSource exact_of(const ServerView& view) {
    return view.tank.exact ? NumberSource::Exact : NumberSource::ExactInGap;
}

void source_mark(const Painter& p, Vec2 center, NumberSource source) {
    const Ui& ui = p.ui;
    const Color color = ui.colors.text2;
    const float half = ui.px(3);
    const Rect box = snap({center.x - half, center.y - half, 2 * half, 2 * half});
    switch (source) {
        case NumberSource::Exact:
            return fill(p, box, color);
        case NumberSource::ExactInGap:
            return outline(p, box, color);
        case NumberSource::Sampled: {
            const float r = ui.px(2.5f);
            const Vec2 ring_at{center.x, center.y - ui.px(2)};
            outline(p, snap({ring_at.x - r, ring_at.y - r, 2 * r, 2 * r}), color, 2.5f, 1.2f);
            stroke(p, {ring_at.x, ring_at.y + r}, {ring_at.x, ring_at.y + r + ui.px(4)}, color,
                   1.2f);
            return;
        }
        case NumberSource::Modelled:
            hline(p, center.x - ui.px(6), center.x - ui.px(1), center.y, color, 1.6f);
            hline(p, center.x + ui.px(1), center.x + ui.px(6), center.y, color, 1.6f);
            return;
    }
}

float marked_number(const Painter& p, const TextStyle& style, const Rect& room, NumberSource source,
                    std::string_view text) {
    source_mark(p, {room.x + p.ui.px(3), room.center().y}, source);
    const float x = room.x + p.ui.px(kSourceRoom);
    text_in(p, style, {x, room.y, 0, room.h}, text);
    return x + text_width(p.ui, style, text);
}

void draw_plate(const Painter& p, Vec2 top_left, std::uint32_t plate, bool selected) {
    const Ui& ui = p.ui;
    const Rect box = snap({top_left.x, top_left.y, ui.px(kPlate), ui.px(kPlate)});
    fill(p, box, selected ? ui.colors.text : ui.colors.inset, 2);
    outline(p, box, selected ? ui.colors.text : ui.colors.text2, 2, 1.2f);
    const TextStyle style = aligned(colored(with_font(type::tick_label(ui), ui.fonts.mono_bold),
                                            selected ? ui.colors.panel : ui.colors.text),
                                    Align::Center);
    text_in(p, style, box, std::to_string(plate));
}

Color age_color(const Palette& colors, int shade) {
    // The oldest is still seen against a free place.
    const double t = 0.12 + 0.88 * (shade + 0.5) / kAgeShades;
    return ramp_color(colors, t);
}

void draw_age_ramp(const Painter& p, const Rect& ramp) {
    const auto edge = [&](int i) {
        return std::round(ramp.x + ramp.w * static_cast<float>(i) / kAgeShades);
    };
    for (int i = 0; i < kAgeShades; ++i)
        fill(p, {edge(i), ramp.y, edge(i + 1) - edge(i), ramp.h},
             age_color(p.ui.colors, kAgeShades - 1 - i));
}

Rect rect_of(const PlaceGrid& grid, const Rect& room, const PlaceRun& run) {
    return {room.x + static_cast<float>(run.x) * grid.side,
            room.y + static_cast<float>(run.row) * grid.side, static_cast<float>(run.w) * grid.side,
            grid.side};
}

void draw_places(const Painter& p, std::span<const PoolTexel> texels, const PlaceGrid& grid,
                 double oldest_s, const Rect& room) {
    fill(p, room, p.ui.colors.inset);
    List<PlaceRun> runs;
    plan_places(texels, grid, oldest_s, runs);
    for (const PlaceRun& run : runs)
        fill(p, rect_of(grid, room, run), age_color(p.ui.colors, run.shade));
}

void selected_outline(const Painter& p, const Rect& r) {
    outline(p, r, p.ui.colors.focus, 0, 2);
    const float in = p.ui.px(2);
    if (r.w > 4 * in && r.h > 4 * in) outline(p, r.inset(in), p.ui.colors.inset, 0, 1);
}

void draw_lock(const Painter& p, Vec2 center, Color color) {
    const Ui& ui = p.ui;
    const Rect body = snap({center.x - ui.px(4), center.y - ui.px(1), ui.px(8), ui.px(6)});
    fill(p, body, color, 1);
    const Rect bow = snap({center.x - ui.px(3), center.y - ui.px(6), ui.px(6), ui.px(8)});
    p.list.PushClipRect(im(bow.min()), {bow.right(), body.y}, true);
    outline(p, bow, color, 3, 1.4f);
    p.list.PopClipRect();
}

void draw_no_server(const Ui& ui, TextId title, TextId why) {
    const std::array<std::string_view, 1> lines{ui.text[why]};
    message_centered(ui, "none", {.title = ui.text[title], .lines = lines});
}

Rect panel_room() {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    return {std::floor(at.x), std::floor(at.y), std::floor(room.x), std::floor(room.y)};
}

}  // namespace kv
