#include "core/attach/metrics/line.hpp"

#include <string_view>

#include "core/base/files/json.hpp"

namespace kv {
namespace {

// A histogram's bars are many; its sum and its count say what its mean is.
bool is_bar(const MetricSample& sample) {
    return sample.labels.find("le=\"") != std::string::npos;
}

// What such a one says stands in its labels: num_gpu_blocks of vllm:cache_config_info.
bool is_info(const MetricSample& sample) {
    constexpr std::string_view kEnd = "_info";
    const std::string_view name = sample.name;
    return name.size() > kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd;
}

}  // namespace

std::vector<std::pair<std::string, double>> named_values(const MetricSamples& samples) {
    std::vector<std::pair<std::string, double>> out;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const MetricSample& sample = samples[i];
        if (is_bar(sample)) continue;
        const bool several = (i > 0 && samples[i - 1].name == sample.name) ||
                             (i + 1 < samples.size() && samples[i + 1].name == sample.name);
        const bool labelled = several || is_info(sample);
        out.emplace_back(labelled ? sample.name + "{" + sample.labels + "}" : sample.name,
                         sample.value);
    }
    return out;
}

std::string metrics_line_text(double time_s, const MetricSamples& samples) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const auto& [name, value] : named_values(samples)) values[name] = value;
    const nlohmann::ordered_json line{{"ts", time_s}, {"metrics", std::move(values)}};
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace kv
