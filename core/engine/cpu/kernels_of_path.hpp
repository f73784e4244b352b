#pragma once
// From the name of a path to its table of functions.

#include "core/engine/cpu/cpu_kernels.hpp"
#include "core/engine/cpu/cpu_path.hpp"

namespace kv::cpu {

const CpuKernels& kernels_of_path(CpuPath path);  // one that runs here

}  // namespace kv::cpu
