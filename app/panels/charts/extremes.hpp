#pragma once
// A row of numbers that only grows, and the least and greatest of any stretch of it in logarithmic
// time, so that a chart of 100,000 steps costs as much as its pixels. NaN is a gap. Pure.

#include <cstddef>
#include <limits>
#include <vector>

namespace kv {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

struct Extent {
    double low, high;  // both NaN where there is nothing
    void take(const Extent& other);
};

class Extremes {
public:
    void push(double value);
    std::size_t size() const { return values_.size(); }
    double operator[](std::size_t i) const { return values_[i]; }
    Extent of(std::size_t first, std::size_t last) const;  // without `last`

private:
    static constexpr std::size_t kFan = 16;
    Extent at(std::size_t level, std::size_t i) const;

    std::vector<double> values_;
    // Each level holds one extent for every full kFan of the level below, the values being lowest.
    std::vector<std::vector<Extent>> levels_;
};

}  // namespace kv
