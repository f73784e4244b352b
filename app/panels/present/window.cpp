#include "app/panels/present/window.hpp"

#include "app/widgets/paint/paint.hpp"

namespace kv {

PresentWindow::PresentWindow(const Ui& ui, const Rect& room) {
    ImGui::SetNextWindowPos(im(room.min()));
    ImGui::SetNextWindowSize({room.w, room.h});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    constexpr ImGuiWindowFlags kFlags =
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
    ImGui::Begin("###present", nullptr, kFlags);
    ImGui::PopStyleVar(2);
    fill(Painter(ui), room, ui.colors.panel);
}

}  // namespace kv
