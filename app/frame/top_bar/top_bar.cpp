#include "app/frame/top_bar/top_bar.hpp"

#include <array>
#include <span>

#include "app/frame/top_bar/menus.hpp"
#include "app/frame/top_bar/words.hpp"
#include "app/panels/bill/bill.hpp"
#include "app/widgets/bare_window.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct LayoutTab {
    LayoutName layout;
    TextId label;
    CommandId command;
    std::string_view key;
};
constexpr std::array<LayoutTab, 5> kTabs{
    {{LayoutName::Learn, "layout.learn"_t, "layout.learn", "F1"},
     {LayoutName::Explore, "layout.explore"_t, "layout.explore", "F2"},
     {LayoutName::Present, "layout.present"_t, "layout.present", "F3"},
     {LayoutName::Compare, "layout.compare"_t, "layout.compare", "F4"},
     {LayoutName::Attach, "layout.attach"_t, "layout.attach", "F6"}}};

// Attach is the last one, and is not offered where no server can be called.
std::span<const LayoutTab> tabs_of(const AppState& state) {
    if (state.layouts_outside) return {};
    return std::span(kTabs).first(state.attach.can_connect ? kTabs.size() : kTabs.size() - 1);
}

const LayoutTab& tab_of(LayoutName layout) {
    return kTabs[static_cast<std::size_t>(host_of(layout))];
}

constexpr float kTabHeight = 28, kTabPad = 12, kMenuPad = 11, kCapGap = 8, kCapEdge = 5,
                kMenuMark = 9;

TextStyle tab_style(const Ui& ui, bool on) {
    TextStyle style = type::body(ui);
    style.font = on ? ui.fonts.semibold : ui.fonts.regular;
    style.color = on ? ui.colors.app : ui.colors.text2;
    return style;
}

float tab_width(const Ui& ui, const LayoutTab& tab, bool key_caps) {
    const float label = text_width(ui, tab_style(ui, true), ui.text[tab.label]);
    const float after =
        key_caps ? ui.px(kCapGap) + key_cap_width(ui, tab.key) + ui.px(kCapEdge) : ui.px(kTabPad);
    return ui.px(kTabPad) + label + after;
}

void draw_menu_popup(const Ui& ui, const AppState& state, const MenuHead& head) {
    if (!ImGui::BeginPopup(head.id)) return;
    draw_menu(ui, state, head.title);
    ImGui::EndPopup();
}

void draw_menus(const Ui& ui, const Painter& p, const AppState& state, float& x, float y) {
    for (const MenuHead& head : menu_heads()) {
        const TextStyle style = type::body(ui);
        const float width = text_width(ui, style, ui.text[head.label]) + ui.px(2 * kMenuPad);
        ImGui::SetCursorScreenPos({x, y});
        const Hit hit = hit_item(head.id, {width, ui.px(kTabHeight)});
        const bool open = ImGui::IsPopupOpen(head.id);
        if (hit.hovered || open) fill(p, hit.rect, ui.colors.hover_wash(), 4);
        text_in(p,
                aligned(colored(style, hit.hovered || open ? ui.colors.text : ui.colors.text2),
                        Align::Center),
                hit.rect, ui.text[head.label]);
        if (hit.focused) focus_ring(p, hit.rect);
        if (hit.pressed) ImGui::OpenPopup(head.id);
        ImGui::SetNextWindowPos({hit.rect.x, hit.rect.bottom() + ui.px(6)});
        draw_menu_popup(ui, state, head);
        x += width;
    }
}

// On the light tab the key's box is an outline, so that the tab stays one piece.
void draw_tab_key(const Painter& p, const Rect& tab, std::string_view key, bool on) {
    const float width = key_cap_width(p.ui, key), x = tab.right() - p.ui.px(kCapEdge) - width;
    if (!on) return draw_key_cap(p, {x, tab.center().y}, key);
    const float height = p.ui.px(19);
    const Rect box = snap({x, tab.center().y - height / 2, width, height});
    outline(p, box, mix(p.ui.colors.text, p.ui.colors.app, 0.5), 3);
    text_in(p, aligned(colored(type::tick_label(p.ui), p.ui.colors.app), Align::Center), box, key);
}

void draw_tabs(const Ui& ui, const Painter& p, const AppState& state, bool key_caps, float& x,
               float y) {
    for (const LayoutTab& tab : tabs_of(state)) {
        const bool on = host_of(state.layout) == tab.layout && !state.start.open;
        const float width = tab_width(ui, tab, key_caps);
        ImGui::SetCursorScreenPos({x, y});
        const Hit hit =
            hit_item(std::string(row_of(tab.command).name).c_str(), {width, ui.px(kTabHeight)});
        if (on)
            fill(p, hit.rect, ui.colors.text, 4);
        else if (hit.hovered)
            fill(p, hit.rect, ui.colors.hover_wash(), 4);
        const Rect label{hit.rect.x + ui.px(kTabPad), hit.rect.y, hit.rect.w, hit.rect.h};
        text_in(p, tab_style(ui, on), {label.x, label.y, 0, label.h}, ui.text[tab.label]);
        if (key_caps) draw_tab_key(p, hit.rect, tab.key, on);
        if (hit.focused) focus_ring(p, hit.rect);
        if (hit.pressed) ui.out.push(tab.command);
        x += width + ui.px(4);
    }
}

