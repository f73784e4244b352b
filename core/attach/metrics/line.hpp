#pragma once
// A poll as a line of a recording: {"ts":..,"metrics":{"NAME":value}}, and by which name a value
// stands there. Where a name has one value, that is the name; where several engines or reasons
// have one each, and where the labels are what is said, they stand behind it in braces.

#include <string>
#include <utility>
#include <vector>

#include "core/attach/metrics/sample.hpp"

namespace kv {

std::vector<std::pair<std::string, double>> named_values(const MetricSamples& samples);
std::string metrics_line_text(double time_s, const MetricSamples& samples);

}  // namespace kv
