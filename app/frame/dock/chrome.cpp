#include "app/frame/dock/chrome.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cfloat>

#include "app/frame/dock/dock.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {
namespace {

// Dear ImGui indents the first tab by its padding, so a title stands twice this far from the dock's
// edge.
constexpr float kHalfPad = 7, kCrowdedHalfPad = 4;

constexpr std::array kSilentButtons{ImGuiCol_Text,          ImGuiCol_ButtonHovered,
                                    ImGuiCol_ButtonActive,  ImGuiCol_TitleBg,
                                    ImGuiCol_TitleBgActive, ImGuiCol_DockingEmptyBg};
constexpr std::array kSilent{ImGuiCol_Text,
                             ImGuiCol_Tab,
                             ImGuiCol_TabHovered,
                             ImGuiCol_TabSelected,
                             ImGuiCol_TabSelectedOverline,
                             ImGuiCol_TabDimmed,
                             ImGuiCol_TabDimmedSelected,
                             ImGuiCol_TabDimmedSelectedOverline};

ImGuiWindow* docked_window(LayoutName layout, PanelId panel) {
    ImGuiWindow* window = window_of(layout, panel);
    return window != nullptr && window->DockNode != nullptr ? window : nullptr;
}

Rect node_rect(const ImGuiDockNode& node) {
    return {node.Pos.x, node.Pos.y, node.Size.x, node.Size.y};
}

bool has_tab_bar(const ImGuiDockNode& node) {
    return node.TabBar != nullptr && !node.IsNoTabBar() && !node.IsHiddenTabBar();
}

// Tabs that do not all fit are scrolled by two buttons at the end of the bar, which Dear ImGui cuts
// off it.
bool is_scrolled(const ImGuiDockNode& node) {
    return node.TabBar->ScrollButtonEnabled;
}

float end_of_tabs(const ImGuiDockNode& node) {
    return is_scrolled(node) ? node.TabBar->BarRect.Max.x : node.Pos.x + node.Size.x;
}

// Paints marks over the two scroll buttons, whose own marks are silent.
void paint_scroll_marks(const Painter& p, const ImGuiDockNode& node) {
    const ImRect bar = node.TabBar->BarRect;
    const float width = ImGui::GetFontSize() - 2.0f;  // of a button
    Rect button{bar.Max.x + 1, bar.Min.y, width, bar.GetHeight()};
    for (const Dir dir : {Dir::Left, Dir::Right}) {
        const bool hovered =
            ImRect(im(button.min()), im(button.max())).Contains(ImGui::GetMousePos());
        chevron(p, button.center(), 9, dir, hovered ? p.ui.colors.text : p.ui.colors.text2);
        button.x += width;
    }
}

// The window is cleared in the color of panels, which are most of it: filling them in software
// would take longer than all that is drawn on them. What shows between them is painted instead.
void paint_gap_around(const Painter& p, const ImGuiDockNode& node) {
    const Rect r = node_rect(node);
    const float gap = p.ui.px(kGap);
    const Color app = p.ui.colors.app;
    p.list.PushClipRectFullScreen();  // the outermost lie outside of the docks' own window
    fill(p, {r.x - gap, r.y - gap, r.w + 2 * gap, gap}, app);
    fill(p, {r.x - gap, r.bottom(), r.w + 2 * gap, gap}, app);
    fill(p, {r.x - gap, r.y, gap, r.h}, app);
    fill(p, {r.right(), r.y, gap, r.h}, app);
    p.list.PopClipRect();
}

void paint_bar(const Painter& p, const ImGuiDockNode& node) {
    const Rect r = node_rect(node);
    const float height = node.TabBar->BarRect.GetHeight();
    fill(p, {r.x, r.y, r.w, height}, p.ui.colors.app);
    hline(p, r.x, r.right(), r.y + height - p.ui.line(), p.ui.colors.line);
}

// What a title leaves out is said of it under the mouse.
void paint_tab(const Painter& p, const ImGuiWindow& window, const TabWords& words, float half_pad) {
    const Ui& ui = p.ui;
    const ImGuiDockNode& node = *window.DockNode;
    const ImRect item = window.DC.DockTabItemRect;
    const float bar_h = node.TabBar->BarRect.GetHeight(), half = ui.px(half_pad), line = ui.line();
    const float left = std::max(node.Pos.x, item.Min.x - half);
    const float right = std::min(item.Max.x + half, end_of_tabs(node));
    if (item.GetWidth() <= 0 || right - left <= 2 * half) return;
    const Rect tab{left, node.Pos.y, right - left, bar_h};
    const bool front = node.VisibleWindow == &window;
    const bool hovered = (window.DC.DockTabItemStatusFlags & ImGuiItemStatusFlags_HoveredRect) != 0;

    if (front) {
        fill(p, tab, ui.colors.panel);
        vline(p, tab.right() - line, tab.y, tab.bottom(), ui.colors.line);
        if (tab.x > node.Pos.x) vline(p, tab.x, tab.y, tab.bottom(), ui.colors.line);
        fill(p, {tab.x + line, tab.y + line, tab.w - 2 * line, ui.px(2)}, ui.colors.text2);
    } else if (hovered) {
        fill(p, {tab.x, tab.y + line, tab.w, tab.h - 2 * line}, ui.colors.hover_wash());
    }
    if (hovered && !words.tip.empty() && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows))
        ImGui::SetTooltip("%s", words.tip.c_str());
    TextStyle style = front ? type::strong(ui) : type::body(ui);
    if (hovered && !front) style.color = ui.colors.text;
    const bool whole = text_width(ui, style, words.title) <= tab.w;
    const Rect room = whole ? tab : Rect{tab.x + half, tab.y, tab.w - half, tab.h};
    text_in(p, aligned(style, whole ? Align::Center : Align::Left), room, words.title);
}

}  // namespace

