#include "app/frame/state/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, kAllLayouts> kNames{
    "learn", "explore", "present", "compare",  "attach", "race",   "figure",
    "page",  "whatif",  "connect", "recorded", "groups", "servers"};

LayoutNode dock(float size, List<PanelId> tabs, PanelId front) {
    return {.kind = LayoutNode::Kind::Dock,
            .size = size,
            .children = {},
            .dock = {std::move(tabs), front, true}};
}
LayoutNode dock(float size, PanelId only) {
    return dock(size, {only}, only);
}
LayoutNode bare(float size, PanelId only) {
    LayoutNode node = dock(size, only);
    node.dock.tab_bar = false;
    return node;
}
LayoutNode row(float size, List<LayoutNode> children) {
    return {
        .kind = LayoutNode::Kind::Row, .size = size, .children = std::move(children), .dock = {}};
}
LayoutNode column(float size, List<LayoutNode> children) {
    return {.kind = LayoutNode::Kind::Column,
            .size = size,
            .children = std::move(children),
            .dock = {}};
}

// The window that the layouts are designed for, and sizes from which on there is room for more. All
// are logical pixels, as every extent of a tree.
constexpr float kDesignWidth = 1920, kDesignHeight = 1080;
constexpr float kMediumFrom = 1440, kLargeFrom = 1600, kWideFrom = 1900;
constexpr float kLowBelow = 800, kHighFrom = 1000;

// The extent that the design has in a window of `designed_for`, shrunk with the window but never
// below its minimum: 296 of 1,920 is 278 of 1,800, and 276 in whatever is smaller.
float scaled(float design, float minimum, float window, float designed_for) {
    return std::clamp(std::round(design * window / designed_for), minimum,
                      std::max(design, minimum));
}
float scaled_width(float design, float minimum, Vec2 window) {
    return scaled(design, minimum, window.x, kDesignWidth);
}
float scaled_height(float design, float minimum, Vec2 window) {
    return scaled(design, minimum, window.y, kDesignHeight);
}

// Below the smallest window of the design (or with text twice as large in a larger one) two docks
// and a lower bar are all that can be read.
bool is_tiny(Vec2 window) {
    return window.x < 1100 || window.y < 640;
}

// What stands below has no room side by side: it becomes tabs.
bool is_small(Vec2 window) {
    return window.x < kMediumFrom || window.y < 900;
}

// The width of a phone: one dock, whose front one is the picture.
bool is_phone(Vec2 window) {
    return window.x < 600;
}

LayoutNode learn(Vec2 window) {
    using enum PanelId;
    if (is_phone(window))
        return column(0, {dock(0,
                               {Stage, Inspector, MiniCharts, Lesson, Code, Glossary, Notes,
                                Attention, Equation, Calculator},
                               Stage),
                          bare(88, Transport)});
    const bool narrow = window.x < kLargeFrom, very_narrow = window.x < 1280;
    const float lesson = narrow ? 436 : scaled_width(436, 360, window),
                right = scaled_width(468, 360, window);
    const float bottom = scaled_height(252, 160, window);
    const float mini = scaled_width(662, 320, window);
    List<PanelId> left_tabs{Lesson, Code, Glossary, Notes},
        right_tabs{Inspector, Attention, Equation};

    if (is_tiny(window))
        return column(
            0,
            {row(0, {dock(std::round(window.x * 0.4f),
                          {Lesson, Code, Glossary, Notes, Inspector, Attention, Equation}, Lesson),
                     dock(0, {Stage, Calculator, MiniCharts}, Stage)}),
             bare(88, Transport)});
    List<LayoutNode> top, low;
    if (narrow) {
        left_tabs.insert(left_tabs.begin() + 2, right_tabs.begin(), right_tabs.end());
        if (very_narrow) left_tabs.push_back(MiniCharts);
        top = {dock(lesson, left_tabs, Lesson), dock(0, {Stage, Calculator}, Stage)};
    } else {
        top = {dock(lesson, left_tabs, Lesson), dock(0, {Stage, Calculator}, Stage),
               dock(right, right_tabs, Inspector)};
    }
    low = {bare(0, Transport)};
    if (!very_narrow) low.push_back(bare(mini, MiniCharts));
    return column(0, {row(0, std::move(top)), row(bottom, std::move(low))});
}

