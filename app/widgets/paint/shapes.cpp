#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/paint/paint.hpp"
#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr float kDash = 3;           // on and off, logical pixels
constexpr double kSeenContrast = 3;  // WCAG 2: what an area needs to be told from the panel

// Whole logical widths stay whole pixels, 1.4 and 1.8 stay what they are; never below one pixel.
float line_width(const Ui& ui, float logical) {
    const float scaled = logical == std::floor(logical) ? ui.px(logical) : logical * ui.unit;
    return std::max(1.0f, scaled) + ui.px(ui.colors.extra_line);
}

Rect grown(const Rect& r, float d) {
    return r.inset(-d);
}

// Dashes of equal length from `a` to `b` on one axis, ending with a dash; each(start, length).
template <class Each>
void each_dash(float length, float dash, Each each) {
    const int count = std::max(1, static_cast<int>(std::lround((length + dash) / (2 * dash))));
    const float period = (length + dash) / static_cast<float>(count);
    for (int i = 0; i < count; ++i) {
        const float from = std::round(static_cast<float>(i) * period);
        each(from, std::min(dash, length - from));
    }
}

void dashes_h(const Painter& p, float x0, float x1, float y, Color color, float width) {
    each_dash(x1 - x0, p.ui.px(kDash), [&](float from, float length) {
        fill(p, {x0 + from, y, length, width}, color);
    });
}
void dashes_v(const Painter& p, float x, float y0, float y1, Color color, float width) {
    each_dash(y1 - y0, p.ui.px(kDash), [&](float from, float length) {
        fill(p, {x, y0 + from, width, length}, color);
    });
}

// The outline of a pill, by the way along it: clockwise from the left end of its upper edge.
class Outline {
public:
    explicit Outline(const Rect& r)
        : r_(r), radius_(std::max(0.5f, std::min(r.w, r.h) / 2)), quarter_(kQuarter * radius_) {}

    float length() const { return 2 * (r_.w + r_.h - 4 * radius_) + 4 * quarter_; }
    ImVec2 at(float s) const {
        const float w = r_.w - 2 * radius_, h = r_.h - 2 * radius_;
        const float left = r_.x + radius_, right = r_.right() - radius_, top = r_.y + radius_,
                    bottom = r_.bottom() - radius_;
        if (s < w) return {left + s, r_.y};
        if ((s -= w) < quarter_) return corner(right, top, 0, s);
        if ((s -= quarter_) < h) return {r_.right(), top + s};
        if ((s -= h) < quarter_) return corner(right, bottom, kQuarter, s);
        if ((s -= quarter_) < w) return {right - s, r_.bottom()};
        if ((s -= w) < quarter_) return corner(left, bottom, 2 * kQuarter, s);
        if ((s -= quarter_) < h) return {r_.x, bottom - s};
        return corner(left, top, 3 * kQuarter, s - h);
    }

private:
    static constexpr float kQuarter = 1.57079633f;
    ImVec2 corner(float x, float y, float from, float s) const {
        const float angle = from + s / radius_;
        return {x + radius_ * math::sin(angle), y - radius_ * math::cos(angle)};
    }
    Rect r_;
    float radius_, quarter_;
};

// What is left of a convex polygon on the side of the line x + y = c that `keep_above` names.
struct Polygon {
    std::array<ImVec2, 8> at{};
    int n = 0;
    void add(ImVec2 v) { at[static_cast<std::size_t>(n++)] = v; }
};
Polygon clip_diagonal(const Polygon& in, float c, bool keep_above) {
    const auto distance = [&](ImVec2 v) { return keep_above ? v.x + v.y - c : c - v.x - v.y; };
    Polygon out;
    for (int i = 0; i < in.n; ++i) {
        const ImVec2 a = in.at[static_cast<std::size_t>(i)];
        const ImVec2 b = in.at[static_cast<std::size_t>((i + 1) % in.n)];
        const float da = distance(a), db = distance(b);
        if (da >= 0) out.add(a);
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
            const float t = da / (da - db);
            out.add({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
        }
    }
    return out;
}

}  // namespace

