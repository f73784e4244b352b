// The head of the largest part: its views as tabs.

#include <array>

#include "app/panels/whatif/paint.hpp"
#include "app/widgets/hit.hpp"

namespace kv {
namespace {

constexpr float kTabPad = 12;

void draw_view_tab(const Painter& p, const Hit& hit, std::string_view title, bool in_front) {
    const Ui& ui = p.ui;
    if (in_front)
        fill(p, {hit.rect.x, hit.rect.y, hit.rect.w, ui.px(2)}, ui.colors.text2);
    else if (hit.hovered || hit.held)
        fill(p, hit.rect, ui.colors.hover_wash());
    TextStyle style = in_front ? type::section(ui) : type::body(ui);
    if (hit.hovered && !in_front) style.color = ui.colors.text;
    text_in(p, aligned(style, Align::Center), hit.rect, title);
    if (in_front)
        vline(p, hit.rect.right() - ui.line(), hit.rect.y, hit.rect.bottom(), ui.colors.line);
    if (hit.focused) focus_ring(p, hit.rect.inset(ui.px(3)), 2.5f);
}

}  // namespace

Rect whatif_tabs(const WhatIfFrame& frame, const Rect& room, std::string_view caption) {
    const Ui& ui = frame.ui;
    const Painter p(ui);
    const std::array<std::string_view, kWhatIfViewNames.size()> titles{
        ui.text["whatif.curve"_t], ui.text["whatif.by_block_size"_t], ui.text["whatif.by_order"_t]};
    std::array<float, kWhatIfViewNames.size()> widths{};
    float all = 0;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        widths[i] = std::ceil(text_width(ui, type::section(ui), titles[i])) + ui.px(2 * kTabPad);
        all += widths[i];
    }
    // Where all of them do not fit they share the room.
    if (all > room.w)
        for (float& w : widths) w = std::floor(w * room.w / all);
    const Rect rest = whatif_head_beside(p, room, std::min(all, room.w), caption);
    const float head = rest.y - room.y - ui.line();
    float x = room.x;
    const Flush flush;
    ImGui::PushID("view");
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const bool in_front = i == static_cast<std::size_t>(frame.own.view);
        ImGui::SetCursorScreenPos({x, room.y});
        ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, !in_front);
        const Hit hit = hit_item(PartId(i).c_str(), {widths[i], head});
        ImGui::PopItemFlag();
        draw_view_tab(p, hit, titles[i], in_front);
        if (hit.pressed && !in_front) ui.out.push("whatif.view", std::string(kWhatIfViewNames[i]));
        x += widths[i];
    }
    ImGui::PopID();
    return rest;
}

}  // namespace kv
