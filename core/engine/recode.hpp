#pragma once
// A pool goes over to another codec while requests hold blocks: every filled slot is decoded and
// coded anew, in a pool of the same blocks. Nothing is left in the old codec, and what this cost is
// known to the byte. It is not what a run under the new codec would have stored: the old codec's
// losses stay, and the layers above saw them.

#include <cstdint>

#include "core/engine/backend.hpp"
#include "core/engine/pool_spec.hpp"

namespace kv {

// The first `slots` of a block; the answer is how many bytes were written.
std::uint64_t recode_block(const Backend& from, const PoolSpec& from_spec, Backend& to,
                           const PoolSpec& to_spec, BlockId block, std::uint32_t slots);

}  // namespace kv
