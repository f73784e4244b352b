#pragma once
// Turns a layout tree into Dear ImGui docking nodes and opens the panels' windows in them. Dear
// ImGui keeps what the person moves; rebuilding is "Reset layout" and what a changed structure
// forces.

#include <imgui.h>

#include <functional>
#include <optional>

#include "app/frame/state/layout.hpp"
#include "app/shell/ui.hpp"
#include "core/base/reused_text.hpp"

struct ImGuiWindow;

namespace kv {

// "Stage###explore/stage": the words may change with the language, the id behind ### may not.
Text window_name(LayoutName layout, PanelId panel, const Texts& text);
// The window of a panel in a layout; null while it was never drawn.
ImGuiWindow* window_of(LayoutName layout, PanelId panel);

struct DockRequest {
    LayoutName layout;
    const LayoutNode& tree;
    Rect area;                                    // pixels
    bool rebuild = false;                         // put every panel back to its place
    List<PanelId> bring_to_front = {};            // of one dock the first of them
    int panel_step = 0;                           // the keyboard goes this many panels on
    std::function<TabWords(PanelId)> words = {};  // of its tab; none: its title
    std::function<Text(PanelId)> caption = {};    // quiet words in the panel's tab bar
    bool show_leaves_out = false;  // open the note of the panel that has the keyboard
};

// Opens the dock space over `area` and draws each panel of the tree through `draw`.
void draw_docks(const Ui& ui, const DockRequest& request, const std::function<void(PanelId)>& draw);

// Where a panel stands, tab bar included; nothing while it is not in front.
std::optional<Rect> panel_in_view(LayoutName layout, PanelId panel);

}  // namespace kv
