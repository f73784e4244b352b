#include "app/live/looks/measure_roofs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "app/live/loading/seconds_now.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kv {
namespace {

// Work of a known size, again and again; what it returns has to be used.
constexpr std::uint64_t kRounds = 4096;
constexpr std::size_t kChains = 10;  // independent sums, enough to hide the latency of one

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float chains_512() {
    __m512 sums[kChains];
    for (__m512& sum : sums) sum = _mm512_setzero_ps();
    const __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(0.001f);
    for (std::uint64_t i = 0; i < kRounds; ++i)
        for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, a, b);
    __m512 all = sums[0];
    for (const __m512& sum : sums) all = _mm512_add_ps(all, sum);
    std::array<float, 16> lanes{};
    _mm512_storeu_ps(lanes.data(), all);
    return lanes[0];
}
__attribute__((target("avx2,fma"))) float chains_256() {
    __m256 sums[kChains];
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    const __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(0.001f);
    for (std::uint64_t i = 0; i < kRounds; ++i)
        for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, a, b);
    __m256 all = sums[0];
    for (const __m256& sum : sums) all = _mm256_add_ps(all, sum);
    return _mm256_cvtss_f32(all);
}
#endif
float chains_plain() {
    std::array<float, kChains> sums{};
    for (std::uint64_t i = 0; i < kRounds; ++i)
        for (float& sum : sums) sum = sum * 0.999f + 0.001f;
    float all = 0;
    for (const float sum : sums) all += sum;
    return all;
}

struct Chains {
    float (*run)();
    std::uint64_t lanes;
    double flops() const { return static_cast<double>(2 * lanes * kChains * kRounds); }
};
Chains best_chains() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {chains_512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {chains_256, 8};
#endif
    return {chains_plain, 1};
}

std::uint64_t sum_of(const std::uint64_t* words, std::size_t n) {
    std::array<std::uint64_t, 8> sums{};
    for (std::size_t i = 0; i + 8 <= n; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
    std::uint64_t all = 0;
    for (const std::uint64_t sum : sums) all += sum;
    return all;
}

// Threads that begin together; each does pieces of work until the time is over. Units a second.
double rate(std::uint32_t threads, double seconds,
            const std::function<double(std::uint32_t thread, std::uint64_t round)>& piece) {
    std::atomic<std::uint32_t> waiting{threads};
    std::vector<double> done(threads), took(threads);
    std::vector<std::thread> all;
    for (std::uint32_t t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            piece(t, 0);  // memory is touched, clocks go up
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            const double start = seconds_now();
            double units = 0;
            for (std::uint64_t round = 1; seconds_now() - start < seconds; ++round)
                units += piece(t, round);
            took[t] = seconds_now() - start;
            done[t] = units;
        });
    for (std::thread& thread : all) thread.join();
    double sum = 0;
    for (std::uint32_t t = 0; t < threads; ++t) sum += took[t] > 0 ? done[t] / took[t] : 0;
    return sum;
}

}  // namespace

MachineRoofs measure_roofs(const RoofMeasure& measure) {
    const std::uint32_t threads = std::max(1u, measure.threads);
    std::atomic<std::uint64_t> used{0};  // so that nothing is left out as useless
    const std::size_t words = std::max<std::size_t>(threads * 1024, measure.bytes / 8),
                      share = words / threads, step = std::max<std::size_t>(1024, share / 64);
    const std::vector<std::uint64_t> memory(words, 1);
    const double bytes =
        rate(threads, measure.seconds, [&](std::uint32_t thread, std::uint64_t round) {
            const std::size_t parts = std::max<std::size_t>(1, share / step),
                              at = thread * share + round % parts * step,
                              n = std::min(step, memory.size() - at);
            used += sum_of(memory.data() + at, n);
            return static_cast<double>(8 * n);
        });
    const Chains chains = best_chains();
    std::atomic<float> last{0};
    const double flops = rate(threads, measure.seconds, [&](std::uint32_t, std::uint64_t) {
        last = chains.run();
        return chains.flops();
    });
    if (used == 0 && last > 1e30f) return {};  // never: both are used
    return {MachineRoofs::State::Measured, bytes, flops, threads};
}

}  // namespace kv
