#pragma once
// Paints the small pictures of Settings into a frame.

#include "app/panels/settings/tiny.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

void paint_tiny(const Painter& p, const Rect& frame, const TinyHeads& heads);
void paint_tiny(const Painter& p, const Rect& frame, const TinyBits& k, const TinyBits& v);
void paint_tiny(const Painter& p, const Rect& frame, const TinySlots& slots, const Hue& hue);
void paint_tiny(const Painter& p, const Rect& frame, const TinyPool& pool, const Hue& hue);

}  // namespace kv
