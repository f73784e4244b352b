#pragma once
// Text and shapes, drawn sharp. Positions and rectangles are pixels (they come out of layout
// plans); radii, line widths, arm lengths and text sizes are logical pixels and are scaled here.
// Rectangles are expected on whole pixels; snap() makes them so. Lines get the theme's extra width.

#include <optional>
#include <span>
#include <string_view>

#include "app/widgets/paint/type.hpp"

namespace kv {

// Where to draw: a list of the current window unless told otherwise. Lives for one drawing
// function.
struct Painter {
    const Ui& ui;
    ImDrawList& list;
    explicit Painter(const Ui& u) : ui(u), list(*ImGui::GetWindowDrawList()) {}
    Painter(const Ui& u, ImDrawList& l) : ui(u), list(l) {}
};

// What is painted during its life is let through by that much: 0 nothing, 1 all.
class Fading {
public:
    Fading(const Painter& p, float share);
    ~Fading();
    Fading(const Fading&) = delete;
    Fading& operator=(const Fading&) = delete;

private:
    ImDrawList& list_;
    int first_;
    float share_;
};

Rect snap(Rect r);  // edges to the nearest whole pixel
inline Rect moved(const Rect& r, Vec2 by) {
    return snap({r.x + by.x, r.y + by.y, r.w, r.h});
}

// ---- Text: one line.

float text_width(const Ui& ui, const TextStyle& style, std::string_view text);  // pixels
float cap_height(const Ui& ui, const TextStyle& style);                         // of 'H', pixels

// The line stands in `rect` by style.align, its capitals centred vertically, so labels look
// centred. Text that is too wide ends in "…" and shows whole as a tooltip; true when it was cut. A
// width of 0 never cuts.
bool text_in(const Painter& p, const TextStyle& style, const Rect& rect, std::string_view text);

// The baseline's left end (or middle, or right end, by style.align) stands at `at`.
void text_at(const Painter& p, const TextStyle& style, Vec2 at, std::string_view text);

// Words and numbers in one line: fonts and sizes may differ, the baseline is one.
struct Run {
    TextStyle style;
    std::string_view text;
    float gap = 0;  // logical pixels before it
};
float runs_width(const Ui& ui, std::span<const Run> runs);
void runs_in(const Painter& p, std::span<const Run> runs, const Rect& rect,
             Align align = Align::Left);

// ---- Text: wrapped. `pitch` is the distance of two baselines in logical pixels (23 for prose);
// '\n' ends a line. Both return the height in pixels; the height of `room` is not looked at.

float wrapped_height(const Ui& ui, const TextStyle& style, float pitch, float width,
                     std::string_view text);
float wrapped_at(const Painter& p, const TextStyle& style, float pitch, const Rect& room,
                 std::string_view text);

// ---- Rectangles and lines.

void fill(const Painter& p, const Rect& r, Color color, float radius = 0);

// An outline lies inside r, a ring `gap` outside it.
void outline(const Painter& p, const Rect& r, Color color, float radius = 0, float width = 1);
// What an area in this colour needs around it to be seen on the panel: in the light theme the ink
// of its hue, of a colour without one a quiet line where its own contrast is too low; elsewhere
// nothing.
std::optional<Color> needed_outline(const Palette& colors, Color fill);
struct RingLook {
    Color color;
    float radius = 0, width = 1;
    float gap = 0;  // from the object to the ring
};
void ring(const Painter& p, const Rect& r, const RingLook& look);

// The three rings of an object: keyboard focus (2 px, 1 px off), pointed at by a text (1.5 px),
// under the mouse (1 px).
void focus_ring(const Painter& p, const Rect& r, float radius = 4);
void linked_ring(const Painter& p, const Rect& r, float radius = 3);
void hover_ring(const Painter& p, const Rect& r, float radius = 3);

// Sharp lines; x and y are the left and the top edge of the line.
void hline(const Painter& p, float x0, float x1, float y, Color color, float width = 1);
void vline(const Painter& p, float x, float y0, float y1, Color color, float width = 1);

// Lines in any direction, their middle from a to b. Dashes are 3 on, 3 off and begin and end a
// line.
void stroke(const Painter& p, Vec2 a, Vec2 b, Color color, float width = 1);
void dashed_line(const Painter& p, Vec2 a, Vec2 b, Color color, float width = 1);
void dashed_outline(const Painter& p, const Rect& r, Color color, float radius = 0,
                    float width = 1);
void dotted_line(const Painter& p, Vec2 a, Vec2 b, Color color);  // 1 on, 3 off; level or upright

// A pill in dashes, of equal length along straight and round parts.
void dashed_pill(const Painter& p, const Rect& r, Color color, float width = 1);

// 45 degrees, rising to the right, cut at the edges of r. All hatches share one grid of lines.
void hatch(const Painter& p, const Rect& r, Color color, float gap = 5, float width = 1.4f);

// Selection: four corners, 2 px lines, 3 px outside r; arms at most a third of a side.
void brackets(const Painter& p, const Rect& r, Color color);

// ---- Marks: lines, never glyphs. `size` is the width of the mark's box in logical pixels.

enum class Dir : std::uint8_t { Left, Right, Up, Down };
void tick_mark(const Painter& p, Vec2 center, float size, Color color, float width = 1.8f);
void cross_mark(const Painter& p, Vec2 center, float size, Color color, float width = 1.6f);
void plus_mark(const Painter& p, Vec2 center, float size, Color color, bool minus);
void chevron(const Painter& p, Vec2 center, float size, Dir dir, Color color, float width = 1.6f);
void triangle(const Painter& p, Vec2 center, float size, Dir dir, Color color, bool filled);
void arrow(const Painter& p, Vec2 tail, Vec2 head, Color color, float width = 1.4f);

// ---- Connectors: a right-angled path with rounded corners over a halo 3 px wider on each side, so
// that crossings read as bridges. Draw the selected one last.

struct ConnectorLook {
    Color color, halo;
    float width = 1.8f;
    float radius = 4;
    bool head = true;  // an open arrow head at the last point
};
void connector(const Painter& p, std::span<const Vec2> points, const ConnectorLook& look);

}  // namespace kv
