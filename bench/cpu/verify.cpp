// Row `cpu_verify`: the pass that checks a draft of four tokens against the pass of one, in turns,
// behind the same text. Both read all weights and the same cache once.

#include "bench/cpu/model.hpp"
#include "core/engine/cpu/backend.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kProposed = 4, kText = 64, kPasses = 4;

}  // namespace

Result measure_cpu_verify(const Programs&, std::size_t samples) {
    const CpuModel model = random_model(k110M, WeightStorage::Bf16);
    check_against_reference(model, 3, 3e-2);
    const auto backend =
        make_cpu(model.config, model.weights, pool_of(kText + 64), {best_workers(), {}});
    Continuation text(*backend);
    text.feed(kText);
    const auto ms_of = [&](std::size_t n_tokens) {
        return 1e3 / kPasses * seconds_of([&] {
                   for (std::size_t i = 0; i < kPasses; ++i) {
                       text.check(n_tokens);
                       text.rewind(kText);
                   }
               });
    };
    std::vector<double> one_ms, all_ms, ratios;
    for (std::size_t i = 0; i < samples; ++i) {
        one_ms.push_back(ms_of(1));
        all_ms.push_back(ms_of(kProposed + 1));
        ratios.push_back(all_ms.back() / one_ms.back());
    }
    Result result;
    result.row = "cpu_verify";
    result.what = "110M, bf16: a pass that checks four proposals against a pass of one token";
    result.figures = {{"a pass of five", "ms", spread_of(all_ms)},
                      {"a pass of one", "ms", spread_of(one_ms)},
                      {"ratio of a pair", "", spread_of(ratios)}};
    result.ratio = result.figures[2].spread.median;
    result.goal = 1.25;
    result.done_by = cpu_words(best_workers() + 1);
    return result;
}

}  // namespace kv::bench
