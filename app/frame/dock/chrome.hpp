#pragma once
// The look of a dock: a hairline around panel and tab bar, the front tab open to the panel below
// it, a light line over it, its title in semibold. Dear ImGui lays the tabs out and takes the
// clicks; this paints them, because its own tabs cannot stand flush with the panel's edge.

#include <imgui.h>

#include <functional>
#include <span>

#include "app/frame/state/layout.hpp"
#include "app/shell/ui.hpp"

struct ImGuiWindow;

namespace kv {

// Half the room between a title and its tab's edge, in logical pixels: 7, or 4 when some dock has
// more tabs than fit.
using TabWordsOf = std::function<TabWords(PanelId)>;
float tab_half_pad(const Ui& ui, std::span<const DockPlace> places, const TabWordsOf& words);

// Whether the tabs of this window's dock reach so far right that the link at their end has no room.
bool is_crowded(const Ui& ui, const ImGuiWindow* window);

// While one lives, tabs have `half_pad` beside their title and the dock space paints no bars.
class TabMetrics {
public:
    TabMetrics(const Ui& ui, float half_pad);
    ~TabMetrics();
    TabMetrics(const TabMetrics&) = delete;
    TabMetrics& operator=(const TabMetrics&) = delete;
};

bool is_in_dock(const ImGuiWindow* window);  // not: dragged out, or not there yet

// While one lives around the Begin() of a docked panel, its tab paints nothing itself.
class SilentTab {
public:
    explicit SilentTab(const ImGuiWindow* window);
    ~SilentTab();
    SilentTab(const SilentTab&) = delete;
    SilentTab& operator=(const SilentTab&) = delete;

private:
    int pushed_ = 0;
};

// Into the current window's list, below the docks. Tabs stand where they stood in the last frame.
void paint_dock_chrome(const Ui& ui, LayoutName layout, std::span<const PanelId> panels,
                       float half_pad, const TabWordsOf& words);

// Into the list of a panel's own window: the part of the outline that the window would cover.
void paint_panel_outline(const Ui& ui);

}  // namespace kv
