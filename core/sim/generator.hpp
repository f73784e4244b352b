#pragma once
// Made-up workloads that look like public ones: lengths drawn from a table of quantiles or from a
// lognormal distribution, arrivals as a Poisson process, everything from one seed. Request n of a
// seed is the same however many are asked for.

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/sim/workload.hpp"

namespace kv {

constexpr std::array<double, 11> kQuantiles{0,    0.01, 0.05, 0.10, 0.25, 0.50,
                                            0.75, 0.90, 0.95, 0.99, 1};
using QuantileRow = std::array<std::uint32_t, 11>;

// The inverse of the distribution: linear between two neighbouring quantiles, rounded to a token.
// Where a quarter of the prompts have up to 396 tokens and half of them up to 1,020, a draw of 0.30
// is a fifth of the way: 396 + 0.2 x 624 = 521.
std::uint32_t length_at(const QuantileRow& row, double probability);

struct QuantileLengths {
    QuantileRow prompt, output;
};
// Both lognormal with these means before what is too long is drawn again.
struct LognormalLengths {
    double mean_prompt, sigma_prompt, mean_output, sigma_output;
    u64 longest_prompt, longest_total;
};

struct WorkloadModel {
    std::string_view name;    // "azure-conv-like"
    std::string_view source;  // whose lengths these are like
    double requests_per_second;
    std::optional<QuantileLengths> quantiles;
    std::optional<LognormalLengths> lognormal;  // one of the two
};

const std::vector<WorkloadModel>& workload_models();
const WorkloadModel* find_workload_model(std::string_view name);

Workload generate(const WorkloadModel& model, u64 requests, u64 seed);

}  // namespace kv
