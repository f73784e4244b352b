// Rows `cpu_decode_dram`, `cpu_decode_cache` and `cpu_decode_tiny`: one token after another at
// depth 0. The floor is the time that reading the weights once takes at the speed of the read
// probe, over a buffer of the same size, in the same run; the naive version is the reference.

#include "bench/cpu/model.hpp"
#include "core/engine/cpu/backend.hpp"
#include "core/engine/reference/reference.hpp"

namespace kv::bench {
namespace {

struct DecodeRow {
    CpuShape shape;
    WeightStorage storage;
    std::size_t tokens, naive_tokens;  // per sample
    double allowed;                    // difference from the reference, of the largest logit
};

double ms_per_token(Continuation& sequence, std::size_t tokens) {
    sequence.rewind();
    return 1e3 / static_cast<double>(tokens) * seconds_of([&] {
               for (std::size_t i = 0; i < tokens; ++i) sequence.feed(1);
           });
}

Result measure_decode(const DecodeRow& row, std::size_t samples) {
    const CpuModel model = random_model(row.shape, row.storage);
    check_against_reference(model, 3, row.allowed);
    const auto pool = pool_of(64);
    const auto many = make_cpu(model.config, model.weights, pool, {best_workers(), {}});
    const auto one = make_cpu(model.config, model.weights, pool, {0, {}});
    const auto naive = make_reference(model.config, model.weights, pool);
    Continuation ours(*many), alone(*one), slow(*naive);
    ours.feed(1);
    const auto bytes = static_cast<double>(ours.work().weight_bytes + ours.work().k_bytes_read +
                                           ours.work().v_bytes_read);
    cpu::ThreadPool threads(best_workers());
    ReadProbe probe(static_cast<std::size_t>(bytes), threads);

    std::vector<double> ours_ms, floor_ms, alone_ms, naive_ms, gigabytes;
    for (std::size_t i = 0; i < samples; ++i) {
        const double speed = probe.bytes_per_second();
        floor_ms.push_back(1e3 * bytes / speed);
        gigabytes.push_back(speed / 1e9);
        ours_ms.push_back(ms_per_token(ours, row.tokens));
        alone_ms.push_back(ms_per_token(alone, row.tokens));
        if (i < 5) naive_ms.push_back(ms_per_token(slow, row.naive_tokens));
    }
    Result result;
    result.figures = {{"cpu, per token", "ms", spread_of(ours_ms)},
                      {"floor: bytes / probe", "ms", spread_of(floor_ms)},
                      {"one thread", "ms", spread_of(alone_ms)},
                      {"naive", "ms", spread_of(naive_ms)},
                      {"probe", "GB/s", spread_of(gigabytes)}};
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.done_by = cpu_words(threads.size());
    return result;
}

}  // namespace

Result measure_cpu_decode_dram(const Programs&, std::size_t samples) {
    Result result = measure_decode({k110M, WeightStorage::Bf16, 4, 1, 3e-2}, samples);
    result.row = "cpu_decode_dram";
    result.what = "110M, bf16: a token against reading its bytes";
    result.goal = 1 / 0.85;
    return result;
}

Result measure_cpu_decode_cache(const Programs&, std::size_t samples) {
    Result result = measure_decode({k15M, WeightStorage::Bf16, 16, 2, 3e-2}, samples);
    result.row = "cpu_decode_cache";
    result.what = "15M, bf16, small enough for the last cache: a token against reading its bytes";
    result.goal = 1 / 0.45;
    return result;
}

Result measure_cpu_decode_tiny(const Programs&, std::size_t samples) {
    Result result = measure_decode({k1M, WeightStorage::F32, 60, 10, 1e-3}, samples);
    result.row = "cpu_decode_tiny";
    result.what = "1M, f32: a token against reading its bytes";
    return result;
}

}  // namespace kv::bench
