#pragma once
// The roofline as a model: two roofs from the two rates of the device, and where decode attention
// stands under them for each number of KV heads. Everything is computed; nothing is measured. Pure:
// no imgui.h.

#include "app/panels/bill/calculator/growth.hpp"
#include "app/panels/bill/view.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

constexpr double kCloseLabels = 3;     // ratio of intensities below which two labels would touch
constexpr float kRoofNamesFrom = 280;  // logical width from which the picture names the roofs
constexpr float kRoofLine = 17;        // logical: from line to line of the words below

struct RoofPoint {
    Text label;
    double intensity = 0;  // FLOP per byte of cache
    double flops = 0;      // per second, at most
    bool current = false;
    bool label_above = false;  // the next point stands where the label would
};

struct RooflinePlan {
    List<RoofPoint> points;  // least intensity first
    RoofPoint start;         // of the slope, at the left edge
    RoofPoint slope_name;    // where the slope has room for its name, the label
    double ridge = 0, peak = 0;
    double min_x = 0, max_x = 0, min_y = 0, max_y = 0;
    List<AxisMark> x_marks, y_marks;
    Text unit;  // of the y axis: "TFLOP/s"
    Text compute, ridge_text;
    Text sentence;  // what it means for the model as it is
};
RooflinePlan plan_roofline(const BillView& view, const Texts& text);

}  // namespace kv
