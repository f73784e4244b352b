#pragma once
// The picture of a layer's heads: query heads above, KV heads below as a K and a V half, lines
// between those that belong together.

#include "app/widgets/paint/paint.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

// `lit` rings the KV heads, because something points at their number.
void paint_heads(const Painter& p, const ModelShape& shape, const Rect& room, bool lit);

}  // namespace kv