// The text and one picture; nothing else stands beside them.
LayoutNode one_figure(Vec2 window) {
    using enum PanelId;
    if (is_phone(window))
        return column(
            0, {dock(0, {Figure, Lesson, Code, Glossary, Notes}, Figure), bare(50, Transport)});
    const float lesson = window.x >= kWideFrom    ? 560
                         : window.x >= kLargeFrom ? scaled_width(560, 440, window)
                         : is_tiny(window)        ? std::round(window.x * 0.4f)
                                           : std::min(440.0f, window.x - 2 * kGap - kGap - 832);
    const List<PanelId> left{Lesson, Code, Glossary, Notes};
    if (is_tiny(window))
        return column(0,
                      {row(0, {dock(lesson, left, Lesson), bare(0, Figure)}), bare(50, Transport)});
    return row(0, {dock(std::max(lesson, 360.0f), left, Lesson),
                   column(0, {bare(0, Figure), bare(64, Transport)})});
}

// The text, and beside it one panel of a recording in large, the others behind it.
LayoutNode recorded(Vec2 window) {
    using enum PanelId;
    if (is_phone(window))
        return column(0, {bare(64, AttachStrip),
                          dock(0,
                               {AttachPool, AttachTree, AttachLost, AttachCharts, AttachAges,
                                AttachLog, WhatIf, Lesson, Code, Glossary, Notes},
                               AttachPool),
                          bare(96, AttachStream)});
    const float lesson = is_tiny(window)          ? std::round(window.x * 0.4f)
                         : window.x >= kWideFrom  ? 560
                         : window.x >= kLargeFrom ? scaled_width(560, 440, window)
                                                  : 436;
    return row(0, {dock(lesson, {Lesson, Code, Glossary, Notes}, Lesson),
                   column(0, {bare(64, AttachStrip),
                              dock(0,
                                   {AttachPool, AttachTree, AttachLost, AttachCharts, AttachAges,
                                    AttachLog, WhatIf},
                                   AttachPool),
                              bare(scaled_height(188, 130, window), AttachStream)})});
}

LayoutNode explore_in_one_dock() {
    using enum PanelId;
    return column(
        0, {dock(0,
                 {Stage, Inspector, Charts, Settings, Requests, Prefix, Race, WhatIf, Calculator,
                  Price, Drafts, Equation, Roofline, Attention, Bytes, Channels, Xray, Events},
                 Stage),
            bare(72, Transport)});
}

LayoutNode explore_in_two_docks(Vec2 window) {
    using enum PanelId;
    return column(
        0, {row(0, {dock(0,
                         {Stage, Race, WhatIf, Calculator, Settings, Requests, Prefix, Charts,
                          Price, Drafts},
                         Stage),
                    dock(std::round(window.x * 0.4f),
                         {Equation, Roofline, Inspector, Attention, Bytes, Channels, Xray, Events},
                         Equation)}),
            bare(72, Transport)});
}

// The tabs of the left and the middle column, which take in what the window has no room for.
struct ExploreTabs {
    List<PanelId> beside{PanelId::Settings, PanelId::Requests, PanelId::Prefix};
    List<PanelId> picture{PanelId::Stage, PanelId::Race, PanelId::WhatIf, PanelId::Calculator};
    List<PanelId> charts{PanelId::Charts, PanelId::Drafts, PanelId::Price};
};
ExploreTabs explore_tabs(Vec2 window) {
    ExploreTabs tabs;
    const bool is_low = window.y < kLowBelow, is_narrow = window.x < kMediumFrom;
    // Where all tabs of the middle stand in one bar, what they leave out would not fit behind them.
    (is_low && is_narrow ? tabs.beside : tabs.charts).push_back(PanelId::Channels);
    if (is_narrow)  // the tabs at the right would not fit
        for (const PanelId panel : {PanelId::Xray, PanelId::Roofline}) tabs.charts.push_back(panel);
    return tabs;
}

// The groups of Settings stand above the fold; a low window has no room for the requests below.
LayoutNode explore_left(Vec2 window, List<PanelId> tabs) {
    using enum PanelId;
    const float width = scaled_width(296, 276, window);
    if (window.y < kHighFrom) return column(width, {dock(0, std::move(tabs), Settings)});
    return column(width, {dock(0, Settings),
                          dock(scaled_height(276, 180, window), {Requests, Prefix}, Requests)});
}

// A low window has one room for Stage and charts, so that a sentence and its pool stand whole.
LayoutNode explore_middle(Vec2 window, List<PanelId> picture, List<PanelId> charts) {
    using enum PanelId;
    if (window.y < kLowBelow) {
        picture.insert(picture.end(), charts.begin(), charts.end());
        return column(0, {dock(0, std::move(picture), Stage)});
    }
    return column(0, {dock(0, std::move(picture), Stage),
                      dock(scaled_height(372, 200, window), std::move(charts), Charts)});
}

