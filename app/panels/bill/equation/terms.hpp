#pragma once
// The boxes of the equation: one row where they fit, rows of like width where they do not, and the
// factors that K and V share only once.

#include "app/panels/bill/equation/plan.hpp"
#include "app/panels/bill/ui.hpp"
#include "app/shell/ui.hpp"

namespace kv {

constexpr float kExactFrom = 250;  // logical width from which every byte is spelled out

// Large boxes where there is room, but not at the price of a second row.
bool prefer_large(const Ui& ui, const EquationPlan& plan);
// The height in pixels that draw_terms takes in the room there is.
float terms_height(const Ui& ui, const EquationPlan& plan, bool large);
void draw_terms(const Ui& ui, const EquationPlan& plan, bool large, BillFocus& focus);

// Distances in logical pixels. The panel is small in Explore, so what it says comes before the air
// around it.
struct EquationPitch {
    float title = 24, row = 22, rule = 10, head = 20, bar = 17;
};
struct EquationLines {
    std::size_t rows = 0, bars = 0;
    bool note = false;
};
// The widest distances with which everything fits; the densest where nothing does. Pixels.
EquationPitch pitch_for(const Ui& ui, const EquationLines& lines, float terms, float room);

// Where a row of so many widths is broken so that the longer part is as short as possible. Pure.
std::size_t balanced_break(const List<float>& widths, float gap);

}  // namespace kv
