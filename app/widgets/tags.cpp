#include "app/widgets/tags.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHI";

Rect square(const Ui& ui, Vec2 center, float size) {
    const float s = ui.px(size);
    return {std::floor(center.x - s / 2 + 0.5f), std::floor(center.y - s / 2 + 0.5f), s, s};
}

void circle(const Painter& p, Vec2 c, float radius, Color face, std::optional<Color> edge) {
    p.list.AddCircleFilled(im(c), radius, im(face));
    if (edge) p.list.AddCircle(im(c), radius - p.ui.line() / 2, im(*edge), 0, p.ui.line());
}

// A convex shape; `corners_at` gives its corners for a radius.
template <class Corners>
void polygon(const Painter& p, float radius, Color face, std::optional<Color> edge,
             const Corners& corners_at) {
    const auto outer = corners_at(radius);
    p.list.AddConvexPolyFilled(outer.data(), static_cast<int>(outer.size()), im(face));
    if (!edge) return;
    const auto middle = corners_at(radius - p.ui.line() * 0.7f);
    p.list.AddPolyline(middle.data(), static_cast<int>(middle.size()), im(*edge), p.ui.line(),
                       ImDrawFlags_Closed);
}

void diamond(const Painter& p, Vec2 c, float radius, Color face, std::optional<Color> edge) {
    polygon(p, radius, face, edge, [&](float r) {
        return std::array{ImVec2{c.x, c.y - r}, ImVec2{c.x + r, c.y}, ImVec2{c.x, c.y + r},
                          ImVec2{c.x - r, c.y}};
    });
}

// A diamond drawn out to six corners by `longer` pixels.
void hexagon(const Painter& p, Vec2 c, float radius, float longer, Color face,
             std::optional<Color> edge) {
    const float half = longer / 2;
    polygon(p, radius, face, edge, [&](float r) {
        return std::array{ImVec2{c.x - half, c.y - r}, ImVec2{c.x + half, c.y - r},
                          ImVec2{c.x + half + r, c.y}, ImVec2{c.x + half, c.y + r},
                          ImVec2{c.x - half, c.y + r}, ImVec2{c.x - half - r, c.y}};
    });
}

// A letter with a digit must still fit its shape, and nothing is set below 11.
TextStyle letter_style(const Ui& ui, float size, std::string_view text, Color ink) {
    const float factor = text.size() > 1 ? 0.5f : 0.62f;
    return {ui.fonts.bold, std::max(11.0f, std::round(size * factor)), ink, Align::Center};
}

void letter(const Painter& p, const Rect& box, float size, std::string_view text, Color ink) {
    text_in(p, letter_style(p.ui, size, text, ink), box.inset(-p.ui.px(6)), text);
}

// How much longer than a square the tag of a long name is.
float longer_for(const Ui& ui, float size, std::string_view name) {
    constexpr std::size_t kFits = 2;
    if (name.size() <= kFits) return 0;
    const float width = text_width(ui, letter_style(ui, size, name, {}), name) + ui.px(4);
    return std::max(0.0f, std::ceil(width - ui.px(size)));
}

void half_square(const Painter& p, const Rect& r, bool lower_right, Color color) {
    const Rect in = r.inset(p.ui.px(2));
    outline(p, r, color, 0, 1.4f);
    const ImVec2 bottom_left{in.x, in.bottom()}, bottom_right{in.right(), in.bottom()};
    const ImVec2 top = lower_right ? ImVec2{in.right(), in.y} : ImVec2{in.x, in.y};
    p.list.AddTriangleFilled(top, bottom_right, bottom_left, im(color));
}

void fork(const Painter& p, Vec2 c, float s, Color color) {
    const Vec2 node{c.x - 0.12f * s, c.y};
    stroke(p, {c.x - 0.5f * s, c.y}, node, color, 1.8f);
    for (const float dy : {-0.45f, 0.45f})
        stroke(p, node, {c.x + 0.42f * s, c.y + dy * s}, color, 1.8f);
}

}  // namespace

std::string request_name(std::size_t index) {
    std::string name(1, kLetters[index % kLetters.size()]);
    if (const std::size_t round = index / kLetters.size(); round > 0)
        name += std::to_string(round + 1);
    return name;
}

std::optional<std::size_t> request_index(std::string_view name) {
    const std::size_t letter = name.empty() ? std::string_view::npos : kLetters.find(name.front());
    if (letter == std::string_view::npos) return std::nullopt;
    if (name.size() == 1) return letter;
    // A round is written as a plain number from 2 on.
    std::size_t round = 0;
    for (const char digit : name.substr(1)) {
        if (digit < '0' || digit > '9' || (round == 0 && digit == '0') || name.size() > 8)
            return std::nullopt;
        round = 10 * round + static_cast<std::size_t>(digit - '0');
    }
    if (round < 2) return std::nullopt;
    return (round - 1) * kLetters.size() + letter;
}

TagShape request_shape(std::size_t index) {
    return static_cast<TagShape>(index % kLetters.size() / 3);
}

const Hue& request_hue(const Palette& colors, std::size_t index) {
    return colors.request[index % colors.request.size()];
}