// Right of the picture: one dock, a column of two, or a column of the token and one of the run.
void add_explore_right(List<LayoutNode>& columns, Vec2 window) {
    using enum PanelId;
    const float attention = scaled_height(420, 300, window);
    if (window.x < kMediumFrom) {
        columns.push_back(dock(scaled(388, 360, window.x, kMediumFrom),
                               {Equation, Inspector, Attention, Bytes, Events}, Equation));
        return;
    }
    if (window.x < kLargeFrom) {
        columns.push_back(
            column(scaled(388, 340, window.x, kLargeFrom),
                   {dock(0, {Equation, Roofline, Events}, Equation),
                    dock(attention, {Attention, Inspector, Bytes, Xray}, Attention)}));
        return;
    }
    columns.push_back(
        column(scaled_width(384, 340, window),
               {dock(attention, Attention), dock(0, {Bytes, Inspector, Xray}, Bytes)}));
    // Below that width the boxes of the equation take two rows.
    const float equation = window.x < kWideFrom ? std::min(352.0f, std::round(window.y * 0.4f))
                                                : scaled_height(316, 240, window);
    const float run = scaled_width(388, 320, window);
    if (window.y < kHighFrom)  // the log would have one line under both
        columns.push_back(
            column(run, {dock(equation, {Equation, Roofline}, Equation), dock(0, Events)}));
    else
        columns.push_back(
            column(run, {dock(equation, Equation), dock(scaled_height(292, 240, window), Roofline),
                         dock(0, Events)}));
}

LayoutNode explore(Vec2 window) {
    if (is_phone(window)) return explore_in_one_dock();
    if (is_tiny(window)) return explore_in_two_docks(window);
    ExploreTabs tabs = explore_tabs(window);
    List<LayoutNode> columns{
        explore_left(window, std::move(tabs.beside)),
        explore_middle(window, std::move(tabs.picture), std::move(tabs.charts))};
    add_explore_right(columns, window);
    return column(0, {row(0, std::move(columns)), bare(88, PanelId::Transport)});
}

LayoutNode compare(Vec2 window) {
    using enum PanelId;
    if (is_tiny(window))
        return column(
            0, {bare(60, Summary), dock(0, {Left, Right, Memory, Quality, Stage, Events}, Left),
                bare(72, Transport)});
    const float half = std::round((window.x - 3 * kGap) / 2);
    // In a low window the sides get what they need to show all of their parts.
    const bool is_low = window.y < kLowBelow;
    const float low = is_low ? 136 : scaled_height(290, 180, window);
    LayoutNode sides = row(0, {dock(half, Left), dock(0, Right)});
    LayoutNode below = is_small(window)
                           ? dock(low, {Memory, Quality, Stage, Events}, Memory)
                           : row(low, {dock(0, Quality), dock(scaled_width(788, 500, window),
                                                              {Memory, Stage, Events}, Memory)});
    return column(0, {bare(is_low ? 50 : 60, Summary), std::move(sides), std::move(below),
                      bare(88, Transport)});
}

constexpr float kStrip = 64, kGroups = 52;  // a row of cards of ranks; of groups

// A watched server: the strip over all, what it remembers above, what it did below.
LayoutNode attach(Vec2 window, float strip) {
    using enum PanelId;
    if (is_tiny(window))
        return column(
            0, {bare(strip, AttachStrip),
                dock(0, {AttachPool, AttachTree, AttachLost, AttachCharts, AttachAges, AttachLog},
                     AttachPool),
                bare(96, AttachStream)});
    const float pool = scaled_width(832, 480, window);
    const float stream = scaled_height(188, 130, window);
    LayoutNode top =
        row(0, {dock(pool, AttachPool), dock(0, {AttachTree, AttachLost}, AttachTree)});
    if (is_small(window)) {
        top = row(0, {dock(pool, {AttachPool, AttachCharts, AttachAges}, AttachPool),
                      dock(0, {AttachTree, AttachLost, AttachLog}, AttachTree)});
        return column(0, {bare(strip, AttachStrip), std::move(top), bare(stream, AttachStream)});
    }
    const float low = scaled_height(312, 240, window);
    LayoutNode below =
        row(low, {dock(0, AttachCharts), dock(scaled_width(560, 400, window), AttachAges),
                  dock(scaled_width(412, 320, window), AttachLog)});
    return column(0, {bare(strip, AttachStrip), std::move(top), std::move(below),
                      bare(stream, AttachStream)});
}

