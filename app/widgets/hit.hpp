#pragma once
// What a control is built on: one real ImGui item, so that keyboard, tests and mouse all reach it,
// and the states a painter needs to know. Ids are strings, stable from frame to frame.

#include <array>

#include "app/widgets/paint/paint.hpp"

namespace kv {

struct Hit {
    Rect rect = {};  // pixels, whole
    bool hovered = false;
    bool held = false;     // pressed down now
    bool pressed = false;  // released on it, or Enter or Space with the keyboard on it
    bool focused = false;  // keyboard focus, and the keyboard is in use: draw a focus_ring
    bool enabled = true;
};

// All widgets stand flush, one under the other: the room between them is the caller's, by space().
struct Flush {
    Flush();
    ~Flush();
    Flush(const Flush&) = delete;
    Flush& operator=(const Flush&) = delete;
};

// An item at the ImGui cursor, which moves on; at least one pixel large.
Hit hit_item(const char* id, Vec2 size, bool enabled = true);

// What the arrow keys say to a canvas that has the keyboard: one step in one direction. As long as
// it asks in every frame, they neither step the run nor move the keyboard to another item.
struct Arrows {
    int right = 0, down = 0;
    explicit operator bool() const { return right != 0 || down != 0; }
};
Arrows keep_arrows(const char* id);

// An ImGui id for the i-th part of a control: "#3".
class PartId {
public:
    explicit PartId(std::size_t i);
    const char* c_str() const { return text_.data(); }

private:
    std::array<char, 24> text_{};
};

// How edge and wash of a control look in a state.
struct ControlPaint {
    Color fill, edge, ink;
};
ControlPaint control_paint(const Palette& colors, const Hit& hit, bool on = false,
                           bool primary = false);
// The edge alone. Where edge and hairline are one colour (contrast theme), dashes say that it is
// off.
void control_outline(const Painter& p, const Rect& r, bool enabled, Color edge, float radius = 4);
void draw_control(const Painter& p, const Hit& hit, const ControlPaint& paint, float radius = 4);

}  // namespace kv
