#pragma once
// The same requests in blocks of another size. Where the tokens are known any size will do; of
// hashes alone only multiples of the recorded size can be made, by joining neighbours. What does
// not fill a block at the end of a chain is left out: it could not be found by others.

#include "core/whatif/stack.hpp"

namespace kv {

bool can_regroup(const Recording& recording, std::uint32_t block_size);
// Must be possible. Nothing when `progress` stopped it.
std::optional<Recording> regrouped(const Recording& recording, std::uint32_t block_size,
                                   const WhatIfProgress& progress = {});

}  // namespace kv