// Two servers side by side: both with the same room, and what they share below.
LayoutNode servers(Vec2 window) {
    using enum PanelId;
    if (is_tiny(window))
        return column(
            0, {bare(60, Servers),
                dock(0, {ServersLeft, ServersRight, ServersNumbers, ServersCharts, ServersAges},
                     ServersLeft),
                bare(124, ServersStream)});
    const float half = std::round((window.x - 3 * kGap) / 2);
    const bool is_low = is_small(window);
    LayoutNode sides = row(0, {dock(half, ServersLeft), dock(0, ServersRight)});
    LayoutNode below =
        is_low ? dock(scaled_height(300, 200, window), {ServersNumbers, ServersCharts, ServersAges},
                      ServersNumbers)
               : row(scaled_height(312, 290, window),
                     {dock(scaled_width(600, 520, window), ServersNumbers), dock(0, ServersCharts),
                      dock(scaled_width(412, 320, window), ServersAges)});
    return column(0, {bare(is_low ? 50 : 60, Servers), std::move(sides), std::move(below),
                      bare(124, ServersStream)});
}

LayoutNode connect(Vec2 window) {
    using enum PanelId;
    if (is_tiny(window))
        return column(
            0, {dock(0, {Attach, AttachServer, AttachWire}, Attach), bare(72, AttachStream)});
    return column(
        0, {row(0, {dock(0, Attach), column(432, {dock(0, AttachServer), dock(252, AttachWire)})}),
            bare(108, AttachStream)});
}

// A child with a size gets it; the one without gets what the others and the gaps leave. Explore at
// 1920 x 1080 has 1,912 across: 296, 384 and 388 with three gaps of 4 leave 832 for the Stage.
void place(const LayoutNode& node, Rect room, List<DockPlace>& places) {
    if (node.kind == LayoutNode::Kind::Dock) {
        places.push_back({room, node.dock});
        return;
    }
    const bool is_row = node.kind == LayoutNode::Kind::Row;
    float fixed = kGap * static_cast<float>(node.children.size() - 1);
    for (const LayoutNode& child : node.children) fixed += child.size;
    const float rest = std::max(0.0f, (is_row ? room.w : room.h) - fixed);

    for (const LayoutNode& child : node.children) {
        const float extent = child.size > 0 ? child.size : rest;
        place(child,
              is_row ? Rect{room.x, room.y, extent, room.h} : Rect{room.x, room.y, room.w, extent},
              places);
        (is_row ? room.x : room.y) += extent + kGap;
    }
}

}  // namespace

std::string_view name_of(LayoutName layout) {
    return kNames[static_cast<std::size_t>(layout)];
}

LayoutName host_of(LayoutName layout) {
    using enum LayoutName;
    switch (layout) {
        case Race:
        case WhatIf:
            return Explore;
        case Figure:
        case Page:
        case Recorded:
            return Learn;
        case Connect:
        case Groups:
            return Attach;
        case Servers:
            return Compare;
        default:
            return layout;
    }
}

std::optional<LayoutName> layout_named(std::string_view name) {
    for (LayoutName layout : kLayoutNames)
        if (name_of(layout) == name) return layout;
    return std::nullopt;
}

LayoutNode layout_tree(LayoutName layout, Vec2 window) {
    switch (layout) {
        case LayoutName::Learn:
            return learn(window);
        case LayoutName::Explore:
            return explore(window);
        case LayoutName::Compare:
            return compare(window);
        case LayoutName::Attach:
            return attach(window, kStrip);
        case LayoutName::Groups:
            return attach(window, kStrip + kGroups);
        case LayoutName::Servers:
            return servers(window);
        case LayoutName::Connect:
            return connect(window);
        case LayoutName::Recorded:
            return recorded(window);
        case LayoutName::Figure:
            return one_figure(window);
        case LayoutName::Page:
            return dock(0, {PanelId::Lesson, PanelId::Glossary, PanelId::Notes}, PanelId::Lesson);
        case LayoutName::Race:
            return dock(0, {PanelId::Race, PanelId::Stage, PanelId::Charts}, PanelId::Race);
        case LayoutName::WhatIf:
            return dock(0, {PanelId::WhatIf, PanelId::Stage, PanelId::Charts}, PanelId::WhatIf);
        case LayoutName::Present:
            break;
    }
    return {};
}

