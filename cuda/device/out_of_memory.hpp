#pragma once
// The sentence when something does not fit into a GPU: what is needed, what there is, what to do.

#include "core/base/error.hpp"
#include "core/base/numbers/units.hpp"

namespace kv::gpu {

[[noreturn]] inline void refuse_memory(const std::string& what, u64 needed, u64 available) {
    throw Error(ErrorCode::World, what + " need " + bytes_binary(needed) +
                                      " on the GPU, which has " + bytes_binary(available) +
                                      " free. Use --backend cpu, or make the pool smaller with "
                                      "--pool.");
}

}  // namespace kv::gpu
