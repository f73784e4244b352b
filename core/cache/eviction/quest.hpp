#pragma once
// Quest (arXiv 2406.10774): nothing is dropped, but a query reads only the blocks (the paper's
// pages) whose keys may score highest. Of each block the smallest and the largest number in every
// channel are known, and with them a bound that no key of the block exceeds:
//
//   bound(block) = sum over channels c of max(q_c * min_c, q_c * max_c)  >=  q . k
//
// Here is the rule. Around it, for each new token behind the prompt, layer and query head:
//
//   KeyBoxes (core/engine/pool/key_boxes.hpp)    keeps a box for each block, layer and KV head
//   PoolBackend::choose_reads (pool/backend.cpp) bounds every block of the table by the query of
//                                                one head, and calls choose_blocks()
//   HeadReads (core/engine/seam/head_reads.hpp)  says which queries choose at all, and carries the
//                                                answer: query heads that share a KV head choose
//                                                each for itself, and may choose differently
//   find_keys_of_head (pool/seen_keys.cpp)       leaves the slots of other blocks out

#include <cstdint>
#include <span>
#include <vector>

namespace kv {

// All keys of a block lie in it.
struct KeyBox {
    std::span<const float> least, most;  // (head_dim) each
};

float bound_of_box(std::span<const float> q, const KeyBox& box);
// Makes the box as wide as it must be for the key to lie in it.
void widen_box(std::span<float> least, std::span<float> most, std::span<const float> key);

struct BlockChoice {
    std::uint32_t n_blocks = 0;  // that a query head reads
    std::uint32_t n_newest = 0;  // of them the last of the table, whatever their bounds
};
// Entries of the table, rising; all of them where there are no more than may be read. Of equal
// bounds the earlier block is read.
std::vector<std::uint32_t> choose_blocks(std::span<const float> bounds, const BlockChoice& choice);

}  // namespace kv
