#include "app/frame/dock/dock.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "app/frame/dock/chrome.hpp"
#include "app/frame/dock/leaves_out.hpp"

namespace kv {
namespace {

ImGuiID root_id(LayoutName layout) {
    return ImHashStr(("kvarium/" + Text(name_of(layout))).c_str());
}

// Cuts a piece of exactly `extent` pixels off `node`; what is left becomes `node`.
ImGuiID split_off(ImGuiID& node, ImGuiDir dir, float extent) {
    const ImGuiDockNode* parent = ImGui::DockBuilderGetNode(node);
    const bool along_x = dir == ImGuiDir_Left || dir == ImGuiDir_Right;
    const float whole =
        (along_x ? parent->Size.x : parent->Size.y) - ImGui::GetStyle().DockingSeparatorSize;
    const bool first = dir == ImGuiDir_Left || dir == ImGuiDir_Up;
    // Dear ImGui truncates the first child's share; half a pixel more keeps the truncation exact.
    const float wanted = first ? extent + 0.5f : extent - 0.5f;
    ImGuiID piece = 0, rest = 0;
    ImGui::DockBuilderSplitNode(node, dir, wanted / std::max(1.0f, whole), &piece, &rest);
    node = rest;
    return piece;
}

// The first panel that is asked for and stands in this dock.
std::optional<PanelId> asked_of(std::span<const PanelId> tabs, std::span<const PanelId> asked) {
    const auto found = std::find_if(asked.begin(), asked.end(), [&](PanelId panel) {
        return std::find(tabs.begin(), tabs.end(), panel) != tabs.end();
    });
    return found == asked.end() ? std::nullopt : std::optional(*found);
}

class Builder {
public:
    Builder(const DockRequest& request, const Ui& ui) : request_(request), ui_(ui) {}

    void build(const LayoutNode& tree, ImGuiID node) {
        if (tree.kind == LayoutNode::Kind::Dock) {
            fill_dock(tree.dock, node);
            return;
        }
        const bool is_row = tree.kind == LayoutNode::Kind::Row;
        const auto rest = std::find_if(tree.children.begin(), tree.children.end(),
                                       [](const LayoutNode& c) { return c.size == 0; });
        for (auto child = tree.children.begin(); child != rest; ++child)
            build(*child,
                  split_off(node, is_row ? ImGuiDir_Left : ImGuiDir_Up, ui_.px(child->size)));
        // Then from the other end, the last child first, as far as the one that takes what is left.
        for (auto child = tree.children.end(); child != rest && --child != rest;)
            build(*child,
                  split_off(node, is_row ? ImGuiDir_Right : ImGuiDir_Down, ui_.px(child->size)));
        if (rest != tree.children.end()) build(*rest, node);
    }

private:
    void fill_dock(const Dock& dock, ImGuiID node) {
        for (PanelId panel : dock.tabs)
            ImGui::DockBuilderDockWindow(window_name(request_.layout, panel, ui_.text).c_str(),
                                         node);
        ImGuiDockNode* built = ImGui::DockBuilderGetNode(node);
        if (!dock.tab_bar) built->SetLocalFlags(built->LocalFlags | ImGuiDockNodeFlags_NoTabBar);
        const PanelId front = asked_of(dock.tabs, request_.bring_to_front).value_or(dock.front);
        const Text name = window_name(request_.layout, front, ui_.text);
        built->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(name.c_str()));
    }

