#include "app/panels/present/bar.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/controls.hpp"
#include "app/widgets/hit.hpp"
#include "app/widgets/paint/paint.hpp"
#include "core/base/reused.hpp"

namespace kv {
namespace {

constexpr float kEdge = 12, kGap = 24, kPageMark = 20, kPageMarkGap = 4;

// A key and what it does, pressed by the mouse as well.
struct BarKey {
    const char* id;
    std::string_view key;
    TextId words;
    CommandId command;
};
List<BarKey> keys_of(const PresentBarView& view) {
    List<BarKey> keys;
    if (view.can_freeze)
        keys.push_back({"freeze", "B",
                        view.frozen ? "present.bar.frozen"_t : "present.bar.freeze"_t,
                        "present.freeze"});
    if (view.has_code) keys.push_back({"code", "C", "panel.code"_t, "code.show"});
    keys.push_back({"notes", "N", "present.bar.notes"_t, "notes.window"});
    keys.push_back({"size", "Ctrl + -", "present.bar.size"_t, "text.larger"});
    return keys;
}

TextStyle words_of(const Ui& ui, bool strong = false) {
    return {strong ? ui.fonts.bold : ui.fonts.regular, strong ? 16.0f : 15.0f,
            strong ? ui.colors.text : ui.colors.text2};
}

float width_of(const Ui& ui, const BarKey& key) {
    return key_cap_width(ui, key.key) + ui.px(8) + text_width(ui, words_of(ui), ui.text[key.words]);
}

void draw_keys(const Ui& ui, const PresentBarView& view, const Rect& room) {
    const Painter p(ui);
    float x = room.x;
    for (const BarKey& key : keys_of(view)) {
        const float w = width_of(ui, key), cap = key_cap_width(ui, key.key);
        ImGui::SetCursorScreenPos({x, room.y});
        const Hit hit = hit_item(key.id, {w, room.h});
        const bool on = key.command == CommandId("present.freeze") && view.frozen;
        if (hit.hovered || on) fill(p, hit.rect.inset(-ui.px(4)), ui.colors.pressed_wash(), 4);
        draw_key_cap(p, {x, room.center().y}, key.key);
        text_in(p, on ? words_of(ui, true) : words_of(ui),
                {x + cap + ui.px(8), room.y, w - cap, room.h}, ui.text[key.words]);
        if (hit.focused) focus_ring(p, hit.rect);
        if (hit.pressed) ui.out.push(key.command);
        x += w + ui.px(kGap);
    }
}

void draw_marks(const Painter& p, const PresentBarPlan& plan, const PresentBarView& view) {
    const Ui& ui = p.ui;
    for (std::size_t i = 0; i < view.n_pages; ++i) {
        const bool now = i == view.at;
        const float h = ui.px(now ? 10 : 6);
        const Rect mark =
            snap({plan.marks.x + static_cast<float>(i) * plan.mark_pitch,
                  plan.marks.center().y - h / 2, plan.mark_pitch - ui.px(kPageMarkGap), h});
        if (i > view.at)
            outline(p, mark, ui.colors.edge);
        else
            fill(p, mark, now ? ui.colors.focus : ui.colors.text3);
    }
}

}  // namespace

void follow_bar(PresentBarUi& own, bool mouse_moved, double now) {
    if (own.since < 0 || mouse_moved || own.called) own.shown = true, own.since = now;
    own.called = false;
    if (now - own.since >= kBarSeconds) own.shown = false;
}

PresentBarPlan plan_present_bar(const Rect& room, float unit, const PresentBarWidths& widths,
                                std::size_t n_pages) {
    const auto px = [unit](float logical) { return std::round(logical * unit); };
    PresentBarPlan plan;
    plan.bar = {room.x, room.y, room.w, px(kPresentBar)};
    const float h = plan.bar.h;
    plan.leave = {room.x + px(kEdge), room.y + px(7), widths.leave, px(26)};
    float left = plan.leave.right() + px(kGap), right = plan.bar.right() - px(kEdge);
    const auto takes = [&](float width) { return left + width + px(kGap) <= right; };
    // The page stays, then the keys, then the name, then the marks.
    plan.page = {left, room.y, std::min(widths.page, std::max(0.0f, right - left)), h};
    left = plan.page.right() + px(kGap);
    plan.with_keys = takes(widths.keys);
    if (plan.with_keys) {
        plan.keys = {right - widths.keys, room.y, widths.keys, h};
        right = plan.keys.x - px(kGap);
    }
    plan.with_title = widths.title > 0 && takes(widths.title);
    if (plan.with_title) {
        plan.title = {plan.page.x, room.y, widths.title, h};
        plan.page.x = plan.title.right() + px(kPageMarkGap * 3);
        left = plan.page.right() + px(kGap);
    }
    const auto n = static_cast<float>(n_pages);
    plan.mark_pitch = px(kPageMark + kPageMarkGap);
    if (n > 0 && !takes(n * plan.mark_pitch)) plan.mark_pitch = std::floor((right - left) / n);
    plan.with_marks = n > 0 && plan.mark_pitch >= px(kPageMarkGap + 4);
    if (!plan.with_marks) return plan;
    const float w = n * plan.mark_pitch, middle = plan.bar.center().x - w / 2;
    plan.marks = {std::round(std::clamp(middle, left, std::max(left, right - w))), room.y, w, h};
    return plan;
}

void draw_present_bar(const Ui& ui, const PresentBarView& view, const PresentBarUi& own,
                      const Rect& room) {
    const Painter p(ui);
    const std::string_view leave = ui.text["present.bar.leave"_t];
    const ButtonLook look{.dense = true, .key = "Esc"};
    PresentBarWidths widths{std::ceil(button_width(ui, leave, look)),
                            std::ceil(text_width(ui, words_of(ui, true), view.title)),
                            std::ceil(text_width(ui, words_of(ui), view.page)), -ui.px(kGap)};
    for (const BarKey& key : keys_of(view))
        widths.keys += std::ceil(width_of(ui, key)) + ui.px(kGap);
    const PresentBarPlan plan = plan_present_bar(room, ui.unit, widths, view.n_pages);
    if (own.shown) {
        fill(p, plan.bar, ui.colors.app);
        hline(p, plan.bar.x, plan.bar.right(), plan.bar.bottom() - ui.line(), ui.colors.line);
        ImGui::SetCursorScreenPos(im(plan.leave.min()));
        if (button(ui, "leave", leave, look)) ui.out.push("present.leave");
        if (plan.with_title) text_in(p, words_of(ui, true), plan.title, view.title);
        if (plan.with_marks) draw_marks(p, plan, view);
        if (plan.with_keys) draw_keys(ui, view, plan.keys);
    }
    const TextStyle page = words_of(ui);
    text_in(p, page, plan.page, view.page);
    if (own.shown || !view.frozen) return;
    const float x = plan.page.right() + ui.px(kGap);
    draw_key_cap(p, {x, plan.page.center().y}, "B");
    text_in(p, words_of(ui, true),
            {x + key_cap_width(ui, "B") + ui.px(8), plan.page.y, 0, plan.page.h},
            ui.text["present.bar.frozen"_t]);
}

}  // namespace kv
