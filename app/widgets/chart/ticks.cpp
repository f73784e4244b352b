#include "app/widgets/chart/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/numbers/elementary.hpp"

namespace kv {
namespace {

constexpr double kSlack = 1e-9;  // 3 steps of 0.1 must reach 0.3

bool enough(double step, double max, int intervals) {
    return step * intervals >= max * (1 - kSlack);
}

double decimal_step(double max, int intervals) {
    constexpr std::array kFactors{1.0, 2.0, 2.5, 5.0};
    double power = math::pow(10.0, std::floor(math::log10(max / intervals)));
    for (;; power *= 10)
        for (const double factor : kFactors)
            if (enough(factor * power, max, intervals)) return factor * power;
}

double binary_step(double max, int intervals) {
    return math::exp2(std::ceil(math::log2(max / intervals) - kSlack));
}

}  // namespace

List<double> round_ticks(double max, int intervals, bool binary) {
    if (!std::isfinite(max) || max <= 0) return {0, 1};
    const int most = std::max(1, intervals);
    const double step = binary ? binary_step(max, most) : decimal_step(max, most);
    if (!std::isfinite(step * most)) return {0, max};
    List<double> ticks{0};
    while (ticks.back() < max * (1 - kSlack))
        ticks.push_back(step * static_cast<double>(ticks.size()));
    return ticks;
}

List<double> power_ticks(double min, double max, double base) {
    List<double> ticks;
    if (!(min > 0) || !(max >= min) || !std::isfinite(max) || !(base > 1)) return ticks;
    const double scale = math::log(base);
    const auto first = static_cast<int>(std::ceil(math::log(min) / scale - kSlack));
    const auto last = static_cast<int>(std::floor(math::log(max) / scale + kSlack));
    for (int k = first; k <= last; ++k) ticks.push_back(math::pow(base, k));
    return ticks;
}

List<float> spread_labels(std::span<const float> wanted, std::span<const float> heights, float low,
                          float high) {
    List<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(wanted[a], a) < std::pair(wanted[b], b);
    });
    // With the heights above it taken off, a label only has to stand no higher than the one before:
    // neighbours that would cross share the mean of their places.
    struct Cluster {
        float sum;
        int count;
        float mean() const { return sum / static_cast<float>(count); }
    };
    List<Cluster> clusters;
    float above = 0;
    for (const std::size_t i : order) {
        clusters.push_back({wanted[i] - above, 1});
        above += heights[i];
        while (clusters.size() > 1 &&
               clusters[clusters.size() - 2].mean() > clusters.back().mean()) {
            const Cluster last = clusters.back();
            clusters.pop_back();
            clusters.back().sum += last.sum;
            clusters.back().count += last.count;
        }
    }
    List<float> tops(wanted.size());
    std::size_t next = 0;
    float before = 0;
    for (const Cluster& cluster : clusters)
        for (int k = 0; k < cluster.count; ++k, ++next) {
            const float at = std::max(low, std::min(cluster.mean(), high - above));
            tops[order[next]] = at + before;
            before += heights[order[next]];
        }
    return tops;
}

}  // namespace kv
