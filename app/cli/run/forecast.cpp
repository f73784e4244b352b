#include "app/cli/run/forecast.hpp"

#include <algorithm>
#include <chrono>

#include "app/session/loaded_model.hpp"
#include "core/cost/time/flops.hpp"
#include "core/engine/measure/generation.hpp"

namespace kv {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSample = 64;  // tokens

double flops_of(const ModelShape& shape, const RunInput& input, const RequestSpec& spec) {
    const u64 prompt = std::max<u64>(1, spec.prompt.size());
    const u64 steps = spec.forced.size() + spec.max_new - 1;
    const auto whole = [](const FlopParts& parts) { return static_cast<double>(parts.total()); };
    // A step's work grows evenly with what it sees, so the middle one stands for all.
    const u64 middle = prompt + steps / 2;
    const bool again = input.keep == Keep::Nothing;
    const double step =
        whole(again ? prefill_flops(shape, middle, 1) : decode_flops(shape, middle, 1));
    return whole(prefill_flops(shape, prompt, 1)) + static_cast<double>(steps) * step;
}

double flops_per_second(const RunInput& input, const Weights& weights) {
    const RequestSpec& spec = input.requests.front();
    GenerationRequest request;
    request.prompt.assign(
        spec.prompt.begin(),
        spec.prompt.begin() + static_cast<std::ptrdiff_t>(std::min(kSample, spec.prompt.size())));
    request.max_new = 1;
    EngineSettings plain = input.scene.settings;
    plain.evict = "none", plain.positions.reset();
    const auto blocks = static_cast<std::uint32_t>(ceil_div(kSample, u64{plain.block_size}));
    const auto backend = open_backend(input.checkpoint.config(), weights, plain.backend,
                                      pool_spec_of(plain, blocks));
    Generation run(*backend, input.checkpoint.config(), request);
    const Clock::time_point start = Clock::now();
    while (!run.finished()) run.advance();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return static_cast<double>(run.work().flops.total()) / std::max(seconds, 1e-9);
}

}  // namespace

double flops_ahead(const RunInput& input) {
    const ModelShape shape = shape_of(input.checkpoint.config());
    double flops = 0;
    for (const RequestSpec& spec : input.requests) flops += flops_of(shape, input, spec);
    return flops;
}

double seconds_ahead(const RunInput& input, const Weights& weights) {
    return flops_ahead(input) / flops_per_second(input, weights);
}

}  // namespace kv