    const DockRequest& request_;
    const Ui& ui_;
};

void rebuild(const Ui& ui, const DockRequest& request, ImGuiID root) {
    const Rect& area = request.area;
    ImGui::DockBuilderRemoveNode(root);
    ImGui::DockBuilderAddNode(root, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodePos(root, {area.x, area.y});
    ImGui::DockBuilderSetNodeSize(root, {area.w, area.h});
    Builder(request, ui).build(request.tree, root);
    ImGui::DockBuilderFinish(root);
}

constexpr std::size_t kLongestId = 64;

// "###explore/stage"; `out` is filled with zeros and stays ended by one.
void put_id(LayoutName layout, PanelId panel, std::span<char> out) {
    const std::string_view parts[] = {"###", name_of(layout), "/", row_of(panel).name};
    std::size_t at = 0;
    for (const std::string_view part : parts) at += part.copy(&out[at], out.size() - 1 - at);
}

void collect(const LayoutNode& node, List<PanelId>& panels) {
    panels.insert(panels.end(), node.dock.tabs.begin(), node.dock.tabs.end());
    for (const LayoutNode& child : node.children) collect(child, panels);
}

bool holds_keyboard(const ImGuiWindow* window) {
    const ImGuiWindow* nav = ImGui::GetCurrentContext()->NavWindow;
    return nav != nullptr &&
           (nav == window || nav->RootWindow == window || nav->ParentWindow == window);
}

// The race and a weighed recording spread over the window when they come to the front, and what
// stands beside their tab then brings Explore back.
bool leads_to_another_layout(LayoutName layout, PanelId panel) {
    if (const auto spread = spread_panel(layout)) return panel != *spread;
    return layout == LayoutName::Explore && (panel == PanelId::Race || panel == PanelId::WhatIf);
}

// The keyboard goes to the next panel in reading order of the tree; a panel behind another comes to
// the front.
void move_keyboard(const DockRequest& request, std::span<const PanelId> panels) {
    List<ImGuiWindow*> windows;
    for (PanelId panel : panels)
        if (!leads_to_another_layout(request.layout, panel))
            if (ImGuiWindow* window = window_of(request.layout, panel)) windows.push_back(window);
    if (windows.empty()) return;
    const auto now = std::find_if(windows.begin(), windows.end(), holds_keyboard);
    const int n = static_cast<int>(windows.size()), step = request.panel_step;
    const int from =
        now == windows.end() ? (step > 0 ? -1 : 0) : static_cast<int>(now - windows.begin());
    ImGuiWindow* next = windows[static_cast<std::size_t>(((from + step) % n + n) % n)];
    ImGui::FocusWindow(next);
    ImGui::SetNavID(0, ImGuiNavLayer_Main, 0, ImRect());
    ImGui::SetNavCursorVisible(true);
}

// The panel that the keyboard came to while none of its controls has it; else null.
ImGuiWindow* awaits_keyboard(const DockRequest& request, std::span<const PanelId> panels) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.NavWindow == nullptr || g.NavId != 0 || !g.NavCursorVisible) return nullptr;
    const bool is_panel = std::any_of(panels.begin(), panels.end(), [&](PanelId panel) {
        return window_of(request.layout, panel) == g.NavWindow;
    });
    return is_panel ? g.NavWindow : nullptr;
}

// The same as window_name, put together for every panel of every frame without asking for memory;
// of a title that is too long the end is left out, never the id.
class PanelName {
public:
    PanelName(LayoutName layout, PanelId panel, std::string_view title) {
        const std::size_t n = title.copy(name_.data(), name_.size() / 2);
        put_id(layout, panel, std::span(name_).subspan(n));
    }
    const char* c_str() const { return name_.data(); }

private:
    std::array<char, 2 * kLongestId> name_{};
};

TabWords words_of(const Ui& ui, const DockRequest& request, PanelId panel) {
    if (request.words) return request.words(panel);
    return {ui.text[row_of(panel).title], {}};
}

void draw_panel_window(const Ui& ui, const DockRequest& request, PanelId panel, bool in_front,
                       const std::function<void(PanelId)>& draw) {
    const PanelName name(request.layout, panel, words_of(ui, request, panel).title);
    if (in_front) ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(9)});
    bool visible = false;
    {
        const ImGuiWindow* known = window_of(request.layout, panel);
        const SilentTab tab(known);
        // What appears takes the keyboard, and with it the front of its dock; one that is asked for
        // is not to lose both to those that come with it.
        const bool stays_back = !in_front && !request.bring_to_front.empty();
        visible = ImGui::Begin(name.c_str(), nullptr,
                               ImGuiWindowFlags_NoCollapse |
                                   (is_in_dock(known) ? ImGuiWindowFlags_NoBackground : 0) |
                                   (stays_back ? ImGuiWindowFlags_NoFocusOnAppearing : 0));
    }
    ImGui::PopStyleVar();
    if (visible) {
        const ImGuiWindow* window = ImGui::GetCurrentWindow();
        if (is_crowded(ui, window))
            draw_leaves_out_line(ui, panel, request.show_leaves_out && holds_keyboard(window));
        draw(panel);
        paint_panel_outline(ui);
    }
    ImGui::End();
}

