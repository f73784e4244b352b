#pragma once
// Which instruction set the cpu backend computes with. The best that this build has code for and
// this processor understands, unless a caller asks for another.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kv {

enum class CpuPath : std::uint8_t { Portable, Avx2, Avx512, Avx512Bf16, Amx };  // from slow to fast

std::string_view name_of(CpuPath path);  // "portable", "avx2", "avx512", "avx512_bf16", "amx"
std::vector<CpuPath> all_cpu_paths();
bool runs_here(CpuPath path);

CpuPath best_cpu_path();
std::string_view cpu_path_name();  // of the best

}  // namespace kv
