#pragma once
// A policy that drops nothing and chooses which blocks each query reads (Quest): the question that
// goes with a pass, and the answer as events.

#include <cstdint>
#include <vector>

#include "core/cache/eviction/eviction_spec.hpp"
#include "core/engine/seam/head_reads.hpp"

namespace kv {

struct BlocksRead;

// A prompt of n_prompt tokens is read as a whole; whoever comes after it chooses.
HeadReads reads_to_choose(const EvictionSpec& policy, std::uint32_t block_size,
                          std::uint32_t n_prompt);
// An event for each token from `first` on whose query chose.
std::vector<BlocksRead> blocks_read_by(const HeadReads& reads, std::uint32_t first,
                                       std::uint32_t count);

}  // namespace kv
