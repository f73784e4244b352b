#include "app/widgets/chart/factors.hpp"

#include <cmath>

namespace kv {
namespace {

TextStyle value_style(const Ui& ui, bool large) {
    return {ui.fonts.mono_bold, large ? 18.0f : 14.0f, ui.colors.text, Align::Center};
}
TextStyle label_style(const Ui& ui) {
    return sized(aligned(type::caption(ui), Align::Center), 11);
}

Rect shifted(const Rect& r, Vec2 by) {
    return {r.x + by.x, r.y + by.y, r.w, r.h};
}

void draw_times(const Painter& p, Vec2 at) {
    at = {std::floor(at.x) + 0.5f, std::floor(at.y) + 0.5f};
    cross_mark(p, at, 5, p.ui.colors.text3, 1.2f);
}

void draw_factor(const Painter& p, const Factor& factor, const FactorBox& place, const Hit& hit,
                 bool lit, bool large) {
    const Palette& c = p.ui.colors;
    fill(p, hit.rect, lit ? c.pressed_wash() : c.inset, 4);
    outline(p, hit.rect, lit ? c.text : c.edge, 4);
    if (hit.focused) focus_ring(p, hit.rect);
    text_in(p, value_style(p.ui, large), hit.rect, factor.value);
    const Vec2 by = hit.rect.min() - place.box.min();
    TextStyle style = label_style(p.ui);
    if (lit) style.color = c.text;
    text_in(p, style, shifted(place.label, by), factor.label);
}

}  // namespace

FactorMetrics factor_metrics(const Ui& ui, bool large) {
    return {.box_h = ui.px(large ? 38.0f : 30.0f),
            .min_w = ui.px(large ? 40.0f : 30.0f),
            .pad = ui.px(9),
            .gap = ui.px(14),
            .label_gap = ui.px(3),
            .label_h = ui.px(18),
            .row_gap = ui.px(8),
            .stretch = ui.px(12)};
}

FactorPlan measure_factors(const Ui& ui, std::span<const Factor> factors, float room, bool large) {
    List<FactorSize> sizes;
    sizes.reserve(factors.size());
    for (const Factor& factor : factors)
        sizes.push_back({text_width(ui, value_style(ui, large), factor.value),
                         text_width(ui, label_style(ui), factor.label)});
    return layout_factors(sizes, room, factor_metrics(ui, large));
}

FactorsHit draw_factors(const Ui& ui, const char* id, std::span<const Factor> factors,
                        const FactorsLook& look) {
    const float room = std::floor(ImGui::GetContentRegionAvail().x);
    const FactorPlan plan = measure_factors(ui, factors, room, look.large);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const Vec2 origin{std::floor(cursor.x), std::floor(cursor.y)};
    const Painter p(ui);
    FactorsHit out;
    const Flush flush;
    ImGui::PushID(id);
    ImGui::BeginGroup();
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const FactorBox& place = plan.boxes[i];
        ImGui::SetCursorScreenPos(im(origin + place.box.min()));
        const Hit hit = hit_item(PartId(i).c_str(), {place.box.w, place.box.h});
        if (hit.hovered || hit.focused) out.hovered = i;
        if (hit.pressed) out.pressed = i;
        const bool lit = hit.hovered || hit.focused || look.selected == i || look.linked == i;
        draw_factor(p, factors[i], place, hit, lit, look.large);
        if (place.times) draw_times(p, origin + *place.times);
    }
    ImGui::SetCursorScreenPos(im(origin));
    ImGui::Dummy(im(plan.size));
    ImGui::EndGroup();
    ImGui::PopID();
    return out;
}

}  // namespace kv
