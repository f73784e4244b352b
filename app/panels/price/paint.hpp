#pragma once
// What the table and the picture of Price share: a row's mark, and which row is pointed at.

#include "app/panels/price/price.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

// Filled on the frontier, else hollow.
void draw_price_shape(const Painter& p, Vec2 center, PriceShape shape, bool on_frontier,
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

// What the marks of policies mean; no height where the sheet has none.
float price_legend_height(const Ui& ui, const PriceSheet& sheet, float width);
void draw_price_legend(const Ui& ui, Vec2 at, float width);

void draw_price_table(const PriceFrame& frame);
void draw_price_chart(const PriceFrame& frame);

}  // namespace kv
