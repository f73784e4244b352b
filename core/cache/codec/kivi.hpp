#pragma once
// KIVI (Liu et al., arXiv 2402.02750): keys per channel, values per token, and the newest tokens in
// full. The paper's group size G is kKiviGroup, 32, and its residual length R kKiviResidual, 128.
//
//   values   each token by itself, a scale and a zero for every 32 channels: ':g32' with fp16 input
//   keys     32 tokens at a time, a scale and a zero for every channel of such a group
//   residual the newest tokens in fp16. Keys leave it when the sequence reaches a multiple of 128
//            tokens: all that wait, in groups of 32. Values leave it one by one, all but the newest
//            128. Both after the step has attended.
//
// Codes are made from the fp16 numbers of the residual, through which every token goes, so they do
// not depend on how tokens came in. A key group lies in the slots of its 32 tokens, as
// kivi_group.hpp draws it: every slot has the same size, and a group can be read only when all of
// it is there.
//
// The residual of one head and side is a ring of kKiviResidualRows rows beside the blocks: a
// token's row is its slot modulo their number. This file has the rule and the bytes. A backend
// fills and empties the ring: a token enters by wait_in_residual() of
// core/engine/pool/backend.cpp, and once it has attended code_due() codes what coded_tokens() has
// more of than before. PassCache in core/engine/reference/pass_cache.cpp calls them in this order.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cache/codec/vector_codec.hpp"

namespace kv {

// One more than stay: a token is held before the oldest leaves.
constexpr std::uint32_t kKiviResidualRows = kKiviResidual + 1;

// Where a sequence keeps its newest tokens, and how many of its tokens were coded when they came,
// because others had stored them: whole groups.
struct Residual {
    std::uint32_t row_set = 0, base = 0;
};

// Tokens of that side that are coded once `n` are stored and the step has attended: of keys the
// whole runs of 128, of values all but the newest 128. The rule is kivi_coded_tokens() of
// core/cost/cache/vector_bytes.hpp, so that it is priced and run alike. `base` tokens are a prefix
// that others had coded already, so no fewer are.
std::uint32_t coded_tokens(Side side, std::uint32_t n, std::uint32_t base);
// Tokens, from the first on, whose bytes will not change any more on either side.
std::uint32_t final_tokens(std::uint32_t n);

// A row set: the fp16 rows of one sequence's residual, in all layers and heads, of the sides that
// have one. How many bytes it takes, and where the row of a slot lies in it.
std::uint64_t bytes_of_row_set(const KvLayout& layout);
std::uint64_t residual_offset(const KvLayout& layout, LayerId layer, Side side, HeadId head,
                              std::uint32_t slot);

// The slots of one group, in the order of their tokens.
using GroupSlots = std::array<std::byte*, kKiviGroup>;
using ConstGroupSlots = std::array<const std::byte*, kKiviGroup>;

// `values`: (32, dim), token by token.
void encode_key_group(const Codec& codec, const float* values, std::uint32_t dim,
                      const GroupSlots& slots);
// The key of one token of the group.
void decode_key(const Codec& codec, const ConstGroupSlots& slots, std::uint32_t token,
                std::uint32_t dim, float* out);
std::uint32_t key_code(const Codec& codec, const ConstGroupSlots& slots, std::uint32_t token,
                       std::uint32_t dim, std::uint32_t channel);

// The codec that KIVI's values have: groups of kKiviGroup channels, or of a whole narrower head.
Codec value_codec(const Codec& codec, std::uint32_t dim);

}  // namespace kv
