#include "core/attach/picture/labels.hpp"

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostBlocks = 1'000'000'000'000;

}  // namespace

std::optional<std::string> label_value(std::string_view labels, std::string_view name) {
    const std::string begin = std::string(name) + "=\"";
    std::size_t at = labels.find(begin);
    while (at != std::string_view::npos && at > 0 && labels[at - 1] != ',')
        at = labels.find(begin, at + 1);
    if (at == std::string_view::npos) return std::nullopt;
    at += begin.size();
    return std::string(labels.substr(at, labels.find('"', at) - at));
}

bool speaks_of(const MetricSample& sample, std::int64_t rank) {
    for (const char* name : {"engine", "dp_rank"})
        if (const auto engine = label_value(sample.labels, name))
            return *engine == std::to_string(rank);
    return rank == 0;
}

std::optional<double> server_usage_of(const MetricSamples& samples, std::int64_t rank) {
    for (const MetricSample& sample : samples) {
        const bool usage =
            sample.name == "vllm:kv_cache_usage_perc" || sample.name == "sglang:token_usage";
        if (usage && speaks_of(sample, rank)) return sample.value;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> server_pool_of(const MetricSamples& samples, std::int64_t rank) {
    for (const MetricSample& sample : samples) {
        if (sample.name != "vllm:cache_config_info" || !speaks_of(sample, rank)) continue;
        std::string why;
        const auto text = label_value(sample.labels, "num_gpu_blocks");
        const auto blocks = parse_whole(text.value_or(""), 1, kMostBlocks, why);
        if (blocks) return *blocks - 1;
    }
    return std::nullopt;
}

}  // namespace kv
