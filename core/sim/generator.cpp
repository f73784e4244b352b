#include "core/sim/generator.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/random.hpp"

namespace kv {
namespace {

// Streams of the seed. A lognormal draw that is too long takes the next attempt's stream.
constexpr u64 kPromptStream = 0x10, kOutputStream = 0x11, kArrivalStream = 0x12;
constexpr u64 kAttemptStep = 0x100;

constexpr double kTwoPi = 6.283185307179586;

// Log-standard deviations are a choice: the paper gives means only. With these the means after the
// cut are 119 tokens in and 304 out.
constexpr LognormalLengths kShareGpt{.mean_prompt = 161.31,
                                     .sigma_prompt = 1.42,
                                     .mean_output = 337.99,
                                     .sigma_output = 1.0,
                                     .longest_prompt = 1024,
                                     .longest_total = 2048};

// ln(mean of the lognormal) = mu + sigma^2 / 2.
double lognormal(double mean, double sigma, double normal) {
    return math::exp(math::log(mean) - sigma * sigma / 2 + sigma * normal);
}

// A length in whole tokens, at least 1; what is longer than `longest` by any amount is longest + 1,
// which is drawn again.
std::uint32_t tokens(double length, u64 longest) {
    if (length >= static_cast<double>(longest)) return static_cast<std::uint32_t>(longest) + 1;
    return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::lround(length)));
}

SimRequest draw(const LognormalLengths& model, u64 n, u64 seed) {
    for (u64 attempt = 0;; ++attempt) {
        // Box and Muller: two uniform draws make two independent normal ones.
        const u64 step = attempt * kAttemptStep;
        const double radius =
            std::sqrt(-2 * math::log1p(-Random(seed, kPromptStream + step).unit(n)));
        const double angle = kTwoPi * Random(seed, kOutputStream + step).unit(n);
        SimRequest request;
        request.prompt =
            tokens(lognormal(model.mean_prompt, model.sigma_prompt, radius * math::cos(angle)),
                   model.longest_prompt);
        request.output =
            tokens(lognormal(model.mean_output, model.sigma_output, radius * math::sin(angle)),
                   model.longest_total);
        if (request.prompt <= model.longest_prompt && request.total() <= model.longest_total)
            return request;
    }
}

SimRequest draw(const QuantileLengths& model, u64 n, u64 seed) {
    SimRequest request;
    request.prompt = length_at(model.prompt, Random(seed, kPromptStream).unit(n));
    request.output = length_at(model.output, Random(seed, kOutputStream).unit(n));
    return request;
}

}  // namespace

std::uint32_t length_at(const QuantileRow& row, double probability) {
    KV_ASSERT(probability >= 0 && probability <= 1);
    std::size_t above = 1;
    while (above + 1 < kQuantiles.size() && kQuantiles[above] < probability) ++above;
    const double part =
        (probability - kQuantiles[above - 1]) / (kQuantiles[above] - kQuantiles[above - 1]);
    const double low = row[above - 1], high = row[above];
    return static_cast<std::uint32_t>(std::lround(low + part * (high - low)));
}

const std::vector<WorkloadModel>& workload_models() {
    static const std::vector<WorkloadModel> models{
        {.name = "sharegpt-like",
         .source = "ShareGPT means of arXiv 2309.06180: 161.31 in, 337.99 out",
         .requests_per_second = 2.0,
         .quantiles = {},
         .lognormal = kShareGpt},
        {.name = "azure-conv-like",
         .source = "quantiles of the Azure LLM inference trace 2023, conversation",
         .requests_per_second = 5.5,
         .quantiles =
             QuantileLengths{.prompt = {2, 29, 181, 207, 396, 1020, 1189, 2735, 4083, 4142, 14050},
                             .output = {7, 16, 41, 54, 85, 129, 395, 424, 451, 601, 1000}},
         .lognormal = {}},
        {.name = "azure-code-like",
         .source = "quantiles of the Azure LLM inference trace 2023, code",
         .requests_per_second = 2.6,
         .quantiles =
             QuantileLengths{.prompt = {3, 17, 75, 147, 578, 1469, 2745, 5194, 7315, 7436, 7437},
                             .output = {6, 6, 6, 7, 9, 13, 24, 55, 90, 252, 1899}},
         .lognormal = {}},
        {.name = "arxiv-like",
         .source = "quantiles of the arXiv summarization trace of Vidur",
         .requests_per_second = 1.0,
         .quantiles =
             QuantileLengths{.prompt = {1, 73, 747, 1242, 1986, 2730, 3370, 3702, 3813, 3934, 4054},
                             .output = {5, 36, 60, 78, 115, 167, 242, 372, 737, 3273, 4056}},
         .lognormal = {}},
        {.name = "mooncake-conv-like",
         .source = "quantiles of the Mooncake conversation trace (FAST'25)",
         .requests_per_second = 3.4,
         .quantiles =
             QuantileLengths{
                 .prompt = {891, 894, 901, 964, 2306, 6909, 15368, 27367, 39552, 85401, 126195},
                 .output = {1, 3, 10, 24, 156, 350, 472, 597, 698, 1120, 2000}},
         .lognormal = {}}};
    return models;
}

const WorkloadModel* find_workload_model(std::string_view name) {
    for (const WorkloadModel& model : workload_models())
        if (model.name == name) return &model;
    return nullptr;
}

Workload generate(const WorkloadModel& model, u64 requests, u64 seed) {
    KV_ASSERT(model.quantiles.has_value() != model.lognormal.has_value());
    Workload workload;
    workload.reserve(requests);
    const Random arrivals(seed, kArrivalStream);
    double seconds = 0;
    for (u64 n = 0; n < requests; ++n) {
        SimRequest request =
            model.quantiles ? draw(*model.quantiles, n, seed) : draw(*model.lognormal, n, seed);
        // Poisson: the times between two arrivals are exponential.
        seconds -= math::log1p(-arrivals.unit(n)) / model.requests_per_second;
        request.arrival_ns = static_cast<u64>(seconds * static_cast<double>(kNsPerSecond));
        workload.push_back(request);
    }
    return workload;
}

}  // namespace kv
