#include "bench/spread.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv::bench {

Spread spread_of(std::vector<double> samples) {
    KV_ASSERT(!samples.empty());
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return {median, sorted.front(), sorted.back(), std::move(samples)};
}

}  // namespace kv::bench