// The layout in use is the title of the menu of all five, where their tabs have no room.
float layout_menu_width(const Ui& ui, LayoutName layout) {
    const LayoutTab& tab = tab_of(layout);
    return ui.px(2 * kTabPad + kCapGap + kMenuMark) +
           text_width(ui, tab_style(ui, true), ui.text[tab.label]);
}

void draw_layout_menu(const Ui& ui, const Painter& p, const AppState& state, float x, float y) {
    const LayoutName layout = host_of(state.layout);
    const char* id = "###menu/layout";
    ImGui::SetCursorScreenPos({x, y});
    const Hit hit = hit_item(id, {layout_menu_width(ui, layout), ui.px(kTabHeight)});
    fill(p, hit.rect, ui.colors.text, 4);
    text_in(p, tab_style(ui, true), {hit.rect.x + ui.px(kTabPad), hit.rect.y, 0, hit.rect.h},
            ui.text[tab_of(layout).label]);
    chevron(p, {hit.rect.right() - ui.px(kTabPad + kMenuMark / 2), hit.rect.center().y}, kMenuMark,
            Dir::Down, ui.colors.app);
    if (hit.focused) focus_ring(p, hit.rect);
    if (hit.pressed) ImGui::OpenPopup(id);
    ImGui::SetNextWindowPos({hit.rect.x, hit.rect.bottom() + ui.px(6)});
    if (!ImGui::BeginPopup(id)) return;
    for (const LayoutTab& tab : tabs_of(state))
        if (ImGui::MenuItem(ui.text[tab.label], std::string(tab.key).c_str(), layout == tab.layout))
            ui.out.push(tab.command);
    ImGui::EndPopup();
}

void draw_right_side(const Ui& ui, const Painter& p, const TopBarWords& words,
                     const TopBarPlan& plan, float bar_h) {
    float right = ImGui::GetMainViewport()->Size.x - ui.px(12);
    if (plan.badge) {
        const std::span<const Run> shown =
            plan.badge_text ? std::span<const Run>(words.badge) : std::span<const Run>{};
        right -= badge_width(ui, words.badge_head, shown);
        ImGui::SetCursorScreenPos({right, ui.px(8)});
        if (badge(ui, "###proof", words.badge_head, shown, words.badge_look) && words.can_prove)
            ui.out.push("run.prove");
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
            ImGui::SetTooltip("%s", words.badge_tip.c_str());
        right -= ui.px(16);
    }
    if (!plan.readout) return;
    const float width = runs_width(ui, words.readout);
    runs_in(p, words.readout, {right - width, 0, width, bar_h});
}

}  // namespace

TopBarPlan plan_top_bar(const TopBarWidths& w, float room) {
    TopBarPlan plan;
    plan.name = w.fixed <= room;
    float left = room - w.fixed + (plan.name ? 0 : w.name);
    const auto take = [&left](float width) {
        const bool fits = width <= left;
        if (fits) left -= width;
        return fits;
    };
    plan.badge = take(w.badge);
    plan.tabs = take(w.tabs);
    plan.key_caps = plan.tabs && take(w.key_caps);
    plan.readout = take(w.readout);
    plan.badge_text = plan.badge && take(w.badge_text);
    return plan;
}

void draw_top_bar(const Ui& ui, const AppState& state, const RunView* run) {
    const float width = ImGui::GetMainViewport()->Size.x, height = ui.px(kTopBar);
    const BareWindow window("###top", {0, 0, width, height}, ui.colors.app);

    const Painter p(ui);
    const TextStyle name =
        with_font(colored(sized(type::section(ui), 15), ui.colors.text), ui.fonts.bold);
    const bool is_page = state.layouts_outside;
    const float menus_x =
        is_page ? ui.px(8) : ui.px(18) + text_width(ui, name, ui.text["app.name"_t]) + ui.px(14);
    const float layout_menu = is_page ? 0 : layout_menu_width(ui, state.layout);
    const float y = ui.px((kTopBar - kTabHeight) / 2);

    TopBarWidths widths;
    widths.fixed = menus_x + ui.px(24 + 32) + layout_menu;
    widths.name = menus_x - ui.px(4);
    widths.tabs = -layout_menu;
    for (const MenuHead& menu : menu_heads())
        widths.fixed += text_width(ui, type::body(ui), ui.text[menu.label]) + ui.px(2 * kMenuPad);
    for (const LayoutTab& tab : tabs_of(state)) {
        widths.tabs += tab_width(ui, tab, false) + ui.px(4);
        widths.key_caps += tab_width(ui, tab, true) - tab_width(ui, tab, false);
    }
    const TopBarWords words = top_bar_words(ui, state, run);
    widths.readout = runs_width(ui, words.readout) + ui.px(24);
    widths.badge = badge_width(ui, words.badge_head, {}) + ui.px(12);
    widths.badge_text = badge_width(ui, words.badge_head, words.badge) + ui.px(12) - widths.badge;
    const TopBarPlan plan = plan_top_bar(widths, width);

    hline(p, 0, width, height - ui.line(), ui.colors.line);
    if (plan.name && !is_page) text_in(p, name, {ui.px(18), 0, 0, height}, ui.text["app.name"_t]);
    float x = plan.name ? menus_x : menus_x - widths.name;
    draw_menus(ui, p, state, x, y);
    x += ui.px(24);
    if (plan.tabs)
        draw_tabs(ui, p, state, plan.key_caps, x, y);
    else if (!is_page)
        draw_layout_menu(ui, p, state, x, y);
    draw_right_side(ui, p, words, plan, height);
}

}  // namespace kv
