#pragma once
// The text that servers answer /metrics with: a line a sample, in the format of Prometheus. What
// inference servers call their own is kept (names that begin with vllm: or sglang:), the rest is
// passed over, and so is a line that is none.
//
//   vllm:request_success_total{model_name="m",finished_reason="stop",engine="0"} 1.5e+01
//
// becomes the name vllm:request_success_total, the labels engine="0",finished_reason="stop" and the
// value 15.

#include <cstdint>
#include <string_view>

#include "core/attach/metrics/sample.hpp"

namespace kv {

struct MetricsText {
    MetricSamples samples = {};
    std::uint64_t passed_over = 0;  // samples of other programs, and lines that are none
};

MetricsText read_metrics(std::string_view text);

}  // namespace kv
