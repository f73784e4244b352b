#pragma once
// What a server's metrics say of one rank. A name of one server stands beside that of another which
// means the same.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/attach/metrics/sample.hpp"

namespace kv {

// The value of one label, without its quotes.
std::optional<std::string> label_value(std::string_view labels, std::string_view name);
// Whether a sample speaks of this rank: its engine's number, or none, which is rank 0.
bool speaks_of(const MetricSample& sample, std::int64_t rank);

// Blocks held over blocks of the pool, between 0 and 1: vllm:kv_cache_usage_perc or
// sglang:token_usage.
std::optional<double> server_usage_of(const MetricSamples& samples, std::int64_t rank);
// num_gpu_blocks of vllm:cache_config_info, less the one that the server keeps for itself.
std::optional<std::uint64_t> server_pool_of(const MetricSamples& samples, std::int64_t rank);

}  // namespace kv
