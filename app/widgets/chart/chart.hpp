#pragma once
// Small charts over ImPlot in our look: hairline grid, few mono ticks, the playhead, and labels
// written at the lines instead of a legend. Nothing that is not finite (or not above 0 on a log
// axis) ever reaches ImPlot: such points are gaps. A chart without points is its axes.
//
//   if (Chart chart = begin_chart(ui, "memory", spec)) {
//       chart_line(chart, xs, ys, {.color = ui.colors.text});
//       chart_end_labels(chart, labels);
//       end_chart(chart);
//   }

#include <optional>

#include "app/widgets/chart/ticks.hpp"
#include "app/widgets/paint/paint.hpp"

namespace kv {

struct ChartTick {
    double at = 0;
    std::string_view label = {};  // empty: a grid line without a label
    bool strong = false;          // bold in text colour: "now"
};
List<ChartTick> ticks_of(std::span<const AxisMark> marks);  // valid while the marks are

struct ChartAxis {
    double min = 0, max = 1;
    bool log = false;
    std::span<const ChartTick> ticks = {};
    bool grid = true;

    bool drawable(double v) const;  // finite, and above 0 on a log axis
    double transformed(double v) const;
    float share(double v) const;  // 0 at min, 1 at max, linear in what is drawn
    double at_share(double t) const;
};

struct ChartSpec {
    std::string_view title = {};  // 14 semibold; empty: no head line
    std::string_view unit = {};   // quiet, after the title
    ChartAxis x{.grid = false}, y{};
    std::string_view x_label = {};  // quiet, under the x ticks at the right
    std::string_view y_label = {};  // quiet, above the y ticks
    float height = 0;               // pixels, head and ticks included; 0: the room there is
    float width = 0;                // pixels; 0: the room there is
    float label_room = 84;          // logical pixels right of the plot for chart_end_labels
    float tick_room = 0;            // logical pixels left of it; 0: the widest y tick label
    std::optional<double> playhead = {};
    bool frame = false;  // hairline all around, as the roofline has
};

// What the drawing functions below need; valid until end_chart.
struct Chart {
    const Ui* ui = nullptr;
    Rect plot;   // the data area, pixels
    Rect whole;  // with head, ticks and labels
    ChartAxis x, y;
    std::optional<double> playhead;
    std::optional<Vec2> hover;  // the mouse, in pixels, while it is inside the plot
    explicit operator bool() const { return ui != nullptr; }
    Vec2 pixel(double vx, double vy) const;  // clamped to what is finite
    double x_at(float pixel_x) const;
};
// The chart keeps a pointer to `ui` and to the ticks. Every chart that was begun is ended.
Chart begin_chart(const Ui& ui, const char* id, const ChartSpec& spec);
void end_chart(const Chart& chart);

enum class LineDash : std::uint8_t { Solid, Dashed };
struct LineLook {
    Color color{};
    float width = 1.6f;
    LineDash dash = LineDash::Solid;
    bool steps = false;  // holds its value until the next x
};
void chart_line(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
                const LineLook& look);
void chart_area(const Chart& chart, std::span<const double> xs, std::span<const double> low,
                std::span<const double> high, Color color, bool steps = false);

enum class Marker : std::uint8_t { Ring, Square, Circle, Triangle };
void chart_markers(const Chart& chart, std::span<const double> xs, std::span<const double> ys,
                   Marker marker, Color color, float radius = 4);
// Text beside a point; `offset` in logical pixels from it, aligned by style.align.
void chart_note(const Chart& chart, double x, double y, Vec2 offset, const TextStyle& style,
                std::string_view text);

// A label at the right end of a line: value in mono, a quiet caption beneath. Labels that would
// touch are moved apart; give them all in one call, top to bottom in any order.
struct EndLabel {
    double y = 0;
    std::string_view value = {}, caption = {};
    bool strong = false;
    bool beside = false;  // the caption after the value, not beneath it
    std::optional<Color> color = {};
    std::optional<Marker> marker = {};  // of its line, before the value
};
void chart_end_labels(const Chart& chart, std::span<const EndLabel> labels);
}  // namespace kv
