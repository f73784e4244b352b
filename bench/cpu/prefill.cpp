// Row `cpu_prefill`: a prompt through the 110M shape. Time per prompt and model operations per
// second, against the naive version, which takes a few tokens at a time, and, where the build has
// it, against oneDNN's speed at nothing but the products of the same layers, taken in turns with
// ours. The ratio is oneDNN's speed over ours where it is largest, or the naive one's over ours.

#include <algorithm>
#include <chrono>
#include <thread>

#include "bench/cpu/model.hpp"
#include "bench/cpu/onednn.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/reference/reference.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kNaiveTokens = 2;

struct Prompt {
    std::vector<double> ms, gigaflops, onednn_gigaflops;
};

std::vector<MatrixShape> matrices_of(const ModelConfig& c) {
    const std::size_t hidden = c.hidden_size, wide = c.intermediate_size,
                      q = c.n_heads * c.head_dim, kv = c.n_kv_heads * c.head_dim;
    std::vector<MatrixShape> all;
    for (u64 layer = 0; layer < c.n_layers; ++layer)
        all.insert(all.end(), {{q, hidden},
                               {kv, hidden},
                               {kv, hidden},
                               {hidden, q},
                               {wide, hidden},
                               {wide, hidden},
                               {hidden, wide}});
    return all;
}

// The threads of OpenMP spin on for a while after their work, and would take a processor from ours.
double gigaflops_of(OneDnn& peer, std::size_t tokens, const std::vector<MatrixShape>& matrices) {
    double flops = 0;
    for (const MatrixShape& m : matrices)
        flops += 2.0 * static_cast<double>(tokens * m.rows * m.columns);
    const double seconds = seconds_of([&] { peer.run(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return flops / seconds / 1e9;
}

Prompt measure_prompt(const CpuModel& model, std::size_t tokens, std::size_t samples) {
    const auto backend =
        make_cpu(model.config, model.weights, pool_of(static_cast<std::uint32_t>(tokens)),
                 {best_workers(), {}});
    const std::vector<MatrixShape> matrices = matrices_of(model.config);
    const auto peer = make_onednn(tokens, matrices, model.weights.embedding.storage());
    Continuation sequence(*backend);
    sequence.feed(tokens);
    if (peer) gigaflops_of(*peer, tokens, matrices);
    Prompt prompt;
    for (std::size_t i = 0; i < samples; ++i) {
        sequence.rewind();
        const double seconds = seconds_of([&] { sequence.feed(tokens); });
        prompt.ms.push_back(1e3 * seconds);
        prompt.gigaflops.push_back(static_cast<double>(sequence.work().flops.total()) / seconds /
                                   1e9);
        if (peer) prompt.onednn_gigaflops.push_back(gigaflops_of(*peer, tokens, matrices));
    }
    return prompt;
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
    result.what = "110M: a prompt, f32 and bf16; the ratio is of ";
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16}) {
        const CpuModel model = random_model(k110M, storage);
        check_against_reference(model, 5, storage == WeightStorage::F32 ? 1e-3 : 3e-2);
        if (storage == WeightStorage::F32) result.figures.push_back(measure_naive(model));
        for (const std::size_t tokens : {std::size_t{128}, std::size_t{512}}) {
            const Prompt prompt = measure_prompt(model, tokens, samples);
            const std::string name =
                std::to_string(tokens) + " tokens, " + std::string(name_of(storage));
            const Figure ours{name, "GFLOP/s", spread_of(prompt.gigaflops)};
            result.figures.push_back(ours);
            result.figures.push_back({name, "ms", spread_of(prompt.ms)});
            if (prompt.onednn_gigaflops.empty()) continue;
            const Figure peer{name + ", oneDNN matmul", "GFLOP/s",
                              spread_of(prompt.onednn_gigaflops)};
            result.ratio =
                std::max(result.ratio.value_or(0), peer.spread.median / ours.spread.median);
            result.goal = 1 / 0.55;
            result.figures.push_back(peer);
        }
    }
    result.what += result.ratio ? "oneDNN's speed to ours, where it is largest"
                                : "the naive version's speed to ours";
    if (!result.ratio)
        result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.done_by = cpu_words(best_workers() + 1) + "; " + onednn_words();
    return result;
}

}  // namespace kv::bench
