#include "app/widgets/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/hit.hpp"

namespace kv {
namespace {

// A strip over the room there is; the ImGui cursor moves on.
struct Strip {
    Rect rect;
    bool hovered = false;
};
Strip strip(const Ui& ui, float logical_height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    const Flush flush;
    ImGui::Dummy({width, ui.px(logical_height)});
    return {{std::floor(at.x), std::floor(at.y), width, ui.px(logical_height)},
            ImGui::IsItemHovered()};
}

Rect left_of(const Rect& r, float right_width, float gap) {
    return {r.x, r.y, std::max(1.0f, r.w - right_width - (right_width > 0 ? gap : 0)), r.h};
}
Rect right_end(const Rect& r, float width) {
    return {r.right() - width, r.y, width, r.h};
}

TextStyle value_style(const Ui& ui, const RowLook& look) {
    TextStyle style = look.strong ? sized(type::number_strong(ui), look.small ? 12.0f : 15.0f)
                                  : sized(type::number(ui), look.small ? 12.0f : 14.0f);
    if (look.value_color) style.color = *look.value_color;
    return aligned(style, Align::Right);
}

TextStyle label_style(const Ui& ui, const RowLook& look) {
    TextStyle style = sized(type::body(ui), look.small ? 12.0f : 13.0f);
    if (look.strong) style.color = ui.colors.text;
    if (look.label_color) style.color = *look.label_color;
    return style;
}

// Two styles in one line; the second gives way first.
void head_line(const Painter& p, const TextStyle& first, std::string_view a,
               const TextStyle& second, std::string_view b, const Rect& r, float gap) {
    const float wa = std::ceil(text_width(p.ui, first, a));
    if (b.empty()) {
        text_in(p, first, r, a);
        return;
    }
    const float x = std::min(wa, r.w) + p.ui.px(gap);
    const float rest = r.w - x;
    if (rest >= text_width(p.ui, second, b)) {
        const std::array runs{Run{first, a}, Run{second, b, gap}};
        runs_in(p, runs, r);
        return;
    }
    text_in(p, first, {r.x, r.y, std::min(wa, r.w), r.h}, a);
    if (rest > p.ui.px(24)) text_in(p, second, {r.x + x, r.y, rest, r.h}, b);
}

}  // namespace

bool value_row(const Ui& ui, std::string_view label, std::string_view value, const RowLook& look) {
    const Strip s = strip(ui, look.height);
    const Painter p(ui);
    const TextStyle vs = value_style(ui, look);
    // A long value leaves the label its room, and is cut instead.
    float value_w = std::ceil(text_width(ui, vs, value));
    if (value_w > s.rect.w / 2) {
        const float label_w = std::ceil(text_width(ui, label_style(ui, look), label)) + ui.px(12);
        value_w = std::min(value_w, std::max(s.rect.w / 2, s.rect.w - label_w));
    }
    head_line(p, label_style(ui, look), label, type::caption(ui), look.secondary,
              left_of(s.rect, value_w, ui.px(12)), 8);
    text_in(p, vs, right_end(s.rect, std::min(value_w, s.rect.w)), value);
    if (look.total) {
        const float w = std::min(s.rect.w, std::max(value_w + ui.px(16), ui.px(106)));
        hline(p, s.rect.right() - w, s.rect.right(), s.rect.y, ui.colors.edge);
    }
    return s.hovered;
}

bool two_line_row(const Ui& ui, std::string_view title, std::string_view caption_text,
                  std::string_view value) {
    const Strip s = strip(ui, 40);
    const Painter p(ui);
    const TextStyle vs = aligned(type::number(ui), Align::Right);
    const float value_w = std::ceil(text_width(ui, vs, value));
    Rect line = left_of(s.rect, value_w, ui.px(12));
    line.h = ui.px(18);
    line.y += ui.px(3);
    text_in(p, colored(type::body(ui), ui.colors.text), line, title);
    if (value_w > 0) text_in(p, vs, {s.rect.right() - value_w, line.y, value_w, line.h}, value);
    line.y += ui.px(17);
    line.w = s.rect.w;
    text_in(p, type::caption(ui), line, caption_text);
    return s.hovered;
}

void section_head(const Ui& ui, std::string_view title, std::string_view caption_text,
                  std::string_view right) {
    Strip s = strip(ui, 28);
    s.rect.h = ui.px(20);  // the rest is the gap to what it heads
    const Painter p(ui);
    const TextStyle rs = aligned(colored(type::number_small(ui), ui.colors.text3), Align::Right);
    const float right_w = std::ceil(text_width(ui, rs, right));
    head_line(p, type::section(ui), title, type::caption(ui), caption_text,
              left_of(s.rect, right_w, ui.px(12)), 10);
    if (right_w > 0) text_in(p, rs, right_end(s.rect, std::min(right_w, s.rect.w)), right);
}

void control_head(const Ui& ui, std::string_view label, std::string_view consequence) {
    Strip s = strip(ui, 23);
    s.rect.h = ui.px(20);  // the rest is the gap to the control
    const Painter p(ui);
    const TextStyle rs = aligned(colored(type::number_small(ui), ui.colors.text3), Align::Right);
    const float right_w =
        std::min(std::ceil(text_width(ui, rs, consequence)), std::floor(s.rect.w * 0.7f));
    text_in(p, type::body(ui), left_of(s.rect, right_w, ui.px(8)), label);
    if (right_w > 0) text_in(p, rs, right_end(s.rect, right_w), consequence);
}

void paragraph(const Ui& ui, const TextStyle& style, float pitch, std::string_view text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    const float height =
        wrapped_at(Painter(ui), style, pitch, {std::floor(at.x), std::floor(at.y), width, 0}, text);
    const Flush flush;
    ImGui::Dummy({width, height});
}

void rule(const Ui& ui, RuleSpan span, float space_above, float space_below) {
    const float above = ui.px(space_above), below = ui.px(space_below);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x));
    float x0 = std::floor(at.x), x1 = x0 + width;
    const bool window = span == RuleSpan::Window;
    if (window) {
        x0 = std::floor(ImGui::GetWindowPos().x);
        x1 = x0 + std::floor(ImGui::GetWindowSize().x);
        const float y = ImGui::GetWindowPos().y;
        ImGui::PushClipRect({x0, y}, {x1, y + ImGui::GetWindowSize().y}, false);
    }
    hline(Painter(ui), x0, x1, std::floor(at.y) + above, ui.colors.line);
    if (window) ImGui::PopClipRect();
    const Flush flush;
    ImGui::Dummy({width, above + ui.line() + below});
}

void space(const Ui& ui, float logical) {
    const Flush flush;
    ImGui::Dummy({0, ui.px(logical)});
}

}  // namespace kv
