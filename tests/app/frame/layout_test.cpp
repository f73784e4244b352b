#include "app/frame/state/layout.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "app/frame/state/app_state.hpp"
#include "tests/app/seen.hpp"

using namespace kv;
using namespace kv::test;

namespace {

std::optional<DockPlace> place_of(const std::vector<DockPlace>& places, PanelId panel) {
    for (const DockPlace& place : places)
        if (std::find(place.dock.tabs.begin(), place.dock.tabs.end(), panel) !=
            place.dock.tabs.end())
            return place;
    return std::nullopt;
}
Rect rect_of(LayoutName layout, Vec2 window, PanelId panel) {
    const auto place = place_of(place_docks(layout_tree(layout, window), dock_area(window)), panel);
    REQUIRE(place);
    return place->rect;
}
constexpr std::array kDocked{LayoutName::Learn,   LayoutName::Explore,  LayoutName::Compare,
                             LayoutName::Figure,  LayoutName::Page,     LayoutName::Attach,
                             LayoutName::Connect, LayoutName::Recorded, LayoutName::Groups,
                             LayoutName::Servers};

}  // namespace

TEST_CASE("at 1920 x 1080 the panels stand where the design puts them", "[layout]") {
    constexpr Vec2 kFull{1920, 1080};
    using enum PanelId;
    CHECK(rect_of(LayoutName::Learn, kFull, Lesson) == Rect{4, 48, 436, 772});
    CHECK(rect_of(LayoutName::Learn, kFull, Stage) == Rect{444, 48, 1000, 772});
    CHECK(rect_of(LayoutName::Learn, kFull, Inspector) == Rect{1448, 48, 468, 772});
    CHECK(rect_of(LayoutName::Learn, kFull, Transport) == Rect{4, 824, 1246, 252});
    CHECK(rect_of(LayoutName::Learn, kFull, MiniCharts) == Rect{1254, 824, 662, 252});

    CHECK(rect_of(LayoutName::Explore, kFull, Settings) == Rect{4, 48, 296, 656});
    CHECK(rect_of(LayoutName::Explore, kFull, Requests) == Rect{4, 708, 296, 276});
    CHECK(rect_of(LayoutName::Explore, kFull, Stage) == Rect{304, 48, 832, 560});
    CHECK(rect_of(LayoutName::Explore, kFull, Charts) == Rect{304, 612, 832, 372});
    CHECK(rect_of(LayoutName::Explore, kFull, Attention) == Rect{1140, 48, 384, 420});
    CHECK(rect_of(LayoutName::Explore, kFull, Bytes) == Rect{1140, 472, 384, 512});
    CHECK(rect_of(LayoutName::Explore, kFull, Equation) == Rect{1528, 48, 388, 316});
    CHECK(rect_of(LayoutName::Explore, kFull, Roofline) == Rect{1528, 368, 388, 292});
    CHECK(rect_of(LayoutName::Explore, kFull, Events) == Rect{1528, 664, 388, 320});
    CHECK(rect_of(LayoutName::Explore, kFull, Transport) == Rect{4, 988, 1912, 88});

    CHECK(rect_of(LayoutName::Compare, kFull, Left) == Rect{4, 112, 954, 578});
    CHECK(rect_of(LayoutName::Compare, kFull, Right) == Rect{962, 112, 954, 578});
    CHECK(rect_of(LayoutName::Compare, kFull, Quality) == Rect{4, 694, 1120, 290});
    CHECK(rect_of(LayoutName::Compare, kFull, Memory) == Rect{1128, 694, 788, 290});
    // The smallest window: equal halves, high enough for a strip with all its parts.
    CHECK(rect_of(LayoutName::Compare, {1280, 720}, Left) == Rect{4, 102, 634, 382});
    CHECK(rect_of(LayoutName::Compare, {1280, 720}, Right) == Rect{642, 102, 634, 382});
    CHECK(rect_of(LayoutName::Compare, {1280, 720}, Memory) == Rect{4, 488, 1272, 136});
    CHECK(rect_of(LayoutName::Compare, kFull, Transport) == Rect{4, 988, 1912, 88});

    CHECK(rect_of(LayoutName::Attach, kFull, AttachStrip) == Rect{4, 48, 1912, 64});
    CHECK(rect_of(LayoutName::Groups, kFull, AttachStrip) == Rect{4, 48, 1912, 116});
    CHECK(rect_of(LayoutName::Servers, kFull, ServersLeft).w == 954);
    CHECK(rect_of(LayoutName::Servers, kFull, ServersRight).w == 954);
    CHECK(rect_of(LayoutName::Servers, {1280, 720}, ServersLeft).w == 634);
    CHECK(rect_of(LayoutName::Servers, {1280, 720}, ServersRight).w == 634);
}

