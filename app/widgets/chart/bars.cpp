#include "app/widgets/chart/bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {
namespace {

TextStyle bar_label(const Ui& ui, bool emphasised) {
    return emphasised ? sized(type::strong(ui), 12) : sized(type::body(ui), 12);
}
TextStyle bar_value(const Ui& ui, bool emphasised) {
    return aligned(emphasised ? sized(type::number_strong(ui), 12) : type::number_small(ui),
                   Align::Right);
}

// The grey of a bar that is there for comparison: just strong enough to be read as a shape.
Color quiet_fill(const Palette& c) {
    return mix(c.panel, c.text, c.is_light() ? 0.47 : 0.37);
}

// Columns of the list: label, bar, value.
struct Columns {
    float label = 0, value = 0, bar_x = 0, bar_w = 0;
};
Columns columns_of(const Ui& ui, std::span<const Bar> bars, const BarsLook& look, float width) {
    Columns c{look.label_width, look.value_width};
    for (const Bar& bar : bars) {
        if (look.label_width <= 0)
            c.label = std::max(c.label, text_width(ui, bar_label(ui, bar.emphasised), bar.label));
        if (look.value_width <= 0)
            c.value = std::max(c.value, text_width(ui, bar_value(ui, bar.emphasised), bar.value));
    }
    c.label = std::min(std::ceil(c.label), std::floor(width * 0.4f));
    c.value = std::ceil(c.value);
    c.bar_x = c.label > 0 ? c.label + ui.px(12) : 0;
    c.bar_w = std::max(0.0f, std::floor(width - c.bar_x - (c.value > 0 ? c.value + ui.px(12) : 0)));
    return c;
}

double largest(std::span<const Bar> bars) {
    double full = 0;
    for (const Bar& bar : bars) {
        if (std::isfinite(bar.amount)) full = std::max(full, bar.amount);
        if (bar.tick && std::isfinite(*bar.tick)) full = std::max(full, *bar.tick);
    }
    return full;
}

void draw_bar(const Painter& p, const Bar& bar, const Rect& row, const Columns& c, double full,
              float thickness, bool hovered) {
    const Palette& colors = p.ui.colors;
    TextStyle label = bar_label(p.ui, bar.emphasised), value = bar_value(p.ui, bar.emphasised);
    if (hovered) label.color = value.color = colors.text;
    text_in(p, label, {row.x, row.y, c.label, row.h}, bar.label);
    if (c.value > 0) text_in(p, value, {row.right() - c.value, row.y, c.value, row.h}, bar.value);
    const Color plain = bar.emphasised ? colors.text : quiet_fill(colors);
    const Color face = bar.color.value_or(plain);
    const Rect r{row.x + c.bar_x, std::floor(row.center().y - thickness / 2),
                 bar_length(bar.amount, full, c.bar_w), thickness};
    fill(p, r, face);
    if (const auto edge = needed_outline(colors, face)) outline(p, r, *edge);
    if (colors.extra_line > 0) outline(p, r, colors.edge);
    if (bar.tick) {
        const float x = r.x + bar_length(*bar.tick, full, c.bar_w);
        vline(p, x - p.ui.px(1), r.y - p.ui.px(2), r.bottom() + p.ui.px(2), colors.focus, 2);
    }
}

void draw_swatch(const Painter& p, const Rect& r, SegmentFill look, Color color) {
    switch (look) {
        case SegmentFill::Solid:
            fill(p, r, color);
            if (const auto edge = needed_outline(p.ui.colors, color)) outline(p, r, *edge);
            return;
        case SegmentFill::Hatched:
            hatch(p, r, color, 4);
            outline(p, r, color);
            return;
        case SegmentFill::Dashed:
            dashed_outline(p, r, color);
            return;
        case SegmentFill::Empty:
            fill(p, r, p.ui.colors.inset);
            outline(p, r, p.ui.colors.line);
            return;
    }
}

void draw_overflow(const Painter& p, const Rect& r) {
    const Hue& loss = p.ui.colors.loss;
    fill(p, r, p.ui.colors.wash_of(loss));
    hatch(p, r, loss.fill, 4, 1.8f);
    outline(p, r, loss.ink);
}

void label_inside(const Painter& p, const Segment& segment, const Rect& r) {
    if (segment.label.empty() || segment.fill != SegmentFill::Solid) return;
    const TextStyle style{p.ui.fonts.medium, 12, p.ui.colors.panel, Align::Center};
    if (text_width(p.ui, style, segment.label) + 2 * p.ui.px(6) > r.w) return;
    const bool dark =
        contrast(segment.color, p.ui.colors.on_fill) >= contrast(segment.color, p.ui.colors.panel);
    text_in(p, colored(style, dark ? p.ui.colors.on_fill : p.ui.colors.panel), r, segment.label);
}

}  // namespace

