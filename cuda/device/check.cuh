#pragma once
// Every call into CUDA goes through check(). A status other than success becomes kv::Error with the
// place of the call. "No GPU here" is not an error: ask query_devices() first. Only what is
// compiled with CUDA includes this: .cu files, and check.cpp beside it.

#include <cuda_runtime_api.h>

#include "core/base/error.hpp"

namespace kv {

void check(cudaError_t status, Where where = here());

}  // namespace kv