float tab_half_pad(const Ui& ui, std::span<const DockPlace> places, const TabWordsOf& words) {
    for (const DockPlace& place : places) {
        float width = 0;
        for (PanelId panel : place.dock.tabs)
            width += text_width(ui, type::strong(ui), words(panel).title) + ui.px(4 * kHalfPad);
        if (width > ui.px(place.rect.w)) return kCrowdedHalfPad;
    }
    return kHalfPad;
}

bool is_crowded(const Ui& ui, const ImGuiWindow* window) {
    const ImGuiDockNode* node = window != nullptr ? window->DockNode : nullptr;
    if (node == nullptr || !has_tab_bar(*node)) return false;
    float right = node->Pos.x;
    for (const ImGuiTabItem& tab : node->TabBar->Tabs)
        if (tab.Window != nullptr) right = std::max(right, tab.Window->DC.DockTabItemRect.Max.x);
    const float link = text_width(ui, type::caption(ui), ui.text["leaves_out"_t]);
    return right + link + ui.px(28) > node->Pos.x + node->Size.x;
}

TabMetrics::TabMetrics(const Ui& ui, float half_pad) {
    const ImGuiStyle& style = ImGui::GetStyle();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(half_pad), style.FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing,
                        {ui.px(2 * half_pad), style.ItemInnerSpacing.y});
    // Tabs that do not fit are scrolled, never narrower than their title.
    ImGui::PushStyleVar(ImGuiStyleVar_TabMinWidthShrink, FLT_MAX);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    for (ImGuiCol color : kSilentButtons) ImGui::PushStyleColor(color, IM_COL32(0, 0, 0, 0));
    // The bar between two docks takes the border's colour; the gap is to look like what lies
    // behind.
    ImGui::PushStyleColor(ImGuiCol_Border, im(ui.colors.app));
}

TabMetrics::~TabMetrics() {
    ImGui::PopStyleColor(static_cast<int>(kSilentButtons.size()) + 1);
    ImGui::PopStyleVar(4);
}

// A panel that was dragged out into a window of its own keeps the stock look.
bool is_in_dock(const ImGuiWindow* window) {
    const ImGuiDockNode* node = window != nullptr ? window->DockNode : nullptr;
    return node != nullptr &&
           ImGui::DockNodeGetRootNode(const_cast<ImGuiDockNode*>(node))->IsDockSpace();
}

SilentTab::SilentTab(const ImGuiWindow* window) {
    if (!is_in_dock(window)) return;
    for (ImGuiCol color : kSilent) ImGui::PushStyleColor(color, IM_COL32(0, 0, 0, 0));
    pushed_ = static_cast<int>(kSilent.size());
}

SilentTab::~SilentTab() {
    ImGui::PopStyleColor(pushed_);
}

void paint_dock_chrome(const Ui& ui, LayoutName layout, std::span<const PanelId> panels,
                       float half_pad, const TabWordsOf& words) {
    const Painter p(ui);
    List<const ImGuiDockNode*> painted;
    painted.reserve(panels.size());
    for (PanelId panel : panels) {
        const ImGuiWindow* window = docked_window(layout, panel);
        if (window == nullptr) continue;
        const bool bar = has_tab_bar(*window->DockNode);
        if (std::find(painted.begin(), painted.end(), window->DockNode) == painted.end()) {
            paint_gap_around(p, *window->DockNode);
            if (bar) paint_bar(p, *window->DockNode);
            if (bar && is_scrolled(*window->DockNode)) paint_scroll_marks(p, *window->DockNode);
            painted.push_back(window->DockNode);
        }
        if (bar) paint_tab(p, *window, words(panel), half_pad);
    }
}

void paint_panel_outline(const Ui& ui) {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const Painter p(ui);
    p.list.PushClipRectFullScreen();
    const Rect whole = window->DockNode != nullptr
                           ? node_rect(*window->DockNode)
                           : Rect{window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
    outline(p, whole, ui.colors.line);
    p.list.PopClipRect();
}

}  // namespace kv
