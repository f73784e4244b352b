#pragma once
// Where axis ticks and the labels at line ends stand. Pure: no imgui.h. Ticks are few and round;
// their words are the caller's.

#include <span>

#include "core/base/reused_text.hpp"

namespace kv {

// A tick as a plan keeps it: with a label of its own.
struct AxisMark {
    double at = 0;
    Text label;
    bool strong = false;  // "now"
};

// 0 to at least `max` in at most `intervals` equal steps of 1, 2, 2.5 or 5 times a power of ten, or
// with `binary` of a power of two: 376 in 3 steps is {0, 200, 400}, with binary
// {0, 128, 256, 384}. Nothing to show (max not above 0 or not finite): {0, 1}.
List<double> round_ticks(double max, int intervals, bool binary = false);

// Powers of `base` inside [min, max], both above 0.
List<double> power_ticks(double min, double max, double base);

// Tops of labels of the given heights, each as near as possible to the wanted one, in the order of
// `wanted`, inside [low, high], never overlapping while they fit.
List<float> spread_labels(std::span<const float> wanted, std::span<const float> heights, float low,
                          float high);

}  // namespace kv
