// One of several: the segmented row and the drop-down list.

#include <algorithm>
#include <cmath>

#include "app/widgets/controls.hpp"

namespace kv {
namespace {

constexpr float kSegmentPad = 13, kRow = 26, kListRows = 12;

TextStyle option_text(const Ui& ui, const SegmentedLook& look, bool selected) {
    ImFont* font = look.mono ? (selected ? ui.fonts.mono_bold : ui.fonts.mono)
                             : (selected ? ui.fonts.semibold : ui.fonts.regular);
    return {font, look.dense ? 12.0f : 13.0f, ui.colors.text2, Align::Center};
}

// Equal shares of a given width, or each as wide as its text.
float segment_edge(const Ui& ui, std::span<const std::string_view> options,
                   const SegmentedLook& look, std::size_t i) {
    if (look.width > 0)
        return std::round(std::floor(look.width) * static_cast<float>(i) /
                          static_cast<float>(options.size()));
    float x = 0;
    for (std::size_t k = 0; k < i; ++k)
        x += std::ceil(text_width(ui, option_text(ui, look, true), options[k])) +
             2 * ui.px(kSegmentPad);
    return x;
}

void draw_segment(const Painter& p, const Hit& hit, std::string_view text, bool selected,
                  const SegmentedLook& look, const Hue* hue) {
    const Palette& c = p.ui.colors;
    TextStyle style = option_text(p.ui, look, selected);
    const Rect pill = hit.rect.inset(p.ui.line() + p.ui.px(1));
    if (selected && hit.enabled) {
        fill(p, pill, hue != nullptr ? hue->fill : c.text, 2.5f);
        style.color = hue != nullptr ? c.on_fill : c.panel;
    } else if (selected) {
        control_outline(p, pill, false, c.line, 2.5f);
    } else {
        if (hit.held || hit.hovered)
            fill(p, pill, mix(c.inset, c.text, hit.held ? 0.16 : 0.07), 2.5f);
        style.color = hue != nullptr ? hue->ink : hit.hovered ? c.text : c.text2;
    }
    if (!hit.enabled) style.color = c.text3;
    text_in(p, style, hit.rect.inset(p.ui.px(3)), text);
    if (hit.focused) focus_ring(p, pill, 2.5f);
}

struct ListPlace {
    ImVec2 at, pivot;
    float height = 0;
};
// Under the control, or above it where the window ends.
ListPlace place_list(const Ui& ui, const Rect& control, std::size_t rows) {
    const float pad = 2 * ui.px(4), wanted = static_cast<float>(rows) * ui.px(kRow) + pad;
    const float height = std::min(wanted, kListRows * ui.px(kRow) + pad);
    const ImGuiViewport& v = *ImGui::GetMainViewport();
    const float below = v.Pos.y + v.Size.y - control.bottom() - ui.px(4);
    const float above = control.y - v.Pos.y - ui.px(4);
    if (height <= below || below >= above)
        return {{control.x, control.bottom() + ui.px(4)}, {0, 0}, std::min(height, below)};
    return {{control.x, control.y - ui.px(4)}, {0, 1}, std::min(height, above)};
}

Hit list_row(const Ui& ui, std::size_t i, std::string_view text, bool selected, float width) {
    const Hit hit = hit_item(PartId(i).c_str(), {width, ui.px(kRow)});
    if (selected && ImGui::IsWindowAppearing()) {
        ImGui::SetItemDefaultFocus();
        ImGui::SetScrollHereY();
    }
    const Painter p(ui);
    const Palette& c = ui.colors;
    if (hit.held || hit.hovered || hit.focused)
        fill(p, hit.rect, mix(c.raised, c.text, hit.held ? 0.16 : 0.07), 2);
    if (hit.focused) outline(p, hit.rect, c.focus, 2, 2);
    const float mark = ui.px(24);
    if (selected) tick_mark(p, {hit.rect.x + mark / 2, hit.rect.center().y}, 10, c.text, 1.8f);
    const TextStyle style = selected ? type::strong(ui) : colored(type::body(ui), c.text);
    text_in(p, style, {hit.rect.x + mark, hit.rect.y, width - mark - ui.px(8), hit.rect.h}, text);
    return hit;
}

void point_at(std::optional<std::size_t>* pointed, const Hit& hit, std::size_t i) {
    if (pointed != nullptr && (hit.hovered || hit.focused)) *pointed = i;
}

std::optional<std::size_t> open_list(const Ui& ui, const Rect& control,
                                     std::span<const std::string_view> options,
                                     std::size_t selected, std::optional<std::size_t>* pointed) {
    const ListPlace place = place_list(ui, control, options.size());
    ImGui::SetNextWindowPos(place.at, ImGuiCond_Always, place.pivot);
    ImGui::SetNextWindowSize({control.w, place.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{ui.px(4), ui.px(4)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
    std::optional<std::size_t> chosen;
    if (ImGui::BeginPopup("list", ImGuiWindowFlags_NoMove)) {
        const float width = ImGui::GetContentRegionAvail().x;
        for (std::size_t i = 0; i < options.size(); ++i) {
            const Hit hit = list_row(ui, i, options[i], i == selected, width);
            point_at(pointed, hit, i);
            if (hit.pressed) chosen = i;
        }
        if (chosen) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
    if (chosen == selected) return std::nullopt;
    return chosen;
}

}  // namespace

float segmented_width(const Ui& ui, std::span<const std::string_view> options,
                      const SegmentedLook& look) {
    return segment_edge(ui, options, look, options.size());
}

std::optional<std::size_t> segmented(const Ui& ui, const char* id,
                                     std::span<const std::string_view> options,
                                     std::size_t selected, const SegmentedLook& look) {
    const float h = control_height(ui, look.dense);
    const Painter p(ui);
    const Palette& c = ui.colors;
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const Vec2 at{std::floor(cursor.x), std::floor(cursor.y)};
    const Rect whole{at.x, at.y, segmented_width(ui, options, look), h};
    fill(p, whole, c.inset, 4);
    control_outline(p, whole, look.enabled, c.edge);

    std::optional<std::size_t> chosen;
    const Flush flush;
    ImGui::PushID(id);
    ImGui::BeginGroup();
    for (std::size_t i = 0; i < options.size(); ++i) {
        const float x0 = segment_edge(ui, options, look, i);
        const float x1 = segment_edge(ui, options, look, i + 1);
        if (i > 0 && i != selected && i - 1 != selected)
            vline(p, at.x + x0, at.y + ui.px(7), whole.bottom() - ui.px(7), c.line);
        ImGui::SetCursorScreenPos({at.x + x0, at.y});
        ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, i != selected);
        const Hit hit = hit_item(PartId(i).c_str(), {x1 - x0, h}, look.enabled);
        ImGui::PopItemFlag();
        const Hue* hue = i < look.hues.size() ? &look.hues[i] : nullptr;
        draw_segment(p, hit, options[i], i == selected, look, hue);
        point_at(look.pointed, hit, i);
        if (hit.pressed && i != selected) chosen = i;
    }
    ImGui::EndGroup();
    ImGui::PopID();
    return chosen;
}

std::optional<std::size_t> dropdown(const Ui& ui, const char* id,
                                    std::span<const std::string_view> options, std::size_t selected,
                                    const DropdownLook& look) {
    ImGui::PushID(id);
    const float width = look.width > 0 ? look.width : ImGui::GetContentRegionAvail().x;
    const Hit hit = hit_item("control", {std::floor(width), control_height(ui, look.dense)},
                             look.enabled && !options.empty());
    if (hit.pressed) ImGui::OpenPopup("list");
    const Painter p(ui);
    const Palette& c = ui.colors;
    ControlPaint paint = control_paint(c, hit, false);
    paint.fill = c.inset;
    if (ImGui::IsPopupOpen("list")) paint.edge = c.text;
    draw_control(p, hit, paint);
    const float right = ui.px(32), pad = ui.px(10);
    if (selected < options.size())
        text_in(p, colored(type::body(ui), paint.ink),
                {hit.rect.x + pad, hit.rect.y, hit.rect.w - pad - right, hit.rect.h},
                options[selected]);
    chevron(p, {hit.rect.right() - ui.px(15), hit.rect.center().y}, 11, Dir::Down,
            hit.enabled ? c.text2 : c.text3);
    const std::optional<std::size_t> chosen =
        open_list(ui, hit.rect, options, selected, look.pointed);
    ImGui::PopID();
    return chosen;
}

std::optional<std::size_t> list_under(const Ui& ui, const char* id, const Rect& control,
                                      std::span<const std::string_view> options,
                                      std::size_t selected, std::optional<std::size_t>& pointed) {
    ImGui::PushID(id);
    const std::optional<std::size_t> chosen = open_list(ui, control, options, selected, &pointed);
    ImGui::PopID();
    return chosen;
}

}  // namespace kv
