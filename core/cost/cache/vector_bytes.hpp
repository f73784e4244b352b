#pragma once
// How many bytes one cached vector takes in each codec, scales included. Arithmetic only: what a
// codec is stands in core/base/numbers/codec.hpp, what its bytes mean in core/cache/codec.

#include <string>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/cost/model/derivation.hpp"

namespace kv {

struct VectorBytes {
    u64 payload = 0, scales = 0;
    u64 total() const { return payload + scales; }
};
// One token's vector of one KV head. Kivi keys: the mean over a group, without the 16-bit residual.
VectorBytes vector_bytes(const Codec& codec, Side side, u64 elements);

// Tokens of a sequence of `tokens` that kivi has coded; the others are in 16 bits. The rule of the
// paper's residual stands here, not beside the codec, since a price needs it without a cache;
// coded_tokens() of core/cache/codec/kivi.hpp asks here too.
u64 kivi_coded_tokens(Side side, u64 tokens);

// One KV head's vectors of `tokens` tokens in one layer, to the byte (kivi: residual included).
u64 head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens);

double effective_bits(const Codec& codec, Side side, u64 elements);  // per element, scales included

// How vector_bytes came about. `elements_name` is what the expression calls the vector's length.
Derived derive_vector_bytes(const Codec& codec, Side side, u64 elements,
                            const std::string& result_name, const std::string& elements_name);
// The same for head_bytes of a kivi codec, where the count of tokens decides.
Derived derive_kivi_head_bytes(const Codec& codec, Side side, u64 elements, u64 tokens,
                               const std::string& result_name);

}  // namespace kv
