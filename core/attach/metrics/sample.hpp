#pragma once
// One line of a server's /metrics: a name with labels and the value that it had at a poll.

#include <string>
#include <vector>

namespace kv {

struct MetricSample {
    std::string name;    // whole, as the server writes it: "vllm:kv_cache_usage_perc"
    std::string labels;  // engine="0",reason="capacity": sorted, without the model's name
    double value = 0;

    bool operator==(const MetricSample&) const = default;
};
using MetricSamples = std::vector<MetricSample>;  // sorted by name, then by labels

}  // namespace kv
