#include "app/panels/charts/extremes.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

constexpr std::size_t kFirstRoom = 1024;  // of values, so that a run may grow for a while

}  // namespace

void Extent::take(const Extent& other) {
    if (std::isnan(other.low)) return;
    low = std::isnan(low) ? other.low : std::min(low, other.low);
    high = std::isnan(high) ? other.high : std::max(high, other.high);
}

Extent Extremes::at(std::size_t level, std::size_t i) const {
    if (level == 0) return {values_[i], values_[i]};
    return levels_[level - 1][i];
}

void Extremes::push(double value) {
    if (values_.empty()) values_.reserve(kFirstRoom);
    values_.push_back(value);
    std::size_t n = values_.size();
    for (std::size_t level = 0; n % kFan == 0; ++level) {
        if (levels_.size() == level) levels_.emplace_back().reserve(kFirstRoom / kFan);
        Extent group{kNothing, kNothing};
        for (std::size_t i = n - kFan; i < n; ++i) group.take(at(level, i));
        levels_[level].push_back(group);
        n = levels_[level].size();
    }
}

Extent Extremes::of(std::size_t first, std::size_t last) const {
    Extent all{kNothing, kNothing};
    last = std::min(last, values_.size());
    for (std::size_t level = 0; first < last; ++level) {
        while (first < last && first % kFan != 0) all.take(at(level, first++));
        while (first < last && last % kFan != 0) all.take(at(level, --last));
        first /= kFan, last /= kFan;
    }
    return all;
}

}  // namespace kv
