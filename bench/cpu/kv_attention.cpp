// Row `cpu_kv_attention`: attention of one new token over a long cache of fp16, all layers, against
// reading its keys and values at the speed of the read probe; and what pages cost: blocks of 16 in
// a shuffled order against one block that holds everything. The ratio that counts is the median of
// the pairs'.

#include <algorithm>

#include "bench/cpu/attention_cache.hpp"
#include "bench/row.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

struct DepthTimes {
    Pairs pairs;                   // pages, and one block
    std::vector<double> floor_ms;  // of reading their bytes
};

DepthTimes measure_depth(const ModelConfig& config, std::uint32_t depth, std::size_t samples) {
    constexpr std::size_t kPairs = 16;  // of a sample
    constexpr std::uint32_t kPageTokens = 16;
    cpu::ThreadPool threads(best_workers());
    AttentionCache paged(config, depth, kPageTokens, Codec::Fp16, threads),
        whole(config, depth, depth, Codec::Fp16, threads);
    paged.attend();
    whole.attend();
    if (paged.attention_output() != whole.attention_output())
        throw Error{ErrorCode::Check,
                    "Attention over pages differs from attention over one block; a "
                    "time would mean nothing. Run the tests."};
    ReadProbe probe(static_cast<std::size_t>(paged.bytes()), threads);
    DepthTimes times;
    for (std::size_t i = 0; i < samples; ++i) {
        times.floor_ms.push_back(1e3 * paged.bytes() / probe.bytes_per_second());
        whole.attend();  // the probe has filled the caches
        measure_pairs(paged, whole, kPairs, times.pairs);
    }
    return times;
}

}  // namespace

Result measure_cpu_kv_attention(const Programs&, std::size_t samples) {
    Result result;
    result.row = "cpu_kv_attention";
    result.what = "attention of one token over an fp16 cache: pages against one block";
    const ModelConfig short_config = config_of(k110M), long_config = config_of(kLong);
    const DepthTimes at_896 = measure_depth(short_config, 896, samples),
                     at_4k = measure_depth(long_config, 4096, samples);
    result.figures = {{"110M, 896, pages", "ms", spread_of(at_896.pairs.ms)},
                      {"110M, 896, one block", "ms", spread_of(at_896.pairs.other_ms)},
                      {"110M, 896, floor", "ms", spread_of(at_896.floor_ms)},
                      {"110M, 896, pages to one block", "x", spread_of(at_896.pairs.ratios)},
                      {"long, 4096, pages", "ms", spread_of(at_4k.pairs.ms)},
                      {"long, 4096, one block", "ms", spread_of(at_4k.pairs.other_ms)},
                      {"long, 4096, floor", "ms", spread_of(at_4k.floor_ms)},
                      {"long, 4096, pages to one block", "x", spread_of(at_4k.pairs.ratios)}};
    result.ratio =
        std::max(spread_of(at_896.pairs.ratios).median, spread_of(at_4k.pairs.ratios).median);
    result.goal = 1.05;
    result.done_by = cpu_words(best_workers() + 1);
    return result;
}

}  // namespace kv::bench