namespace {

bool add_lesson_tab(LayoutNode& node) {
    if (node.kind == LayoutNode::Kind::Dock) {
        if (!node.dock.tab_bar) return false;
        node.dock.tabs.insert(node.dock.tabs.begin(), {PanelId::Lesson, PanelId::Code});
        node.dock.front = PanelId::Lesson;
        return true;
    }
    return std::any_of(node.children.begin(), node.children.end(), add_lesson_tab);
}

bool has(const LayoutNode& node, PanelId panel) {
    const List<PanelId>& tabs = node.dock.tabs;
    return std::find(tabs.begin(), tabs.end(), panel) != tabs.end() ||
           std::any_of(node.children.begin(), node.children.end(),
                       [&](const LayoutNode& child) { return has(child, panel); });
}

// The dock with tabs in which `beside` lies.
Dock* dock_with_tabs(LayoutNode& node, PanelId beside) {
    if (node.kind == LayoutNode::Kind::Dock)
        return node.dock.tab_bar && has(node, beside) ? &node.dock : nullptr;
    for (LayoutNode& child : node.children)
        if (Dock* found = dock_with_tabs(child, beside)) return found;
    return nullptr;
}

// Where panels go that a lesson's step names and the layout lacks.
PanelId guest_place(LayoutName layout) {
    switch (layout) {
        case LayoutName::Learn:
            return PanelId::Inspector;
        case LayoutName::Compare:
            return PanelId::Memory;
        default:
            return PanelId::Equation;
    }
}

bool has_place_for_lesson(LayoutName layout) {
    return layout != LayoutName::Learn && layout != LayoutName::Figure &&
           layout != LayoutName::Page && layout != LayoutName::Recorded &&
           layout != LayoutName::Present && layout != LayoutName::Connect &&
           layout != LayoutName::Servers;
}

// Whether a lesson is about what stands there: beside a watched server it is read only where it is
// about servers.
bool is_about(const LayoutNode& tree, std::span<const PanelId> named) {
    return std::any_of(named.begin(), named.end(), [&](PanelId panel) { return has(tree, panel); });
}

LayoutNode tree_beside_lesson(LayoutName layout, Vec2 window, std::span<const PanelId> named) {
    const bool is_server = layout == LayoutName::Attach || layout == LayoutName::Groups;
    if (!has_place_for_lesson(layout) ||
        (is_server && !is_about(layout_tree(LayoutName::Recorded, window), named)))
        return layout_tree(layout, window);
    constexpr float kLesson = 400, kLeastServer = 700;
    const float beside = window.x - kLesson - kGap;
    const bool has_room = is_server ? beside >= kLeastServer : !is_tiny({beside, window.y});
    if (has_room)
        return row(0, {dock(kLesson, {PanelId::Lesson, PanelId::Code}, PanelId::Lesson),
                       layout_tree(layout, {beside, window.y})});
    LayoutNode tree = layout_tree(layout, window);
    add_lesson_tab(tree);
    return tree;
}

}  // namespace

LayoutNode layout_with_lesson(LayoutName layout, Vec2 window, std::span<const PanelId> named) {
    LayoutNode tree = tree_beside_lesson(layout, window, named);
    if (layout == LayoutName::Figure || layout == LayoutName::Page ||
        layout == LayoutName::Connect || shows_servers(layout))
        return tree;
    Dock* guests = dock_with_tabs(tree, guest_place(layout));
    for (const PanelId panel : named)
        if (guests != nullptr && !has(tree, panel)) guests->tabs.push_back(panel);
    return tree;
}

Rect dock_area(Vec2 window) {
    return {kGap, kTopBar + kGap, window.x - 2 * kGap, window.y - kTopBar - 2 * kGap};
}

List<DockPlace> place_docks(const LayoutNode& tree, const Rect& area) {
    List<DockPlace> places;
    places.reserve(16);  // more than any layout has
    place(tree, area, places);
    return places;
}

LayoutNode single_dock(PanelId panel) {
    return dock(0, panel);
}

bool hides_picture(const LayoutNode& tree, PanelId panel) {
    const List<PanelId>& tabs = tree.dock.tabs;
    const auto has = [&](PanelId one) {
        return std::find(tabs.begin(), tabs.end(), one) != tabs.end();
    };
    if (has(panel) && (has(PanelId::Stage) || has(PanelId::Figure) || has(PanelId::AttachPool)))
        return true;
    return std::any_of(tree.children.begin(), tree.children.end(),
                       [&](const LayoutNode& child) { return hides_picture(child, panel); });
}

bool same_structure(const LayoutNode& a, const LayoutNode& b) {
    return a.kind == b.kind && a.dock == b.dock && a.children.size() == b.children.size() &&
           std::equal(a.children.begin(), a.children.end(), b.children.begin(), same_structure);
}

}  // namespace kv