Fading::Fading(const Painter& p, float share)
    : list_(p.list), first_(p.list.VtxBuffer.Size), share_(std::clamp(share, 0.0f, 1.0f)) {}

Fading::~Fading() {
    for (int i = first_; i < list_.VtxBuffer.Size; ++i) {
        ImU32& color = list_.VtxBuffer[i].col;
        const auto alpha = static_cast<float>((color & IM_COL32_A_MASK) >> IM_COL32_A_SHIFT);
        color = (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(alpha * share_))
                                                 << IM_COL32_A_SHIFT;
    }
}

Rect snap(Rect r) {
    const float x0 = std::round(r.x), y0 = std::round(r.y);
    return {x0, y0, std::round(r.right()) - x0, std::round(r.bottom()) - y0};
}

void fill(const Painter& p, const Rect& r, Color color, float radius) {
    if (r.w <= 0 || r.h <= 0) return;
    p.list.AddRectFilled(im(r.min()), im(r.max()), im(color), p.ui.px(radius));
}

void outline(const Painter& p, const Rect& r, Color color, float radius, float width) {
    if (r.w <= 0 || r.h <= 0) return;
    const float w = line_width(p.ui, width), half = (w - 1) / 2;
    const float round = radius > 0 ? std::max(0.0f, p.ui.px(radius) - w / 2) : 0.0f;
    p.list.AddRect({r.x + half, r.y + half}, {r.right() - half, r.bottom() - half}, im(color),
                   round, w);
}

std::optional<Color> needed_outline(const Palette& colors, Color fill) {
    if (!colors.is_light()) return std::nullopt;
    for (const Hue& hue : {colors.k, colors.v, colors.request[0], colors.request[1],
                           colors.request[2], colors.loss, colors.cached})
        if (hue.fill == fill) return hue.ink;
    if (contrast(fill, colors.panel) >= kSeenContrast) return std::nullopt;
    return colors.text3;
}

void ring(const Painter& p, const Rect& r, const RingLook& look) {
    const float grow = p.ui.px(look.gap) + line_width(p.ui, look.width);
    outline(p, grown(r, grow), look.color, look.radius + grow / p.ui.unit, look.width);
}

void focus_ring(const Painter& p, const Rect& r, float radius) {
    ring(p, r, {.color = p.ui.colors.focus, .radius = radius, .width = 2, .gap = 1});
}
void linked_ring(const Painter& p, const Rect& r, float radius) {
    ring(p, r, {.color = p.ui.colors.focus, .radius = radius, .width = 1.5f});
}
void hover_ring(const Painter& p, const Rect& r, float radius) {
    ring(p, r, {.color = p.ui.colors.text, .radius = radius, .gap = 2});
}

void hline(const Painter& p, float x0, float x1, float y, Color color, float width) {
    fill(p, {x0, y, x1 - x0, std::round(line_width(p.ui, width))}, color);
}
void vline(const Painter& p, float x, float y0, float y1, Color color, float width) {
    fill(p, {x, y0, std::round(line_width(p.ui, width)), y1 - y0}, color);
}

void stroke(const Painter& p, Vec2 a, Vec2 b, Color color, float width) {
    // AddLine would move both ends by half a pixel.
    const std::array<ImVec2, 2> ends{im(a), im(b)};
    p.list.AddPolyline(ends.data(), 2, im(color), line_width(p.ui, width));
}

