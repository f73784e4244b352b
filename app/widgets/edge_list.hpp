#pragma once
// A list of rows that scrolls by itself and reaches from panel edge to panel edge: a row's wash is
// as wide as the panel, its text stands in the panel's column, and the scrollbar lies in the
// padding, so that numbers keep their place under their heads.

#include <functional>

#include "app/widgets/hit.hpp"

namespace kv {

struct EdgeRow {
    Hit hit;    // the row in the panel's column
    Rect wash;  // the same from edge to edge
};

// `height` in pixels, 0 for all the room there is; `row` in logical pixels. `draw` is called for
// the rows that can be seen.
using DrawEdgeRow = std::function<void(std::size_t index, const EdgeRow&)>;
void draw_edge_list(const Ui& ui, const char* id, float height, std::size_t count, float row,
                    const DrawEdgeRow& draw);

// Handed on by reference, since a std::function that keeps a copy may ask for memory.
template <class Draw>
void edge_list(const Ui& ui, const char* id, float height, std::size_t count, float row,
               const Draw& draw) {
    draw_edge_list(ui, id, height, count, row, std::cref(draw));
}

}  // namespace kv
