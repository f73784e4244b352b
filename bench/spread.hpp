#pragma once
// Several measurements of one thing: the median counts, the ends say how far to trust it.

#include <string>
#include <vector>

namespace kv::bench {

struct Spread {
    double median = 0, min = 0, max = 0;
    std::vector<double> samples;  // in the order of measuring
};
Spread spread_of(std::vector<double> samples);  // at least one

}  // namespace kv::bench
