// The prefix tree of what is cached now: width is blocks beneath, depth tokens from the start;
// under it the prefixes that were hit most.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/panels.hpp"
#include "app/panels/attach/table.hpp"
#include "app/widgets/hit.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr float kTreeAxisW = 56, kTreeLeast = 120, kWordsH = 16, kLeastBarWords = 64;

void draw_tree_axis(const Painter& p, const Rect& room, const Rect& tree, const PrefixPlan& plan) {
    const Ui& ui = p.ui;
    const TextStyle style = aligned(type::tick_label(ui), Align::Right);
    for (const std::uint64_t at : plan.ticks) {
        const float y =
            std::round(tree.y + tree.h * static_cast<float>(at) / static_cast<float>(plan.depth));
        hline(p, tree.x, tree.right(), y, ui.colors.line);
        text_in(p, style, {room.x, y - ui.px(8), ui.px(kTreeAxisW - 8), ui.px(16)},
                with_commas(at));
    }
}

// As wide at its end as what hangs there.
void fill_box(const Painter& p, const PrefixBox& box, Color color) {
    const std::array points{ImVec2{box.x, box.y}, ImVec2{box.x + box.w_top, box.y},
                            ImVec2{box.x + std::max(box.w_bottom, 0.0f), box.y + box.h},
                            ImVec2{box.x, box.y + box.h}};
    p.list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), im(color));
}

// Of many chains: so many strokes as fit, and not one for each.
void draw_crowd(const Painter& p, const Rect& room, Color color) {
    fill(p, room, color);
    const float gap = p.ui.px(4);
    for (float x = room.x + gap; x < room.right(); x += gap)
        vline(p, std::round(x), room.y, room.bottom(), p.ui.colors.panel);
}

void tell_crowd(const Ui& ui, const PrefixCrowd& crowd) {
    const Text said = fill(ui.text["attach.tree.crowd"_t], {{"n", with_commas(crowd.chains)},
                                                            {"blocks", with_commas(crowd.blocks)},
                                                            {"from", with_commas(crowd.from_token)},
                                                            {"to", with_commas(crowd.to_token)}});
    ImGui::SetTooltip("%s", said.c_str());
}

// In bars that have room for some of them, beside the plate.
void draw_bar_words(const Painter& p, const TankTree& tree, const PrefixPlan& plan) {
    const Ui& ui = p.ui;
    for (const PrefixBox& box : plan.boxes) {
        const TreeBar& bar = tree.bars[box.bar];
        const float left = ui.px(bar.plate == 0 ? 4 : kPlate + 6);
        if (bar.words.empty() || box.h < ui.px(kWordsH)) continue;
        const float w = std::min(box.w_top, std::max(box.w_bottom, ui.px(kLeastBarWords)));
        if (w - left < ui.px(kLeastBarWords)) continue;
        const Rect room =
            snap({box.x + left, box.y + ui.px(2), w - left - ui.px(4), ui.px(kWordsH)});
        fill(p, {room.x - ui.px(2), room.y, room.w + ui.px(4), room.h}, ui.colors.panel);
        text_in(p, colored(type::number_small(ui), ui.colors.text), room, bar.words);
    }
}

void draw_tree_boxes(const Ui& ui, const Painter& p, const AttachUi& own, const Rect& room,
                     const PrefixPlan& plan) {
    const TankPicture& tank = own.view->tank;
    ImGui::SetCursorScreenPos({room.x, room.y});
    const Hit hit = hit_item("tree", {std::max(1.0f, room.w), std::max(1.0f, room.h)});
    const ImVec2 mouse = ImGui::GetMousePos();
    const PrefixBox* pointed = hit.hovered ? plan.at({mouse.x, mouse.y}) : nullptr;
    const AgeShades shades(oldest_of(tank.pool.texels));
    for (const PrefixBox& box : plan.boxes) {
        const TreeBar& bar = tank.tree.bars[box.bar];
        const Color color = age_color(ui.colors, shades.of(bar.age_s));
        fill_box(p, box, color);
        const Rect whole = snap({box.x, box.y, box.w_top, box.h});
        if (bar.rootless) hatch(p, whole, ui.colors.text3);
        if (box.w_top >= ui.px(3)) vline(p, whole.x, whole.y, whole.bottom(), ui.colors.panel);
        if (box.h >= ui.px(3)) hline(p, whole.x, whole.right(), whole.y, ui.colors.panel);
        if (pointed == &box) hover_ring(p, whole, 0);
    }
    const PrefixCrowd* crowd =
        hit.hovered && pointed == nullptr ? plan.crowd_at({mouse.x, mouse.y}) : nullptr;
    for (const PrefixCrowd& one : plan.crowds) {
        draw_crowd(p, snap(one.at), age_color(ui.colors, shades.of(one.age_s)));
        if (crowd == &one) hover_ring(p, snap(one.at), 0);
    }
    List<std::uint32_t> drawn;
    for (const PrefixBox& box : plan.boxes) {
        const std::uint32_t plate = tank.tree.bars[box.bar].plate;
        if (plate == 0) continue;
        const bool selected = plate == own.selected;
        if (selected) selected_outline(p, snap({box.x, box.y, box.w_top, box.h}));
        if (box.w_top < ui.px(kPlate) ||
            std::find(drawn.begin(), drawn.end(), plate) != drawn.end())
            continue;
        drawn.push_back(plate);
        draw_plate(p, {box.x + ui.px(2), box.y + ui.px(2)}, plate, selected);
    }
    draw_bar_words(p, tank.tree, plan);
    if (hit.focused) focus_ring(p, room);
    if (crowd != nullptr) tell_crowd(ui, *crowd);
    if (pointed == nullptr) return;
    const TreeBar& bar = tank.tree.bars[pointed->bar];
    const Text tip =
        fill(ui.text["attach.tree.tip"_t], {{"tokens", with_commas(bar.to_token - bar.from_token)},
                                            {"from", with_commas(bar.from_token)},
                                            {"beneath", with_commas(bar.width_top)}});
    const Text said = bar.words.empty() ? tip
                                        : fill(ui.text["attach.tree.tip_words"_t],
                                               {{"words", bar.words}, {"tip", tip}});
    ImGui::SetTooltip("%s", said.c_str());
    if (hit.pressed && bar.plate != 0) ui.out.push("attach.select", std::uint64_t{bar.plate});
}

}  // namespace

void draw_attach_tree(const Ui& ui, AttachUi& own) {
    const Flush flush;
    if (!own.shows_server()) return draw_no_server(ui, "attach.nothing"_t, "attach.nothing.why"_t);
    const TankPicture& tank = own.view->tank;
    if (tank.tree.width == 0)
        return draw_no_server(ui, "attach.tree.empty"_t, "attach.tree.empty.why"_t);
    const Painter p(ui);
    const Rect room = panel_room();
    const float tree_h = std::max(ui.px(kTreeLeast), std::round(room.h * 0.46f));
    const Rect tree = snap({room.x + ui.px(kTreeAxisW), room.y + ui.px(10),
                            room.w - ui.px(kTreeAxisW), tree_h - ui.px(20)});
    const PrefixPlan plan = plan_prefixes(tank.tree, tree);
    draw_tree_axis(p, room, tree, plan);
    draw_tree_boxes(ui, p, own, tree, plan);
    ImGui::SetCursorScreenPos({room.x, room.y + tree_h});
    draw_hottest(ui, own, std::max(1.0f, room.h - tree_h));
}

}  // namespace kv
