#pragma once
// From the name of a path to its table of functions.

#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/kernels/path.hpp"

namespace kv::cpu {

const CpuKernels& kernels_of_path(CpuPath path);  // one that runs here

}  // namespace kv::cpu
