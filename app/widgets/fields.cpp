#include "app/widgets/fields.hpp"

#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

float field_room(float width) {
    return std::floor(width > 0 ? width : ImGui::GetContentRegionAvail().x);
}

Hit last_item() {
    Hit hit;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    hit.rect = {std::floor(a.x), std::floor(a.y), b.x - a.x, b.y - a.y};
    hit.enabled = (ImGui::GetItemFlags() & ImGuiItemFlags_Disabled) == 0;
    hit.hovered = ImGui::IsItemHovered();
    hit.held = ImGui::IsItemActive();
    hit.focused = hit.held || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    return hit;
}

void field_frame(const Painter& p, const Rect& r, bool enabled, bool wrong) {
    const Palette& c = p.ui.colors;
    fill(p, r, c.inset, 4);
    control_outline(p, r, enabled, wrong ? c.loss.ink : c.edge);
}

bool step_button(const Ui& ui, const char* id, float side, bool minus, bool enabled) {
    const Hit hit = hit_item(id, {side, side}, enabled);
    const Painter p(ui);
    const ControlPaint paint = control_paint(ui.colors, hit);
    draw_control(p, hit, paint);
    plus_mark(p, hit.rect.center(), 9, paint.ink, minus);
    return hit.pressed;
}

std::optional<std::uint64_t> step_buttons(const Ui& ui, std::uint64_t value, const NumberLook& look,
                                          Vec2 at) {
    std::optional<std::uint64_t> next;
    const float side = control_height(ui, look.dense);
    ImGui::SetCursorScreenPos(im(at));
    if (step_button(ui, "less", side, true, look.enabled && value > look.min))
        next = value - look.min > look.step ? value - look.step : look.min;
    ImGui::SetCursorScreenPos({at.x + side + ui.px(4), at.y});
    if (step_button(ui, "more", side, false, look.enabled && value < look.max))
        next = look.max > value && look.max - value > look.step ? value + look.step : look.max;
    return next;
}

// The broken rule, under the field. Returns its height.
float draw_refusal(const Ui& ui, std::string_view sentence, Vec2 at, float width) {
    const TextStyle style = colored(type::caption(ui), ui.colors.loss.ink);
    const float gap = ui.px(2);
    return gap + wrapped_at(Painter(ui), style, 17, {at.x, at.y + gap, width, 0}, sentence);
}

double steps_of(const SliderLook& look) {
    return std::max(1.0, std::floor((look.max - look.min) / look.step + 0.5));
}

void draw_slider(const Painter& p, const Hit& hit, double position) {
    const Ui& ui = p.ui;
    const Palette& c = ui.colors;
    const float knob_w = ui.px(8), knob_h = ui.px(16), thick = ui.px(2);
    const float x = std::round(hit.rect.x + static_cast<float>(position) * (hit.rect.w - knob_w));
    const float y = std::floor(hit.rect.center().y);
    const float top = y - std::floor(thick / 2);
    if (hit.enabled) {
        fill(p, {hit.rect.x, top, x - hit.rect.x, thick}, c.text2);
        fill(p, {x, top, hit.rect.right() - x, thick}, c.edge);
    } else {
        dashed_line(p, {hit.rect.x, y}, {hit.rect.right(), y}, c.line);
    }
    const Rect knob{x, y - std::floor(knob_h / 2), knob_w, knob_h};
    const Color face = !hit.enabled ? c.text3 : hit.hovered || hit.held ? c.focus : c.text;
    fill(p, knob, face, 2);
    if (hit.held)
        ring(p, knob, {.color = c.focus, .radius = 2, .gap = 1});
    else if (hit.focused)
        focus_ring(p, knob, 2);
}

}  // namespace

InputStyle::InputStyle(const Ui& ui, const InputLook& look, float height) {
    const float size = ui.px(look.size);
    ImGui::PushFont(look.font, size);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{ui.px(look.padding), std::max(0.0f, (height - size) / 2)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    for (ImGuiCol part :
         {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_NavCursor})
        ImGui::PushStyleColor(part, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_Text, im(ui.colors.text));
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, im(look.hint));
}

InputStyle::~InputStyle() {
    ImGui::PopStyleColor(6);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
}

std::optional<std::string> text_field(const Ui& ui, const char* id, std::string_view shown,
                                      const FieldLook& look) {
    const float width = field_room(look.width), height = control_height(ui, look.dense);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const Painter p(ui);
    field_frame(p, {std::floor(cursor.x), std::floor(cursor.y), width, height}, look.enabled,
                look.wrong);
    std::string text(shown), hint(look.hint), name = "##";
    name += id;
    const Flush flush;
    ImGui::BeginDisabled(!look.enabled);
    ImGui::SetNextItemWidth(width);
    {
        const InputStyle style(ui, {.font = ui.fonts.mono, .hint = ui.colors.text3}, height);
        ImGui::InputTextWithHint(name.c_str(), hint.c_str(), &text,
                                 ImGuiInputTextFlags_AutoSelectAll);
    }
    const bool committed = ImGui::IsItemDeactivatedAfterEdit();
    const Hit hit = last_item();
    ImGui::EndDisabled();
    if (hit.hovered && !look.wrong) outline(p, hit.rect, ui.colors.text, 4);
    if (hit.focused) focus_ring(p, hit.rect);
    if (!committed) return std::nullopt;
    return text;
}

