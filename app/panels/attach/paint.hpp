#pragma once
// What the panels of a watched server share: the marks that say where a number comes from, plates,
// the ramp of ages, and numbers with their mark.

#include "app/panels/attach/plan.hpp"
#include "app/panels/attach/ui.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

// Exact, counted from events; sampled, a value of /metrics; modelled, by us. An exact mark is an
// outline while batches are missing.
enum class NumberSource : std::uint8_t { Exact, ExactInGap, Sampled, Modelled };
void source_mark(const Painter& p, Vec2 center, NumberSource source);
NumberSource exact_of(const ServerView& view);

// "■ 48,213": a mark, and the number behind it; the right end.
float marked_number(const Painter& p, const TextStyle& style, const Rect& room, NumberSource source,
                    std::string_view text);

// A number that marks one chain in pool, tree and table.
void draw_plate(const Painter& p, Vec2 top_left, std::uint32_t plate, bool selected);
inline constexpr float kPlate = 16;  // logical pixels

Color age_color(const Palette& colors, int shade);
void draw_age_ramp(const Painter& p, const Rect& ramp);  // from now to the oldest
Rect rect_of(const PlaceGrid& grid, const Rect& room, const PlaceRun& run);
// The places of a pool on their ground, each in the shade of its age.
void draw_places(const Painter& p, std::span<const PoolTexel> texels, const PlaceGrid& grid,
                 double oldest_s, const Rect& room);
// The selected object: two pixels in the colour of focus, and a dark line inside of it.
void selected_outline(const Painter& p, const Rect& r);

// A lock, closed.
void draw_lock(const Painter& p, Vec2 center, Color color);

// In place of a picture.
void draw_no_server(const Ui& ui, TextId title, TextId why);

// Room that a panel has, in whole pixels.
Rect panel_room();

}  // namespace kv
