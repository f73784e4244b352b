#include "app/panels/attach/axes.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr double kFromNow = 0.25;  // of the axis: nearer to now the first tick gives way to it

Text value_label(const Texts& text, double at, bool share) {
    if (share) return fill(text["attach.percent"_t], {{"n", fixed(100 * at, 0)}});
    return at == std::floor(at) ? with_commas(static_cast<std::uint64_t>(at)) : fixed(at, 2);
}

}  // namespace

StreamAxes::StreamAxes(const Texts& text, const StreamSpan& span, double now, bool share,
                       double highest)
    : span_(span), now_(now) {
    const List<double> steps = share ? List<double>{0, 0.5, 1} : round_ticks(highest, 2);
    top_ = steps.back();
    for (const double at : steps) y_.push_back({at, value_label(text, at, share)});
    if (now - span.from_s > kFromNow * (span.to_s - span.from_s))
        x_.push_back({span.from_s, clock_of(span.from_s)});
    x_.push_back({now, clock_of(now), true});
    x_ticks_ = ticks_of(x_);
    y_ticks_ = ticks_of(y_);
}

ChartSpec StreamAxes::spec(float width, float height, float label_room) const {
    return {.x = {.min = span_.from_s,
                  .max = std::max(span_.to_s, span_.from_s + 1),
                  .ticks = x_ticks_,
                  .grid = false},
            .y = {.min = 0, .max = std::max(top_, 1e-9), .ticks = y_ticks_},
            .height = height,
            .width = width,
            .label_room = label_room,
            .playhead = now_};
}

double highest_of(std::span<const double> values) {
    double highest = 0;
    for (const double v : values)
        if (std::isfinite(v)) highest = std::max(highest, v);
    return highest;
}

}  // namespace kv
