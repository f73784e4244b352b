#include "app/widgets/hit.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kv {

Flush::Flush() {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{ImGui::GetStyle().ItemSpacing.x, 0.0f});
}
Flush::~Flush() {
    ImGui::PopStyleVar();
}

Hit hit_item(const char* id, Vec2 size, bool enabled) {
    const Flush flush;
    size = {std::max(1.0f, size.x), std::max(1.0f, size.y)};
    // The ring is ours; ImGui's own would be drawn inside the control.
    ImGui::PushStyleColor(ImGuiCol_NavCursor, IM_COL32_BLACK_TRANS);
    ImGui::BeginDisabled(!enabled);
    Hit hit;
    // Without EnableNav an invisible button is not reachable by keyboard.
    hit.pressed = ImGui::InvisibleButton(id, im(size), ImGuiButtonFlags_EnableNav);
    hit.enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    hit.hovered = ImGui::IsItemHovered();
    hit.held = ImGui::IsItemActive();
    hit.focused = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    const ImVec2 at = ImGui::GetItemRectMin();
    hit.rect = {std::floor(at.x), std::floor(at.y), size.x, size.y};
    ImGui::EndDisabled();
    ImGui::PopStyleColor();
    return hit;
}

Arrows keep_arrows(const char* id) {
    const ImGuiID owner = ImGui::GetID(id);
    const auto pressed = [owner](ImGuiKey key) {
        ImGui::SetKeyOwner(key, owner);
        return ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, owner) ? 1 : 0;
    };
    return {pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow),
            pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow)};
}

PartId::PartId(std::size_t i) {
    text_[0] = '#';  // and zeros to the end
    std::to_chars(&text_[1], &text_.back(), i);
}

ControlPaint control_paint(const Palette& colors, const Hit& hit, bool on, bool primary) {
    if (!hit.enabled) return {colors.raised, colors.line, colors.text3};
    if (primary) {
        const Color face = hit.held      ? mix(colors.text, colors.panel, 0.16)
                           : hit.hovered ? colors.focus
                                         : colors.text;
        return {face, face, colors.panel};
    }
    const bool down = on || hit.held;
    return {down ? mix(colors.raised, colors.text, 0.16) : colors.raised,
            hit.hovered && !hit.held ? colors.text : colors.edge, colors.text};
}

void control_outline(const Painter& p, const Rect& r, bool enabled, Color edge, float radius) {
    const Palette& colors = p.ui.colors;
    if (enabled) return outline(p, r, edge, radius);
    if (colors.edge == colors.line) return dashed_outline(p, r, colors.line, radius);
    outline(p, r, colors.line, radius);
}

void draw_control(const Painter& p, const Hit& hit, const ControlPaint& paint, float radius) {
    fill(p, hit.rect, paint.fill, radius);
    control_outline(p, hit.rect, hit.enabled, paint.edge, radius);
    if (hit.focused) focus_ring(p, hit.rect, radius);
}

}  // namespace kv
