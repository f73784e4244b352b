#include "core/engine/cpu/kernels/path.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <array>

#include "core/engine/cpu/kernels/of_path.hpp"

namespace kv {
namespace {

struct PathRow {
    std::string_view name;
    const cpu::CpuKernels* (*kernels)();
    bool (*understood)();
};

#if defined(__x86_64__)
// F16C, leaf 1, register ECX, bit 29, and other bits below by hand: clang 14 knows no names for
// them.
bool has_avx2() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __get_cpuid(1, &a, &b, &c, &d) != 0 && (c >> 29 & 1) != 0;
}
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
// Leaf 7.1, register EAX, bit 5.
bool has_avx512_bf16() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return has_avx512() && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 5 & 1) != 0;
}
#if defined(__linux__)
// Leaf 7.0, register EDX, bits 22 and 24. Tiles are large, so Linux wants to be asked for them,
// once for all threads; it says no where threads have too little room for them on their signal
// stacks.
bool has_amx() {
    constexpr long kRequestState = 0x1023, kTileData = 18;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return has_avx512_bf16() && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
           (d >> 22 & 1) != 0 && (d >> 24 & 1) != 0 &&
           syscall(SYS_arch_prctl, kRequestState, kTileData) == 0;
}
#else
bool has_amx() {
    return false;
}
#endif
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
bool has_amx() {
    return false;
}
#endif

constexpr std::array<PathRow, 5> kRows{{{"portable", cpu::portable_kernels, [] { return true; }},
                                        {"avx2", cpu::avx2_kernels, has_avx2},
                                        {"avx512", cpu::avx512_kernels, has_avx512},
                                        {"avx512_bf16", cpu::avx512_bf16_kernels, has_avx512_bf16},
                                        {"amx", cpu::amx_kernels, has_amx}}};

const PathRow& row_of(CpuPath path) {
    return kRows[static_cast<std::size_t>(path)];
}

}  // namespace

std::string_view name_of(CpuPath path) {
    return row_of(path).name;
}

std::vector<CpuPath> all_cpu_paths() {
    return {CpuPath::Portable, CpuPath::Avx2, CpuPath::Avx512, CpuPath::Avx512Bf16, CpuPath::Amx};
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
