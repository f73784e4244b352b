#pragma once
// The axes of a curve over a stream: time from its first moment to the last, values from 0 up. For
// one server and for two beside each other.

#include <span>

#include "app/panels/attach/plan.hpp"
#include "app/shell/texts/texts.hpp"
#include "app/widgets/chart/chart.hpp"
#include "app/widgets/chart/ticks.hpp"

namespace kv {

// Keeps what a chart looks at, so it outlives the chart and stays where it is.
class StreamAxes {
public:
    // `highest` of all values; shares go from 0 to 1 whatever it is.
    StreamAxes(const Texts& text, const StreamSpan& span, double now, bool share, double highest);
    StreamAxes(const StreamAxes&) = delete;
    StreamAxes& operator=(const StreamAxes&) = delete;

    ChartSpec spec(float width, float height, float label_room) const;

private:
    StreamSpan span_;
    double now_, top_;
    List<AxisMark> x_, y_;
    List<ChartTick> x_ticks_, y_ticks_;
};

// The largest finite one, at least 0.
double highest_of(std::span<const double> values);

}  // namespace kv
