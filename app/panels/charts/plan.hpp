#pragma once
// What the charts of a run say beside their curves: titles, axes, and the values at one step with
// the fractions that they come from. Pure: no imgui.h.

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/charts/series.hpp"
#include "app/shell/texts/texts.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

enum class ChartKind : std::uint8_t {
    Memory,
    Utilisation,
    HitRate,
    Computed,
    Evicted,
    Read,
    Offloaded,
    Requests,
    ModelTime,
    Time,
    PerToken
};

// Steps that the shared axis shows.
struct StepRange {
    double first = 1, last = 2;
    friend bool operator==(const StepRange&, const StepRange&) = default;
};
StepRange whole_range(const RunSeries& series);
// The steps between two in any order, not narrower than one step; nothing when that is everything.
std::optional<StepRange> zoom_between(double a, double b, const StepRange& whole);

// A step whose values are written out: the cursor's, or the one pointed at.
struct ChartStep {
    Sample sample;
    bool finished = false;           // some iteration is, so there is a last one
    StepRead read;                   // by that one
    StepTimes times;                 // of it
    std::uint64_t computed_all = 0;  // tokens of all iterations up to it
};
ChartStep shown_step(const RunView& run, const RunSeries& series, const RunHistory& history,
                     std::optional<std::uint32_t> pointed);

struct ChartLabel {
    double y = 0;
    Text value = {}, caption = {};
    bool strong = false, beside = false, loss = false;
};

struct RunChart {
    ChartKind kind = ChartKind::Memory;
    const char* id = "";
    Text title, unit;
    Text of_value = {};  // the unit of a value where it is not in the value, as "KiB"
    double y_max = 1;
    List<AxisMark> y_marks;
    List<ChartLabel> labels;  // empty before anything is known
};

struct ChartsAsk {
    const RunView& run;
    const RunSeries& series;
    const ChartStep& shown;
    StepRange range;
    bool mini = false;
};
// Where drafts are checked, bytes for each new token stand in place of computed tokens. With a host
// tier its blocks are counted, without one the requests are. Modelled times stand where
// blocks came back, for which steps wait; measured ones only where the roofs are measured: pictures
// hold nothing that a clock has said.
List<ChartKind> chart_kinds(const RunView& run, bool mini);
RunChart plan_chart(ChartKind kind, const ChartsAsk& ask, const Texts& text);

// The step written in bold, the ends and the middle, as far as they stand `apart` pixels from each
// other; `per_step` pixels.
List<AxisMark> step_marks(const StepRange& range, std::optional<std::uint32_t> strong,
                          double per_step, double apart);

// "201.5", "1,083": a number of bytes in the unit of its axis.
struct AxisUnit {
    double size = 1024;
    std::string_view name = "KiB";
};
AxisUnit unit_for_bytes(double max);
Text in_unit(double bytes, const AxisUnit& unit);

}  // namespace kv
