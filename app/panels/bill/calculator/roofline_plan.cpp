#include "app/panels/bill/calculator/roofline_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

struct RateUnit {
    double size;
    std::string_view name;
};
constexpr std::array<RateUnit, 4> kRateUnits{
    {{1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}}};

const RateUnit& unit_for(double peak) {
    const auto unit = std::find_if(kRateUnits.begin(), kRateUnits.end() - 1,
                                   [peak](const RateUnit& u) { return peak >= 2 * u.size; });
    return *unit;
}

std::string number(double value) {
    return group_thousands(significant(value, 3));
}

// 3 significant digits without trailing zeros: "4", "3.94", "0.5".
std::string short_number(double value) {
    std::string text = number(value);
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

void add_marks(RooflinePlan& plan, const RateUnit& unit) {
    for (const double at : power_ticks(plan.min_x, plan.max_x / 1.5, 4))
        plan.x_marks.push_back({at, short_number(at)});
    for (const double at : power_ticks(plan.min_y, plan.max_y, 10))
        plan.y_marks.push_back({at, short_number(at / unit.size)});
    plan.unit = unit.name;
}

void set_range(RooflinePlan& plan, double bandwidth) {
    const double least = std::min(plan.points.front().intensity, 1.0);
    const double most = std::max(plan.points.back().intensity, plan.ridge);
    // One step of two beyond what is shown, so that no mark stands on the frame.
    plan.min_x = math::exp2(std::floor(math::log2(least)) - 1);
    plan.max_x = math::exp2(std::ceil(math::log2(most)) + 1);
    plan.min_y = math::pow(10, std::floor(math::log10(plan.min_x * bandwidth)));
    plan.max_y = plan.peak * 4;
}

// Half way along the longest stretch of the slope without a point, for the name of the slope.
double empty_stretch(const RooflinePlan& plan) {
    double from = plan.points.front().intensity, best = from, widest = 0;
    for (const RoofPoint& point : plan.points) {
        const double to = std::min(point.intensity, plan.ridge);
        if (to / from > widest) {
            widest = to / from;
            best = std::sqrt(to * from);
        }
        from = to;
    }
    return best;
}

}  // namespace

RooflinePlan plan_roofline(const BillView& view, const Texts& text) {
    RooflinePlan plan;
    const double bandwidth = view.in.bandwidth;
    plan.peak = view.in.flops;
    plan.ridge = view.at("ridge").real();
    for (const AttentionOption& option : view.attention) {
        const double intensity = attention_intensity(option.cache, view.shape.n_heads, view.codecs);
        plan.points.push_back({.label = attention_label(option, text),
                               .intensity = intensity,
                               .flops = attainable_flops(intensity, plan.peak, bandwidth),
                               .current = option.current});
    }
    std::sort(plan.points.begin(), plan.points.end(),
              [](const RoofPoint& a, const RoofPoint& b) { return a.intensity < b.intensity; });
    for (std::size_t i = 0; i + 1 < plan.points.size(); ++i)
        plan.points[i].label_above =
            plan.points[i + 1].intensity < kCloseLabels * plan.points[i].intensity;
    set_range(plan, bandwidth);
    add_marks(plan, unit_for(plan.peak));
    const auto on_slope = [&](double intensity, std::string label) {
        return RoofPoint{.label = std::move(label),
                         .intensity = intensity,
                         .flops = attainable_flops(intensity, plan.peak, bandwidth)};
    };
    plan.start = on_slope(plan.min_x, {});
    plan.slope_name = on_slope(empty_stretch(plan),
                               fill(text["roofline.memory"_t], {{"rate", rate_text(bandwidth)}}));
    plan.compute = fill(text["roofline.compute"_t], {{"rate", flops_text(plan.peak)}});
    plan.ridge_text = fill(text["roofline.ridge"_t], {{"n", short_number(plan.ridge)}});
    const double now = view.at("intensity").real();
    plan.sentence = fill(text[now < plan.ridge ? "roofline.below"_t : "roofline.above"_t],
                         {{"model", attention_label(view.current_attention(), text)},
                          {"intensity", short_number(now)},
                          {"rate", flops_text(attainable_flops(now, plan.peak, bandwidth))}});
    return plan;
}

}  // namespace kv
