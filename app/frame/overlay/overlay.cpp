#include "app/frame/overlay/overlay.hpp"

#include <algorithm>
#include <cmath>

namespace kv {

bool begin_overlay(const Ui& ui, const char* id, const OverlayLook& look, bool& open) {
    if (open && !ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
    const ImVec2 screen = ImGui::GetMainViewport()->Size;
    const bool from_top = look.top_share < 0.3f;
    const float width = std::min(ui.px(look.width), screen.x - ui.px(16));
    const float height = std::min(ui.px(look.height), screen.y - ui.px(16));
    ImGui::SetNextWindowPos({std::floor(screen.x / 2), std::floor(screen.y * look.top_share)},
                            ImGuiCond_Always, {0.5f, from_top ? 0.0f : 0.5f});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - ui.px(16)});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(20), ui.px(16)});
    ImGui::PushStyleColor(ImGuiCol_PopupBg, im(ui.colors.panel));
    const bool drawn =
        ImGui::BeginPopupModal(id, nullptr,
                               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (!drawn) return false;

    const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                         !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByPopup |
                                                 ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    const bool popup_on_top = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId) &&
                              !ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    if (!popup_on_top &&
        (ImGui::IsKeyPressed(ImGuiKey_Escape, false) || (outside && !ImGui::IsWindowAppearing())))
        open = false;
    if (open) return true;
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return false;
}

void end_overlay(bool open) {
    if (!open) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace kv
