#pragma once
// How stock ImGui and ImPlot widgets look: the sizes of the design in whole pixels, the colours of
// a palette. Written over a fresh style each time; a change never builds on the one before.

#include "app/shell/theme.hpp"

struct ImGuiStyle;
struct ImPlotStyle;

namespace kv {

ImGuiStyle make_style(const Palette& palette, float unit);
ImPlotStyle make_plot_style(const Palette& palette, float unit);
void apply_style(const Palette& palette, float unit);  // to the current ImGui and ImPlot contexts

}  // namespace kv
