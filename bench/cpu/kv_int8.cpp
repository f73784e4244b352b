// Row `cpu_kv_int8`: attention of one new token over a long cache of int8, with one fp16 scale for
// each token and head, against the same over fp16, all layers. Bytes alone would make it 1.94 times
// as fast at 64 elements a head. As in `cpu_kv_attention` the two are measured in pairs; the ratio
// is of int8's time to that of fp16, at the depth where it is larger. It is of processor time; the
// ms beside it are by the clock and need not divide to it. int4 and fp8 stand beside it.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bench/cpu/attention_cache.hpp"
#include "bench/row.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

struct Kind {
    const char* name;
    Codec codec;
};
const Kind kKinds[] = {{"int8", Codec::Int8}, {"int4", Codec::Int4}, {"fp8_e4m3", Codec::Fp8E4m3}};

// A time of code that computes something else would mean nothing.
double naive_seconds(AttentionCache& cache) {
    cache.attend();
    const std::vector<float> ours = cache.attention_output();
    const double seconds = seconds_of([&] { cache.attend_naively(); });
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!(std::abs(ours[i] - cache.attention_output()[i]) < 1e-4f))
            throw Error{ErrorCode::Check,
                        "Attention over codes differs from plain loops; a time would mean "
                        "nothing. Run the tests."};
    return seconds;
}

struct Depth {
    std::string name;
    const ModelConfig& config;
    std::uint32_t depth;
};

// The median of the pairs' ratios with int8.
double measure_codes(const Depth& at, std::size_t samples, std::vector<Figure>& figures) {
    constexpr std::size_t kPairs = 16;  // of a sample
    cpu::ThreadPool threads(best_workers());
    AttentionCache plain(at.config, at.depth, 16, Codec::Fp16, threads);
    plain.attend();
    double int8_ratio = 0;
    for (const Kind& kind : kKinds) {
        AttentionCache coded(at.config, at.depth, 16, kind.codec, threads);
        const double naive = 1e3 * naive_seconds(coded);
        Pairs pairs;
        measure_pairs(coded, plain, samples * kPairs, pairs);
        if (&kind == kKinds) {  // int8, the first
            int8_ratio = spread_of(pairs.ratios).median;
            figures.push_back({at.name + ", fp16", "ms", spread_of(pairs.other_ms)});
            figures.push_back({at.name + ", int8, naive", "ms", spread_of({naive})});
        }
        figures.push_back({at.name + ", " + kind.name, "ms", spread_of(pairs.ms)});
        figures.push_back({at.name + ", " + kind.name + " to fp16", "x", spread_of(pairs.ratios)});
    }
    return int8_ratio;
}

}  // namespace

Result measure_cpu_kv_int8(const Programs&, std::size_t samples) {
    Result result;
    result.row = "cpu_kv_int8";
    result.what = "attention of one token over an int8 cache: against fp16";
    const ModelConfig short_config = config_of(k110M), long_config = config_of(kLong);
    const double at_896 = measure_codes({"110M, 896", short_config, 896}, samples, result.figures),
                 at_4k = measure_codes({"long, 4096", long_config, 4096}, samples, result.figures);
    result.ratio = std::max(at_896, at_4k);
    result.goal = 1 / 1.4;
    result.done_by = cpu_words(best_workers() + 1);
    return result;
}

}  // namespace kv::bench