// The first panel of each dock that is asked for.
List<PanelId> in_front(const LayoutNode& node, std::span<const PanelId> asked) {
    List<PanelId> front;
    if (asked.empty()) return front;
    if (const auto here = asked_of(node.dock.tabs, asked)) front.push_back(*here);
    for (const LayoutNode& child : node.children)
        for (const PanelId panel : in_front(child, asked)) front.push_back(panel);
    return front;
}

// Draws the panels of the docks. Where the keyboard is to land in one, its first control takes it
// while the panel is drawn; a panel behind another is not drawn before the next frame. One without
// controls has the ring itself.
void draw_panels(const Ui& ui, const DockRequest& request, std::span<const PanelId> panels,
                 const std::function<void(PanelId)>& draw) {
    ImGuiWindow* lands_on = awaits_keyboard(request, panels);
    if (lands_on != nullptr) ImGui::NavInitWindow(lands_on, true);
    const List<PanelId> front = in_front(request.tree, request.bring_to_front);
    for (PanelId panel : panels)
        draw_panel_window(ui, request, panel,
                          std::find(front.begin(), front.end(), panel) != front.end(), draw);
    if (lands_on == nullptr || ImGui::GetCurrentContext()->NavInitResult.ID != 0) return;
    const ImRect edge = lands_on->InnerRect;
    ImGui::GetForegroundDrawList()->AddRect(edge.Min, edge.Max, im(ui.colors.focus), 0.0f,
                                            ui.px(2));
}

}  // namespace

Text window_name(LayoutName layout, PanelId panel, const Texts& text) {
    const PanelRow& info = row_of(panel);
    return Text(text[info.title]) + "###" + Text(name_of(layout)) + "/" + Text(info.name);
}

// Found by its id alone, which the title in front of ### is no part of: this is asked in every
// frame, and nothing is put together for it.
ImGuiWindow* window_of(LayoutName layout, PanelId panel) {
    std::array<char, kLongestId> name{};
    put_id(layout, panel, name);
    return ImGui::FindWindowByID(ImHashStr(name.data()));
}

std::optional<Rect> panel_in_view(LayoutName layout, PanelId panel) {
    const ImGuiWindow* window = window_of(layout, panel);
    if (window == nullptr || !window->WasActive || window->Hidden) return std::nullopt;
    const ImGuiDockNode* node = window->DockNode;
    if (node == nullptr) return Rect{window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
    if (node->VisibleWindow != window) return std::nullopt;
    return Rect{node->Pos.x, node->Pos.y, node->Size.x, node->Size.y};
}

void draw_docks(const Ui& ui, const DockRequest& request,
                const std::function<void(PanelId)>& draw) {
    const Rect& area = request.area;
    const ImGuiID root = root_id(request.layout);
    if (request.rebuild || ImGui::DockBuilderGetNode(root) == nullptr) rebuild(ui, request, root);

    ImGui::SetNextWindowPos({area.x, area.y});
    ImGui::SetNextWindowSize({area.w, area.h});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    constexpr ImGuiWindowFlags kHost = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoBringToFrontOnFocus |
                                       ImGuiWindowFlags_NoNavFocus;
    ImGui::Begin("###docks", nullptr, kHost);
    ImGui::PopStyleVar(2);
    List<PanelId> panels;
    panels.reserve(panel_table().size());
    collect(request.tree, panels);
    const Rect logical{0, 0, area.w / ui.unit, area.h / ui.unit};
    const auto words = [&](PanelId panel) { return words_of(ui, request, panel); };
    const float half_pad = tab_half_pad(ui, place_docks(request.tree, logical), std::ref(words));
    paint_dock_chrome(ui, request.layout, panels, half_pad, std::ref(words));
    {
        const TabMetrics metrics(ui, half_pad);
        ImGui::DockSpace(root, {0, 0},
                         ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton);
    }
    ImGui::End();

    if (request.panel_step != 0) move_keyboard(request, panels);
    draw_panels(ui, request, panels, draw);
    draw_leaves_out_links(ui, request.layout, panels, request.caption, request.show_leaves_out);
}

}  // namespace kv
