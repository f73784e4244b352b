#pragma once
// What the table and the picture of Price share: a row's mark, and which row is pointed at.

#include "app/panels/price/price.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

// A circle for a codec, a square for a policy; filled on the frontier, else hollow.
void draw_price_mark(const Painter& p, Vec2 center, const PriceRow& row, bool on_frontier,
                     Color color);

struct PriceFrame {
    const Ui& ui;
    const PriceSheet& sheet;
    std::vector<bool> frontier;
    PriceUi& own;
    bool lit(std::size_t row) const { return own.pointed == row; }
};

// Every number of a row, as a tooltip.
void tell_price_row(const PriceFrame& frame, std::size_t row);

void draw_price_table(const PriceFrame& frame);
void draw_price_chart(const PriceFrame& frame);

}  // namespace kv