void draw_request_tag(const Painter& p, Vec2 center, float size, const RequestTag& tag) {
    const Ui& ui = p.ui;
    const std::string name = request_name(tag.index);
    const float longer = longer_for(ui, size, name);
    Rect box = square(ui, center, size);
    box.x = std::floor(box.x - longer / 2), box.w += longer;
    if (tag.finished || tag.waiting) {
        if (tag.waiting)
            dashed_outline(p, box, ui.colors.text3, 2);
        else
            outline(p, box, ui.colors.text3, 2);
        return letter(p, box, size, name, ui.colors.text2);
    }
    const Hue& hue = request_hue(ui.colors, tag.index);
    const std::optional<Color> edge = needed_outline(ui.colors, hue.fill);
    switch (request_shape(tag.index)) {
        case TagShape::Square:
            fill(p, box, hue.fill, 2);
            if (edge) outline(p, box, *edge, 2);
            break;
        case TagShape::Circle:
            if (longer > 0) {
                fill(p, box, hue.fill, size / 2);
                if (edge) outline(p, box, *edge, size / 2);
            } else {
                circle(p, box.center(), box.w * 0.54f, hue.fill, edge);
            }
            break;
        case TagShape::Diamond:
            if (longer > 0)
                hexagon(p, box.center(), box.h * 0.5f, longer, hue.fill, edge);
            else
                diamond(p, box.center(), box.w * 0.63f, hue.fill, edge);
            break;
    }
    letter(p, box, size, name, ui.colors.on_fill);
}

void draw_letter_tag(const Painter& p, Vec2 center, float size, std::string_view text,
                     const Hue& hue) {
    const Rect box = square(p.ui, center, size);
    fill(p, box, hue.fill, 2);
    if (const std::optional<Color> edge = needed_outline(p.ui.colors, hue.fill))
        outline(p, box, *edge, 2);
    letter(p, box, size, text, p.ui.colors.on_fill);
}

void draw_side_mark(const Painter& p, Vec2 center, float size, CompareSide side, Color color) {
    const Rect box = square(p.ui, center, size);
    if (side == CompareSide::Left)
        fill(p, box, color);
    else
        circle(p, box.center(), box.w * 0.54f, color, std::nullopt);
}

void draw_event_mark(const Painter& p, Vec2 center, float size, EventMark mark) {
    draw_event_mark(p, center, size, mark,
                    mark == EventMark::Evict ? p.ui.colors.loss.ink : p.ui.colors.text);
}

void draw_event_mark(const Painter& p, Vec2 center, float size, EventMark mark, Color color) {
    const Rect box = square(p.ui, center, size);
    const Vec2 c = box.center();
    const float s = box.w;
    switch (mark) {
        case EventMark::Admit:
            return triangle(p, c, size, Dir::Right, color, true);
        case EventMark::Allocate:
            return triangle(p, c, size, Dir::Up, color, true);
        case EventMark::Free:
            return triangle(p, c, size * 0.92f, Dir::Down, color, false);
        case EventMark::Share:
            outline(p, box, color, 0, 1.6f);
            return outline(p, box.inset(std::round(s * 0.3f)), color, 0, 1.6f);
        case EventMark::CopyOnWrite: {
            const float part = std::round(s * 0.62f);
            outline(p, {box.right() - part, box.bottom() - part, part, part}, color, 0, 1.6f);
            return fill(p, {box.x, box.y, part, part}, color);
        }
        case EventMark::Fork:
            return fork(p, c, s, color);
        case EventMark::Evict:
            return cross_mark(p, c, size * 0.9f, color, 2);
        case EventMark::Offload:
            return half_square(p, box, true, color);
        case EventMark::BringBack:
            return half_square(p, box, false, color);
        case EventMark::Finish:
            return fill(p, box.inset(std::round(s * 0.14f)), color);
        case EventMark::Draft:
            return dashed_outline(p, box, color, 3, 1.6f);
    }
}

float badge_width(const Ui& ui, std::string_view head, std::span<const Run> text) {
    const float body = text.empty() ? 0 : std::ceil(runs_width(ui, text)) + 2 * ui.px(12);
    return std::ceil(text_width(ui, type::strong(ui), head)) + 2 * ui.px(12) + body;
}

bool badge(const Ui& ui, const char* id, std::string_view head, std::span<const Run> text,
           const BadgeLook& look) {
    const float h = ui.px(28);
    const Hit hit = hit_item(id, {badge_width(ui, head, text), h});
    const Painter p(ui);
    const Palette& c = ui.colors;
    const float head_w = std::ceil(text_width(ui, type::strong(ui), head)) + 2 * ui.px(12);
    const Color edge = look.loss ? c.loss.ink : hit.hovered ? c.text : c.text2;
    const Color face = look.loss ? c.loss.fill : c.text2;
    const Rect head_box{hit.rect.x, hit.rect.y, head_w, h};
    if (!look.quiet)
        p.list.AddRectFilled(
            im(head_box.min()), im(head_box.max()), im(face), ui.px(4),
            text.empty() ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersLeft);
    else if (!text.empty())
        vline(p, head_box.right() - ui.line(), hit.rect.y, hit.rect.bottom(), edge);
    outline(p, hit.rect, edge, 4);
    const Color ink = look.quiet ? c.text2 : look.loss ? c.on_fill : c.panel;
    text_in(p, aligned(colored(type::strong(ui), ink), Align::Center), head_box, head);
    runs_in(p, text,
            {head_box.right() + ui.px(12), hit.rect.y, hit.rect.right() - head_box.right(), h});
    if (hit.focused) focus_ring(p, hit.rect);
    return hit.pressed;
}

}  // namespace kv
