#include "core/engine/cpu/cpu_path.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>

#include "core/engine/cpu/kernels_of_path.hpp"

namespace kv {
namespace {

struct PathRow {
    std::string_view name;
    const cpu::CpuKernels* (*kernels)();
    bool (*understood)();
};

#if defined(__x86_64__)
bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c");
}
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
// Leaf 7.1, register EAX, bit 5, by hand: clang 14 does not know the name of the feature.
bool has_avx512_bf16() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return has_avx512() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 5 & 1) != 0;
}
#else
bool has_avx2() {
    return false;
}
bool has_avx512() {
    return false;
}
bool has_avx512_bf16() {
    return false;
}
#endif

constexpr std::array<PathRow, 4> kRows{
    {{"portable", cpu::portable_kernels, [] { return true; }},
     {"avx2", cpu::avx2_kernels, has_avx2},
     {"avx512", cpu::avx512_kernels, has_avx512},
     {"avx512_bf16", cpu::avx512_bf16_kernels, has_avx512_bf16}}};

const PathRow& row_of(CpuPath path) {
    return kRows[static_cast<std::size_t>(path)];
}

}  // namespace

std::string_view name_of(CpuPath path) {
    return row_of(path).name;
}

std::optional<CpuPath> cpu_path(std::string_view name) {
    for (const CpuPath path : all_cpu_paths())
        if (name_of(path) == name) return path;
    return std::nullopt;
}

std::vector<CpuPath> all_cpu_paths() {
    return {CpuPath::Portable, CpuPath::Avx2, CpuPath::Avx512, CpuPath::Avx512Bf16};
}

// Whether the processor understands comes first: a path's own file may hold its instructions.
bool runs_here(CpuPath path) {
    return row_of(path).understood() && row_of(path).kernels() != nullptr;
}

CpuPath best_cpu_path() {
    CpuPath best = CpuPath::Portable;
    for (const CpuPath path : all_cpu_paths())
        if (runs_here(path)) best = path;
    return best;
}

std::string_view cpu_path_name() {
    return name_of(best_cpu_path());
}

const cpu::CpuKernels& cpu::kernels_of_path(CpuPath path) {
    return *row_of(path).kernels();
}

}  // namespace kv
