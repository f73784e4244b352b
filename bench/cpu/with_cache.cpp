// Row `cpu_with_cache`: the next token of a text of 128, 512 and 2,048 tokens with the keys and
// values of the past in the cache, against computing all of the text again. Counts of operations
// promise more than the clock gives: a pass over many tokens uses the processor better than one
// over a single token.

#include <algorithm>

#include "bench/cpu/model.hpp"
#include "core/engine/cpu/backend.hpp"

namespace kv::bench {
namespace {

constexpr std::size_t kLengths[] = {128, 512, 2048};
constexpr std::size_t kTokens = 8;       // of a sample with a cache
constexpr std::size_t kMostSamples = 9;  // one of 2,048 tokens computed again takes long

struct LengthTimes {
    std::vector<double> with_ms, without_ms;
    double flops_ratio = 0;  // of the counted operations
};

LengthTimes measure_length(const CpuModel& model, std::size_t length, std::size_t samples) {
    const PoolSpec pool = pool_of(static_cast<std::uint32_t>(length + 1 + kTokens * samples));
    const auto backend = make_cpu(model.config, model.weights, pool, {best_workers(), {}});
    const auto again = make_cpu(model.config, model.weights, pool, {best_workers(), {}});
    Continuation kept(*backend), computed(*again);
    kept.feed(length);
    LengthTimes times;
    for (std::size_t i = 0; i < samples; ++i) {
        const auto next_tokens = [&] {
            for (std::size_t t = 0; t < kTokens; ++t) kept.feed(1);
        };
        times.with_ms.push_back(1e3 * seconds_of(next_tokens) / kTokens);
        computed.rewind();
        times.without_ms.push_back(1e3 * seconds_of([&] { computed.feed(length + 1); }));
    }
    times.flops_ratio = static_cast<double>(computed.work().flops.total()) /
                        static_cast<double>(kept.work().flops.total());
    return times;
}

}  // namespace

Result measure_cpu_with_cache(const Programs&, std::size_t samples) {
    Result result;
    result.row = "cpu_with_cache";
    result.what =
        "15M, bf16: the next token with a cache, against computing the whole text again; the ratio "
        "is of 2,048 tokens";
    const CpuModel model = random_model(k15M, WeightStorage::Bf16);
    check_against_reference(model, 3, 3e-2);
    for (const std::size_t length : kLengths) {
        const LengthTimes times = measure_length(model, length, std::min(samples, kMostSamples));
        const std::string at = std::to_string(length) + " tokens, ";
        const Spread with = spread_of(times.with_ms), without = spread_of(times.without_ms);
        result.figures.push_back({at + "with a cache", "ms", with});
        result.figures.push_back({at + "computed again", "ms", without});
        result.figures.push_back({at + "measured", "x", spread_of({without.median / with.median})});
        result.figures.push_back({at + "by operations", "x", spread_of({times.flops_ratio})});
        result.ratio = with.median / without.median;
    }
    result.done_by = cpu_words(best_workers() + 1);
    return result;
}

}  // namespace kv::bench
