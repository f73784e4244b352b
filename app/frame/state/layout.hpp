#pragma once
// The five layouts as trees of rows, columns and docks, and the rectangles that follow from a
// window size. Pure: the same size gives the same plan. Sizes are logical pixels; dock.cpp turns
// the tree into docking nodes, and tests/app/frame/layout_test.cpp says where each panel stands.

#include <optional>
#include <span>
#include <string_view>

#include "app/frame/state/panel_table.hpp"
#include "app/shell/geometry.hpp"
#include "core/base/reused.hpp"

namespace kv {

// Race, WhatIf, Figure, Page, Recorded, Connect, Groups and Servers are no layouts of their own:
// they are what Explore looks like while the race or a weighed recording lies over it, Learn while
// a step shows its figure, its text alone, or a recording of a server, Attach while no server has
// said anything or the shown rank has several groups, and Compare while two servers stand side by
// side.
enum class LayoutName : std::uint8_t {
    Learn,
    Explore,
    Present,
    Compare,
    Attach,
    Race,
    Figure,
    Page,
    WhatIf,
    Connect,
    Recorded,
    Groups,
    Servers
};
inline constexpr std::size_t kAllLayouts = 13;
// A watched server is shown, or two of them.
inline bool shows_servers(LayoutName layout) {
    return layout == LayoutName::Attach || layout == LayoutName::Recorded ||
           layout == LayoutName::Groups || layout == LayoutName::Servers;
}
inline constexpr std::array kLayoutNames{LayoutName::Learn, LayoutName::Explore,
                                         LayoutName::Present, LayoutName::Compare,
                                         LayoutName::Attach};
std::string_view name_of(LayoutName layout);  // "learn", ...
// The layout of kLayoutNames that looks so at times. Settings, scenes and pictures know these
// alone.
LayoutName host_of(LayoutName layout);
std::optional<LayoutName> layout_named(std::string_view name);

// The panel that lies over Explore in such a layout.
inline std::optional<PanelId> spread_panel(LayoutName layout) {
    if (layout == LayoutName::Race) return PanelId::Race;
    if (layout == LayoutName::WhatIf) return PanelId::WhatIf;
    return std::nullopt;
}

inline constexpr float kTopBar = 44, kGap = 4, kTabBar = 28;

// One dock: the panels that share a place as tabs, the front one first seen.
struct Dock {
    List<PanelId> tabs;
    PanelId front = PanelId::Stage;
    bool tab_bar = true;
    friend bool operator==(const Dock&, const Dock&) = default;
};

// A row or column of children, or a dock. `size` is the child's extent along its parent; exactly
// one child of a row or column has size 0 and takes what the others leave.
struct LayoutNode {
    enum class Kind : std::uint8_t { Row, Column, Dock } kind = Kind::Dock;
    float size = 0;
    List<LayoutNode> children;
    Dock dock;
    friend bool operator==(const LayoutNode&, const LayoutNode&) = default;
};

// Present has no docks: it is one picture over the whole window.
LayoutNode layout_tree(LayoutName layout, Vec2 window);
// While a lesson is open it is read in every layout: in a column of its own at the left, or as a
// tab where there is no room for one. Panels that its step names and the layout lacks come as tabs:
// beside the Inspector in Learn, the Equation in Explore, the Memory in Compare. Beside a server
// that is watched the lesson stands only where its step names a panel of it.
LayoutNode layout_with_lesson(LayoutName layout, Vec2 window, std::span<const PanelId> named = {});

struct DockPlace {
    Rect rect;
    Dock dock;
};
// Where each dock of the tree lies in `area`; dock_area() is the window below the top bar.
List<DockPlace> place_docks(const LayoutNode& tree, const Rect& area);
Rect dock_area(Vec2 window);
LayoutNode single_dock(PanelId panel);

// The panel shares a dock with the picture of its layout, and would stand in front of it. On a page
// the words of a lesson stand below as well.
bool hides_picture(const LayoutNode& tree, PanelId panel);

// True when two trees differ only in sizes, so that a resize can keep what the person has docked.
bool same_structure(const LayoutNode& a, const LayoutNode& b);

}  // namespace kv
