// Row `cpu_prefill`: a prompt through the 110M shape. Time per prompt and model operations per
// second; the ratio is of a token of the naive version, which takes a few tokens at a time, to
// ours.

#include "bench/cpu_model.hpp"
#include "core/engine/cpu/cpu_backend.hpp"
#include "core/engine/reference.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kNaiveTokens = 2;

struct Prompt {
    Figure ms, gigaflops;
};

Prompt measure_prompt(const CpuModel& model, std::size_t tokens, std::size_t samples) {
    const auto backend =
        make_cpu(model.config, model.weights, pool_of(static_cast<std::uint32_t>(tokens)),
                 {best_workers(), {}});
    Continuation sequence(*backend);
    sequence.feed(tokens);
    std::vector<double> ms, gigaflops;
    for (std::size_t i = 0; i < samples; ++i) {
        sequence.rewind();
        const double seconds = seconds_of([&] { sequence.feed(tokens); });
        ms.push_back(1e3 * seconds);
        gigaflops.push_back(static_cast<double>(sequence.work().flops.total()) / seconds / 1e9);
    }
    const std::string name = std::to_string(tokens) + " tokens, " +
                             std::string(name_of(model.weights.embedding.storage()));
    return {{name, "ms", spread_of(ms)}, {name, "GFLOP/s", spread_of(gigaflops)}};
}

Figure measure_naive(const CpuModel& model) {
    const auto backend = make_reference(model.config, model.weights, pool_of(kNaiveTokens));
    Continuation sequence(*backend);
    std::vector<double> gigaflops;
    for (int i = 0; i < 3; ++i) {
        sequence.rewind();
        const double seconds = seconds_of([&] { sequence.feed(kNaiveTokens); });
        gigaflops.push_back(static_cast<double>(sequence.work().flops.total()) / seconds / 1e9);
    }
    return {"naive", "GFLOP/s", spread_of(gigaflops)};
}

}  // namespace

Result measure_cpu_prefill(const Programs&, std::size_t samples) {
    Result result;
    result.row = "cpu_prefill";
    result.what = "110M: a prompt, f32 and bf16; the ratio is of the naive version's speed to ours";
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        const CpuModel model = random_model(k110M, storage);
        check_against_reference(model, 5, storage == WeightStorage::F32 ? 1e-3 : 3e-2);
        if (storage == WeightStorage::F32) result.figures.push_back(measure_naive(model));
        for (const std::size_t tokens : {std::size_t{128}, std::size_t{512}}) {
            const Prompt prompt = measure_prompt(model, tokens, samples);
            result.figures.push_back(prompt.gigaflops);
            result.figures.push_back(prompt.ms);
        }
    }
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.renderer = cpu_words(best_workers() + 1) + "; oneDNN: not present";
    return result;
}

}  // namespace kv::bench