TEST_CASE("a figure stands alone beside the text of its step", "[layout]") {
    const auto places = place_docks(
        layout_with_lesson(LayoutName::Figure, {1920, 1080}, std::array{PanelId::Bytes}),
        dock_area({1920, 1080}));
    REQUIRE(places.size() == 3);  // what the step names stands in the tank
    CHECK(places[0].dock.front == PanelId::Lesson);
    CHECK(places[0].rect == Rect{4, 48, 560, 1028});
    CHECK(places[1].dock.front == PanelId::Figure);
    CHECK(places[1].rect == Rect{568, 48, 1348, 960});
    CHECK_FALSE(places[1].dock.tab_bar);
    CHECK(places[2].dock.front == PanelId::Transport);
    CHECK(places[2].rect == Rect{568, 1012, 1348, 64});
}

TEST_CASE("a recording stands beside the text of its step, one panel of it in large", "[layout]") {
    const std::array named{PanelId::AttachLost};
    const auto places = place_docks(layout_with_lesson(LayoutName::Recorded, {1920, 1080}, named),
                                    dock_area({1920, 1080}));
    REQUIRE(places.size() == 4);
    CHECK(places[0].dock.front == PanelId::Lesson);
    CHECK(places[0].rect == Rect{4, 48, 560, 1028});
    CHECK(places[1].dock.front == PanelId::AttachStrip);
    CHECK(place_of(places, PanelId::AttachLost)->rect == Rect{568, 116, 1348, 768});
    CHECK(place_of(places, PanelId::WhatIf)->rect == places[2].rect);
    CHECK(places[3].dock.front == PanelId::AttachStream);

    AppState state;
    state.layout = LayoutName::Learn, state.run.lesson.recording = true;
    CHECK(state.docks() == LayoutName::Recorded);
    state.layout = LayoutName::Attach;  // all of it, one key away
    CHECK(state.docks() == LayoutName::Connect);
    // The lesson stands beside the whole server where it is about that, and nowhere else.
    const auto with_lesson = [](Vec2 window, std::span<const PanelId> panels) {
        return place_of(place_docks(layout_with_lesson(LayoutName::Attach, window, panels),
                                    dock_area(window)),
                        PanelId::Lesson)
            .has_value();
    };
    CHECK(with_lesson({1920, 1080}, named));
    CHECK(with_lesson({1280, 720}, named));
    CHECK(with_lesson({1000, 720}, named));  // as a tab
    CHECK_FALSE(with_lesson({1920, 1080}, std::array{PanelId::Stage}));
    CHECK_FALSE(with_lesson({1920, 1080}, {}));
}

TEST_CASE("a page has the whole window to itself", "[layout]") {
    const auto places =
        place_docks(layout_with_lesson(LayoutName::Page, {1920, 1080}, std::array{PanelId::Lesson}),
                    dock_area({1920, 1080}));
    REQUIRE(places.size() == 1);
    CHECK(places[0].dock.front == PanelId::Lesson);
    CHECK(places[0].rect == Rect{4, 48, 1912, 1028});

    AppState state;
    state.layout = LayoutName::Learn, state.run.lesson.page = true;
    CHECK(state.docks() == LayoutName::Page);
    state.layout = LayoutName::Explore;  // the tank stays one key away
    CHECK(state.docks() == LayoutName::Explore);
}

TEST_CASE("a low window gives Settings the whole column, and a lower one the Stage", "[layout]") {
    using enum PanelId;
    constexpr LayoutName kExplore = LayoutName::Explore;
    CHECK(rect_of(kExplore, {1600, 900}, Settings) == rect_of(kExplore, {1600, 900}, Requests));
    CHECK(rect_of(kExplore, {1600, 900}, Settings).h == 756);
    CHECK(rect_of(kExplore, {1600, 900}, Stage).h < 756);
    CHECK(rect_of(kExplore, {1280, 720}, Stage) == rect_of(kExplore, {1280, 720}, Charts));
    CHECK(rect_of(kExplore, {1280, 720}, Stage).h == 576);
    // What the tabs of the Stage leave out stands behind them.
    CHECK(rect_of(kExplore, {1280, 720}, Channels) == rect_of(kExplore, {1280, 720}, Settings));
}

