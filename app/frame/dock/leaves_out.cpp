#include "app/frame/dock/leaves_out.hpp"

#include <imgui_internal.h>

#include <cmath>

#include "app/frame/dock/chrome.hpp"
#include "app/frame/dock/dock.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/rows.hpp"

namespace kv {
namespace {

constexpr float kLinkHeight = 20;  // of link() in caption size

// The window of a panel when it is the one that its dock shows, below a tab bar that is visible.
ImGuiWindow* shown_window(LayoutName layout, PanelId panel) {
    ImGuiWindow* window = window_of(layout, panel);
    if (window == nullptr || window->DockNode == nullptr) return nullptr;
    const ImGuiDockNode* node = window->DockNode;
    const bool has_bar = node->HostWindow != nullptr && node->TabBar != nullptr &&
                         !node->IsNoTabBar() && !node->IsHiddenTabBar();
    return has_bar && node->VisibleWindow == window ? window : nullptr;
}

void draw_note(const Ui& ui, const char* popup, const PanelRow& info) {
    const float width = ui.px(320);
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(12)});
    if (ImGui::BeginPopup(popup)) {
        section_head(ui, ui.text["leaves_out.title"_t]);
        space(ui, 6);
        paragraph(ui, type::body(ui), 19, ui.text[info.leaves_out]);
        space(ui, 10);
        paragraph(ui, colored(type::body(ui), ui.colors.text3), 19, ui.text[info.help]);
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

bool has_keyboard(const ImGuiWindow* window) {
    const ImGuiWindow* nav = ImGui::GetCurrentContext()->NavWindow;
    return nav != nullptr && (nav == window || nav->ParentWindow == window);
}

// Left of the link, if the tabs leave room for all of it.
void draw_caption(const Ui& ui, const ImGuiDockNode* node, std::string_view caption, float right) {
    if (caption.empty()) return;
    const TextStyle style = colored(type::caption(ui), ui.colors.quiet_on_app());
    const ImRect bar = node->TabBar->BarRect;
    const ImGuiTabBar& tabs = *node->TabBar;
    const float width = text_width(ui, style, caption), end = right - ui.px(20);
    const float tabs_end = bar.Min.x + tabs.WidthAllTabs + ui.px(28);
    if (end - width < tabs_end) return;
    text_in(Painter(ui), style, {end - width, bar.Min.y, width + 1, bar.GetHeight()}, caption);
}

void draw_link(const Ui& ui, const PanelRow& info, ImGuiWindow* window, std::string_view caption,
               bool open) {
    const ImGuiDockNode* node = window->DockNode;
    const TextStyle style = colored(type::caption(ui), ui.colors.quiet_on_app());
    const float width = text_width(ui, style, ui.text["leaves_out"_t]);
    const ImRect bar = node->TabBar->BarRect;
    const float right = node->Pos.x + node->Size.x - ui.px(14);
    const Text id = "leaves_out/" + Text(info.name);

    ImGui::Begin(node->HostWindow->Name);
    ImGui::PushClipRect(node->Pos, {node->Pos.x + node->Size.x, node->Pos.y + node->Size.y}, false);
    ImGui::SetCursorScreenPos(
        {right - width, std::floor(bar.Min.y + (bar.GetHeight() - ui.px(kLinkHeight)) / 2)});
    if (link(ui, id.c_str(), ui.text["leaves_out"_t], style) || open) ImGui::OpenPopup(id.c_str());
    draw_caption(ui, node, caption, right - width);
    ImGui::PopClipRect();
    ImGui::SetNextWindowPos({right - ui.px(320), bar.Max.y + ui.px(4)}, ImGuiCond_Appearing);
    draw_note(ui, id.c_str(), info);
    ImGui::End();
}

}  // namespace

void draw_leaves_out_links(const Ui& ui, LayoutName layout, std::span<const PanelId> panels,
                           const PanelCaption& caption, bool open_focused) {
    for (PanelId panel : panels) {
        ImGuiWindow* window = shown_window(layout, panel);
        if (window != nullptr && !is_crowded(ui, window))
            draw_link(ui, row_of(panel), window, caption ? caption(panel) : Text(),
                      open_focused && has_keyboard(window));
    }
}

void draw_leaves_out_line(const Ui& ui, PanelId panel, bool open) {
    const PanelRow& info = row_of(panel);
    const TextStyle style = colored(type::caption(ui), ui.colors.text3);
    const Text id = "leaves_out/" + Text(info.name);
    const float width = text_width(ui, style, ui.text["leaves_out"_t]);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(
        {std::floor(at.x + ImGui::GetContentRegionAvail().x - width), at.y - ui.px(4)});
    if (link(ui, id.c_str(), ui.text["leaves_out"_t], style) || open) ImGui::OpenPopup(id.c_str());
    draw_note(ui, id.c_str(), info);
    // The line is an item of its own: the panel below may have nothing to say.
    const Flush flush;
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, ui.px(kLinkHeight - 2)});
}

}  // namespace kv
