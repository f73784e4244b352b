#pragma once
// The panels that measure a run: its charts, its bytes as a product, and where its attention stands
// under the roofs of the machine. Each reads the view of this frame; what it remembers between
// frames is the small struct it is given.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/charts/plan.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// Both panels of charts share one axis of steps.
struct ChartsUi {
    std::uint64_t run = 0;  // another one is shown whole again
    std::optional<StepRange> zoom;
    // Pixels right of the plots, of both panels. It only grows: what is pointed at must not move
    // because the values at its right became wider.
    std::array<float, 2> label_room = {};
    float unit = 0;  // pixels per logical pixel that it was measured with
    RunSeries series;
};

void draw_charts(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                 ChartsUi& own);
void draw_mini_charts(const Ui& ui, const RunView& run, RunFocus& focus, const RunHistory& history,
                      ChartsUi& own);

void draw_run_equation(const Ui& ui, const RunView& run, RunFocus& focus);

// With a run beside a bill, Roofline shows one or the other.
enum class RooflineOf : std::uint8_t { Run, Bill };
void draw_run_roofline(const Ui& ui, const RunView& run, const RunHistory& history);
void choose_roofline(const Ui& ui, RooflineOf& of);

}  // namespace kv