std::optional<std::uint64_t> read_number(std::string_view text, std::uint64_t min,
                                         std::uint64_t max) {
    std::string digits, why;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
                 [](char c) { return c != ','; });
    const std::optional<std::uint64_t> value = parse_whole(digits, min, max, why);
    // Commas only where they belong: "4,096" but not "40,96".
    if (value && digits.size() != text.size() && with_commas(*value) != text) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> number_field(const Ui& ui, const char* id, FieldUi& state,
                                          std::uint64_t value, const NumberLook& look) {
    const Flush flush;
    ImGui::PushID(id);
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = control_height(ui, look.dense), whole = field_room(look.width);
    const float buttons = look.step > 0 ? 2 * (side + ui.px(4)) : 0;
    const FieldLook field{.enabled = look.enabled,
                          .dense = look.dense,
                          .wrong = state.refused.has_value(),
                          .width = std::max(ui.px(40), whole - buttons)};
    std::optional<std::uint64_t> next;
    const std::string shown = state.refused.value_or(with_commas(value));
    if (const std::optional<std::string> typed = text_field(ui, "value", shown, field)) {
        next = read_number(*typed, look.min, look.max);
        state.refused = next ? std::nullopt : typed;
    }
    if (look.step > 0) {
        const Vec2 first{at.x + field.width + ui.px(4), at.y};
        if (const std::optional<std::uint64_t> stepped = step_buttons(ui, value, look, first)) {
            next = stepped;
            state.refused.reset();
        }
    }
    const Vec2 below{at.x, at.y + side};
    ImGui::SetCursorScreenPos(im(below));
    ImGui::Dummy({whole, state.refused ? draw_refusal(ui, look.refusal, below, whole) : 0});
    ImGui::EndGroup();
    ImGui::PopID();
    if (next == value) return std::nullopt;
    return next;
}

double slider_position(double value, const SliderLook& look) {
    const double v = std::isfinite(value) ? std::clamp(value, look.min, look.max) : look.min;
    if (look.max <= look.min) return 0;
    if (look.logarithmic) return math::log(v / look.min) / math::log(look.max / look.min);
    return (v - look.min) / (look.max - look.min);
}

double slider_value(double position, const SliderLook& look) {
    const double t = std::isfinite(position) ? std::clamp(position, 0.0, 1.0) : 0.0;
    double v = look.logarithmic ? look.min * math::pow(look.max / look.min, t)
                                : look.min + t * (look.max - look.min);
    if (look.step > 0) v = look.min + std::round((v - look.min) / look.step) * look.step;
    return std::clamp(v, look.min, look.max);
}

std::optional<double> slider(const Ui& ui, const char* id, double value, const SliderLook& look) {
    // ImGui's slider does mouse and keyboard, unseen. Stepped and linear: it counts whole steps, so
    // that one arrow key is one step; else it moves over 0 to 1.
    const bool counts = look.step > 0 && !look.logarithmic;
    const double full = counts ? steps_of(look) : 1.0, zero = 0;
    const double shown = slider_position(value, look);
    double at = shown * full;
    const float size = ui.px(13);
    const Flush flush;
    ImGui::PushFont(nullptr, size);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{0, (ui.px(24) - size) / 2});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, ui.px(8));
    for (ImGuiCol part :
         {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
          ImGuiCol_SliderGrabActive, ImGuiCol_Text, ImGuiCol_NavCursor})
        ImGui::PushStyleColor(part, IM_COL32_BLACK_TRANS);
    ImGui::BeginDisabled(!look.enabled);
    ImGui::SetNextItemWidth(field_room(look.width));
    std::string name = "##";
    name += id;
    const bool changed = ImGui::SliderScalar(
        name.c_str(), ImGuiDataType_Double, &at, &zero, &full, counts ? "%.0f" : "%.6f",
        ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    const Hit hit = last_item();
    ImGui::EndDisabled();
    ImGui::PopStyleColor(7);
    ImGui::PopStyleVar(3);
    ImGui::PopFont();
    draw_slider(Painter(ui), hit, shown);
    if (!changed) return std::nullopt;
    const double next = slider_value(at / full, look);
    return next == value ? std::nullopt : std::optional(next);
}

}  // namespace kv