void dashed_line(const Painter& p, Vec2 a, Vec2 b, Color color, float width) {
    const float w = std::round(line_width(p.ui, width));
    if (a.y == b.y) return dashes_h(p, std::min(a.x, b.x), std::max(a.x, b.x), a.y, color, w);
    if (a.x == b.x) return dashes_v(p, a.x, std::min(a.y, b.y), std::max(a.y, b.y), color, w);
    const Vec2 d = b - a;
    const float length = math::hypot(d.x, d.y);
    each_dash(length, p.ui.px(kDash), [&](float from, float dash) {
        const float t0 = from / length, t1 = (from + dash) / length;
        stroke(p, {a.x + d.x * t0, a.y + d.y * t0}, {a.x + d.x * t1, a.y + d.y * t1}, color, width);
    });
}

void dotted_line(const Painter& p, Vec2 a, Vec2 b, Color color) {
    const float dot = p.ui.px(1), period = p.ui.px(4);
    Vec2 at = a;
    while (at.x < b.x) {
        fill(p, {at.x, a.y, dot, dot}, color);
        at.x += period;
    }
    while (at.y < b.y) {
        fill(p, {a.x, at.y, dot, dot}, color);
        at.y += period;
    }
}

void dashed_outline(const Painter& p, const Rect& r, Color color, float radius, float width) {
    if (r.w <= 0 || r.h <= 0) return;
    const float w = std::round(line_width(p.ui, width));
    const float corner = std::min({p.ui.px(radius), r.w / 2, r.h / 2});
    dashes_h(p, r.x + corner, r.right() - corner, r.y, color, w);
    dashes_h(p, r.x + corner, r.right() - corner, r.bottom() - w, color, w);
    dashes_v(p, r.x, r.y + corner, r.bottom() - corner, color, w);
    dashes_v(p, r.right() - w, r.y + corner, r.bottom() - corner, color, w);
}

void dashed_pill(const Painter& p, const Rect& r, Color color, float width) {
    if (r.w <= 0 || r.h <= 0) return;
    const float w = line_width(p.ui, width);
    const Outline around(r.inset(w / 2));
    const float dash = p.ui.px(kDash);
    const int count = std::max(4, static_cast<int>(std::lround(around.length() / (2 * dash))));
    const float period = around.length() / static_cast<float>(count);
    for (int i = 0; i < count; ++i) {
        const float from = static_cast<float>(i) * period;
        const std::array<ImVec2, 4> points{around.at(from), around.at(from + period / 6),
                                           around.at(from + period / 3),
                                           around.at(from + period / 2)};
        p.list.AddPolyline(points.data(), 4, im(color), w);
    }
}

void hatch(const Painter& p, const Rect& r, Color color, float gap, float width) {
    if (r.w <= 0 || r.h <= 0) return;
    const float root2 = std::sqrt(2.0f);
    const float step = std::max(2.0f, gap * p.ui.unit * root2);
    const float half = std::max(1.0f, width * p.ui.unit) * root2 / 2;
    Polygon box;
    for (ImVec2 v : {im(r.min()), ImVec2{r.right(), r.y}, im(r.max()), ImVec2{r.x, r.bottom()}})
        box.add(v);
    float c = std::ceil((r.x + r.y - half) / step) * step;
    while (c < r.right() + r.bottom() + half) {
        const Polygon line = clip_diagonal(clip_diagonal(box, c - half, true), c + half, false);
        if (line.n >= 3) p.list.AddConvexPolyFilled(line.at.data(), line.n, im(color));
        c += step;
    }
}

void brackets(const Painter& p, const Rect& r, Color color) {
    const float w = std::round(line_width(p.ui, 2)), gap = p.ui.px(3);
    const Rect o = grown(r, gap + w);
    const float longest = p.ui.px(10) + w;
    const float ax = std::min(longest, std::round(o.w / 3)),
                ay = std::min(longest, std::round(o.h / 3));
    for (const float y : {o.y, o.bottom() - w}) {
        fill(p, {o.x, y, ax, w}, color);
        fill(p, {o.right() - ax, y, ax, w}, color);
    }
    for (const float x : {o.x, o.right() - w}) {
        fill(p, {x, o.y, w, ay}, color);
        fill(p, {x, o.bottom() - ay, w, ay}, color);
    }
}

}  // namespace kv
