#pragma once
// What stands inside one chart of a run: past and recorded future of its curves, and the key under
// it. Only the values differ from chart to chart; the plan says them.

#include "app/panels/charts/plan.hpp"
#include "app/widgets/chart/chart.hpp"

namespace kv {

void draw_curves(const Chart& chart, const RunView& run, const RunSeries& series,
                 const ChartStep& cursor, ChartKind kind, const StepRange& range);
// "waste: allocated, not written 9.5", "measured, formula 221 × 512 = 113,152 B".
void draw_key_row(const Painter& p, const RunView& run, const ChartStep& shown, ChartKind kind,
                  const Rect& row);
// Pixels that the labels at the ends of the lines take.
float labels_width(const Ui& ui, std::span<const ChartLabel> labels);

}  // namespace kv
