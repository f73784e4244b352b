#pragma once
// Public traces whose prompts come as hashes of their blocks: Mooncake and Qwen-Bailian. The last
// hash of a prompt may stand for a part of a block; it is taken for a block, as `kvarium sim` does.

#include <string>

#include "core/whatif/recording.hpp"
#include "core/whatif/stack.hpp"

namespace kv {

// Throws kv::Error (World) for what is no such trace, and for one without hashes. Nothing when
// `progress` stopped it.
std::optional<Recording> read_public_trace(const std::string& path, std::optional<u64> limit,
                                           const WhatIfProgress& progress);

}  // namespace kv