std::optional<std::size_t> draw_bars(const Ui& ui, const char* id, std::span<const Bar> bars,
                                     const BarsLook& look) {
    if (bars.empty()) return std::nullopt;
    const float width = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    const float pitch = ui.px(look.pitch);
    const Hit hit = hit_item(id, {width, pitch * static_cast<float>(bars.size())});
    const Columns columns = columns_of(ui, bars, look, width);
    const double full = look.full > 0 ? look.full : largest(bars);
    std::optional<std::size_t> hovered;
    if (hit.hovered) {
        const float row = (ImGui::GetMousePos().y - hit.rect.y) / pitch;
        hovered = std::min(bars.size() - 1, static_cast<std::size_t>(std::max(0.0f, row)));
    }
    const Painter p(ui);
    for (std::size_t i = 0; i < bars.size(); ++i)
        draw_bar(p, bars[i], {hit.rect.x, hit.rect.y + pitch * static_cast<float>(i), width, pitch},
                 columns, full, ui.px(look.thickness), hovered == i);
    if (hit.focused) focus_ring(p, hit.rect, 2);
    return hovered;
}

std::optional<std::size_t> draw_stack(const Ui& ui, const char* id,
                                      std::span<const Segment> segments, const StackLook& look) {
    const float head = look.capacity_label.empty() ? 0 : ui.px(18);
    const float over = ui.px(3),
                width = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    const Hit hit = hit_item(id, {width, head + ui.px(look.height) + 2 * over});
    const Rect bar{hit.rect.x, hit.rect.y + head + over, width, ui.px(look.height)};
    std::vector<double> amounts;
    amounts.reserve(segments.size());
    for (const Segment& segment : segments) amounts.push_back(segment.amount);
    const StackPlan plan = layout_stack(amounts, look.capacity, width);
    const Painter p(ui);
    if (look.track) draw_swatch(p, bar, SegmentFill::Empty, ui.colors.line);
    std::optional<std::size_t> hovered;
    for (const StackPart& part : plan.parts) {
        const Rect r{bar.x + part.x, bar.y, part.w, bar.h};
        if (hit.hovered && r.contains({ImGui::GetMousePos().x, r.center().y}))
            hovered = part.segment;
        if (plan.is_free(part, segments.size())) continue;
        if (part.overflow) {
            draw_overflow(p, r);
        } else {
            draw_swatch(p, r, segments[part.segment].fill, segments[part.segment].color);
            label_inside(p, segments[part.segment], r);
        }
    }
    const float limit = bar.x + plan.capacity_x.value_or(width);
    if (plan.capacity_x)
        vline(p, limit - ui.px(1), bar.y - over, bar.bottom() + over, ui.colors.focus, 2);
    if (head > 0) {
        const float w = std::ceil(text_width(ui, type::caption(ui), look.capacity_label));
        const float x = std::clamp(limit - std::floor(w / 2), bar.x, bar.right() - w);
        text_in(p, type::caption(ui), {x, hit.rect.y, w, head}, look.capacity_label);
    }
    if (hit.focused) focus_ring(p, bar, 2);
    return hovered;
}

void draw_key(const Ui& ui, std::span<const KeyEntry> entries) {
    const float room = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    const float x0 = std::floor(cursor.x), row_h = ui.px(20), side = ui.px(10);
    const Painter p(ui);
    float x = 0, y = 0;
    for (const KeyEntry& entry : entries) {
        const std::array runs{Run{colored(sized(type::body(ui), 12), ui.colors.text2), entry.label},
                              Run{colored(type::number_small(ui), ui.colors.text), entry.value, 6}};
        const float w = side + ui.px(6) + std::ceil(runs_width(ui, runs));
        if (x > 0 && x + w > room) {
            x = 0;
            y += row_h;
        }
        const float top = std::floor(cursor.y) + y;
        draw_swatch(p, {x0 + x, top + std::floor((row_h - side) / 2), side, side}, entry.fill,
                    entry.color);
        runs_in(p, runs, {x0 + x + side + ui.px(6), top, w, row_h});
        x += w + ui.px(20);
    }
    const Flush flush;
    ImGui::Dummy({room, y + (entries.empty() ? 0 : row_h)});
}

}  // namespace kv