TEST_CASE("in every window the docks tile the room, apart by the gap, in whole pixels",
          "[layout]") {
    for (Vec2 window : {Vec2{960, 540}, Vec2{640, 360}, Vec2{390, 480}, Vec2{360, 400},
                        Vec2{1280, 720}, Vec2{1366, 768}, Vec2{1440, 900}, Vec2{1600, 900},
                        Vec2{1920, 1080}, Vec2{2560, 1440}, Vec2{3840, 2160}})
        for (LayoutName layout : kDocked) {
            INFO(name_of(layout) << " at " << window.x << " x " << window.y);
            const auto places = place_docks(layout_tree(layout, window), dock_area(window));
            const Rect room = dock_area(window);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const Rect& r = places[i].rect;
                CHECK(r.w >= 240);
                CHECK(r.h >= 50);  // a row of buttons with its padding
                CHECK(r.x == static_cast<float>(static_cast<int>(r.x)));
                CHECK(r.w == static_cast<float>(static_cast<int>(r.w)));
                CHECK((r.x >= room.x && r.y >= room.y && r.right() <= room.right() &&
                       r.bottom() <= room.bottom()));
                for (std::size_t j = i + 1; j < places.size(); ++j) {
                    const Rect& o = places[j].rect;
                    CHECK_FALSE(overlap({r.x, r.y, r.w + kGap, r.h + kGap},
                                        {o.x, o.y, o.w + kGap, o.h + kGap}));
                }
            }
        }
}

TEST_CASE("no panel is lost or doubled when a layout narrows", "[layout]") {
    for (LayoutName layout : kDocked) {
        const auto panels = [layout](Vec2 window) {
            std::multiset<int> all;
            for (const DockPlace& place :
                 place_docks(layout_tree(layout, window), dock_area(window))) {
                for (PanelId panel : place.dock.tabs) all.insert(static_cast<int>(panel));
                CHECK(std::find(place.dock.tabs.begin(), place.dock.tabs.end(), place.dock.front) !=
                      place.dock.tabs.end());
            }
            return all;
        };
        const auto wide = panels({1920, 1080});
        CHECK(wide == panels({1500, 900}));
        CHECK(wide == panels({1366, 768}));
        CHECK(wide == panels({1279, 719}));
        CHECK(wide == panels({960, 540}));
        CHECK(wide == panels({390, 480}));
        CHECK(std::set<int>(wide.begin(), wide.end()).size() == wide.size());
    }
}

TEST_CASE("on a phone one dock has the picture in front, as wide as the window", "[layout]") {
    const std::pair<LayoutName, PanelId> fronts[] = {{LayoutName::Learn, PanelId::Stage},
                                                     {LayoutName::Figure, PanelId::Figure},
                                                     {LayoutName::Explore, PanelId::Stage}};
    for (const auto& [layout, front] : fronts) {
        const auto places = place_docks(layout_tree(layout, {390, 480}), dock_area({390, 480}));
        REQUIRE(places.size() == 2);  // the other one is the transport
        CHECK(places[0].dock.front == front);
        CHECK(places[0].rect.w > 380);
        CHECK(hides_picture(layout_tree(layout, {390, 480}), PanelId::Inspector) ==
              (layout != LayoutName::Figure));
        if (layout == LayoutName::Explore) continue;
        CHECK(hides_picture(layout_tree(layout, {390, 480}), PanelId::Lesson));
        CHECK_FALSE(hides_picture(layout_tree(layout, {1000, 480}), PanelId::Lesson));
    }
}

TEST_CASE("every panel but the help stands in some layout", "[layout]") {
    std::set<PanelId> seen;
    for (LayoutName layout : kDocked)
        for (const DockPlace& place :
             place_docks(layout_tree(layout, {1920, 1080}), dock_area({1920, 1080})))
            seen.insert(place.dock.tabs.begin(), place.dock.tabs.end());
    for (const PanelRow& panel : panel_table())
        if (panel.id != PanelId::Help) {
            INFO(panel.name);
            CHECK(seen.contains(panel.id));
        }
}

TEST_CASE("a resize keeps the structure until a threshold is crossed", "[layout]") {
    const auto tree = [](float w) { return layout_tree(LayoutName::Explore, {w, 900}); };
    CHECK(same_structure(tree(1920), tree(1700)));
    CHECK_FALSE(same_structure(tree(1600), tree(1599)));
    CHECK_FALSE(same_structure(tree(1440), tree(1439)));
    CHECK_FALSE(same_structure(layout_tree(LayoutName::Learn, {1600, 900}),
                               layout_tree(LayoutName::Learn, {1599, 900})));
}

TEST_CASE("panel and layout names read back", "[layout]") {
    for (const PanelRow& panel : panel_table()) CHECK(find_panel(panel.name)->id == panel.id);
    CHECK(find_panel("nonsense") == nullptr);
    for (LayoutName layout : kLayoutNames) CHECK(layout_named(name_of(layout)) == layout);
    CHECK_FALSE(layout_named("Learn"));
}
