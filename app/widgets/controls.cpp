#include "app/widgets/controls.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {
namespace {

constexpr float kButtonPad = 14, kKeyGap = 8, kKeyPad = 5, kKeyHeight = 18;

TextStyle button_text(const Ui& ui) {
    return {ui.fonts.medium, 13, ui.colors.text, Align::Left};
}
TextStyle key_text_style(const Ui& ui) {
    return colored(type::tick_label(ui), ui.colors.text2);
}

float button_room(float width) {
    return width > 0 ? width : ImGui::GetContentRegionAvail().x;
}

void key_cap(const Painter& p, Vec2 left, std::string_view key, Color face) {
    const float h = p.ui.px(kKeyHeight);
    const Rect r{left.x, std::floor(left.y - h / 2), key_cap_width(p.ui, key), h};
    fill(p, r, face, 3);
    outline(p, r, p.ui.colors.edge, 3);
    text_in(p, aligned(key_text_style(p.ui), Align::Center), r, key);
}

// Label and key cap as one centred group.
void button_inside(const Painter& p, const Rect& r, std::string_view label, const ButtonLook& look,
                   Color ink) {
    const Ui& ui = p.ui;
    const TextStyle style = colored(button_text(ui), ink);
    const float label_w = std::ceil(text_width(ui, style, label));
    const float key_w = look.key.empty() ? 0 : ui.px(kKeyGap) + key_cap_width(ui, look.key);
    const float spare = std::max(0.0f, r.w - label_w - key_w);
    const float x = r.x + std::floor(spare / 2);
    text_in(p, style, {x, r.y, std::min(label_w, r.w - key_w), r.h}, label);
    if (look.key.empty()) return;
    const Color face = look.primary && look.enabled ? ui.colors.panel : ui.colors.inset;
    key_cap(p, {x + label_w + ui.px(kKeyGap), r.center().y}, look.key, face);
}

// The row of a switch: one item from the switch to the caption, so that the words can be clicked.
Hit switch_row(const Ui& ui, const char* id, std::string_view label, const ToggleLook& look,
               float box_width) {
    const float h = ui.px(24);
    const Hit hit = hit_item(id, {button_room(look.width), h}, look.enabled);
    const Painter p(ui);
    const float x = hit.rect.x + box_width + ui.px(10);
    const float caption_w = std::ceil(text_width(ui, type::caption(ui), look.caption));
    const float gap = look.caption.empty() ? 0 : ui.px(12);
    const Color ink = hit.enabled ? ui.colors.text : ui.colors.text3;
    text_in(p, colored(type::body(ui), ink),
            {x, hit.rect.y, hit.rect.right() - caption_w - gap - x, h}, label);
    if (caption_w > 0)
        text_in(p, aligned(type::caption(ui), Align::Right),
                {hit.rect.right() - caption_w, hit.rect.y, caption_w, h}, look.caption);
    return hit;
}

// Light when on, hollow when off; hollow as well while it cannot be changed.
void draw_switch_box(const Painter& p, const Hit& hit, const Rect& box, bool on, float radius) {
    const Palette& c = p.ui.colors;
    if (on && hit.enabled) {
        fill(p, box, hit.hovered ? c.focus : c.text, radius);
    } else {
        fill(p, box, c.inset, radius);
        control_outline(p, box, hit.enabled, hit.hovered ? c.text : c.edge, radius);
    }
    if (hit.focused) focus_ring(p, box, radius);
}

}  // namespace

float control_height(const Ui& ui, bool dense) {
    return ui.px(dense ? 26.0f : 32.0f);
}

float button_width(const Ui& ui, std::string_view label, const ButtonLook& look) {
    const float key = look.key.empty() ? 0 : ui.px(kKeyGap) + key_cap_width(ui, look.key);
    return std::ceil(text_width(ui, button_text(ui), label)) + key + 2 * ui.px(kButtonPad);
}

bool button(const Ui& ui, const char* id, std::string_view label, const ButtonLook& look) {
    const float width = look.width > 0 ? std::floor(look.width) : button_width(ui, label, look);
    const Hit hit = hit_item(id, {width, control_height(ui, look.dense)}, look.enabled);
    const Painter p(ui);
    const ControlPaint paint = control_paint(ui.colors, hit, look.on, look.primary);
    draw_control(p, hit, paint);
    button_inside(p, hit.rect, label, look, paint.ink);
    return hit.pressed;
}

bool toggle(const Ui& ui, const char* id, std::string_view label, bool value,
            const ToggleLook& look) {
    const float w = ui.px(30), h = ui.px(18), inset = ui.px(3);
    const Hit hit = switch_row(ui, id, label, look, w);
    const Painter p(ui);
    const Palette& c = ui.colors;
    const Rect box{hit.rect.x, std::floor(hit.rect.center().y - h / 2), w, h};
    const Rect knob{value ? box.right() - box.h + inset : box.x + inset, box.y + inset,
                    box.h - 2 * inset, box.h - 2 * inset};
    draw_switch_box(p, hit, box, value, 4);
    fill(p, knob, value && hit.enabled ? c.panel : hit.enabled ? c.text2 : c.text3, 2);
    return hit.pressed;
}

bool checkbox(const Ui& ui, const char* id, std::string_view label, bool value,
              const ToggleLook& look) {
    const float side = ui.px(16);
    const Hit hit = switch_row(ui, id, label, look, side);
    const Painter p(ui);
    const Palette& c = ui.colors;
    const Rect box{hit.rect.x, std::floor(hit.rect.center().y - side / 2), side, side};
    draw_switch_box(p, hit, box, value, 3);
    if (value) tick_mark(p, box.center(), 10, hit.enabled ? c.panel : c.text3, 2);
    return hit.pressed;
}

bool link(const Ui& ui, const char* id, std::string_view text) {
    return link(ui, id, text, type::caption(ui));
}

bool link(const Ui& ui, const char* id, std::string_view text, const TextStyle& style) {
    const float width = std::ceil(text_width(ui, style, text));
    const float height = ui.px(std::max(20.0f, style.size + 8));
    const Hit hit = hit_item(id, {std::max(1.0f, width), height});
    const Painter p(ui);
    const Color ink = hit.hovered || hit.focused ? ui.colors.text : style.color;
    text_in(p, colored(style, ink), hit.rect, text);
    const float cap = cap_height(ui, style);
    const float y = std::floor(hit.rect.center().y + cap / 2) + ui.px(4);
    const float dot = ui.line();
    for (float x = hit.rect.x; x + dot <= hit.rect.right(); x += 2 * dot)
        fill(p, {x, y, dot, dot}, ink);
    if (hit.focused) focus_ring(p, hit.rect, 2);
    return hit.pressed;
}

float key_cap_width(const Ui& ui, std::string_view key) {
    const float text = std::ceil(text_width(ui, key_text_style(ui), key));
    return std::max(ui.px(kKeyHeight), text + 2 * ui.px(kKeyPad));
}

void draw_key_cap(const Painter& p, Vec2 left, std::string_view key) {
    key_cap(p, left, key, p.ui.colors.inset);
}

}  // namespace kv
