#pragma once
// Points and rectangles of layout plans, in pixels, y down. No imgui.h, so that plans and hit tests
// are tested without a window.

namespace kv {

struct Vec2 {
    float x = 0, y = 0;
    friend bool operator==(Vec2, Vec2) = default;
};
constexpr Vec2 operator+(Vec2 a, Vec2 b) {
    return {a.x + b.x, a.y + b.y};
}
constexpr Vec2 operator-(Vec2 a, Vec2 b) {
    return {a.x - b.x, a.y - b.y};
}

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;

    constexpr float right() const { return x + w; }
    constexpr float bottom() const { return y + h; }
    constexpr Vec2 min() const { return {x, y}; }
    constexpr Vec2 max() const { return {x + w, y + h}; }
    constexpr Vec2 center() const { return {x + w / 2, y + h / 2}; }
    constexpr bool contains(Vec2 p) const {
        return p.x >= x && p.x < right() && p.y >= y && p.y < bottom();
    }
    constexpr Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
    friend bool operator==(const Rect&, const Rect&) = default;
};

// The size of a window or a picture, in whole pixels.
struct PixelSize {
    int w = 0, h = 0;
    friend bool operator==(PixelSize, PixelSize) = default;
};

}  // namespace kv
