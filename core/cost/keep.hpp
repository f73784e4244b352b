#pragma once
// What a decoder keeps of the past between two steps, and what the choice costs: nothing, so that
// every step starts over; each layer's input rows ("X"), from which K and V are computed once more;
// or K and V themselves. A step is the prompt, in however many chunks, or one token after it. The
// first new token comes out of the prompt's step, and the last one is never fed back.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/numbers/codec.hpp"
#include "core/cost/time/flops.hpp"

namespace kv {

enum class Keep : std::uint8_t { Nothing, Inputs, KeysAndValues };
inline constexpr std::array<Keep, 3> kKeeps{Keep::Nothing, Keep::Inputs, Keep::KeysAndValues};
std::string_view name_of(Keep keep);  // "nothing", "x", "kv"

// Positions that go through W_K and W_V to produce `new_tokens` after a prompt, and positions that
// go through everything else: W_Q, attention, W_O and the MLP. They differ where inputs are kept.
u64 positions_projected(Keep keep, u64 prompt, u64 new_tokens);
u64 positions_forwarded(Keep keep, u64 prompt, u64 new_tokens);

// Inputs are kept by models without latent attention alone.
FlopParts generation_flops(const ModelShape& shape, Keep keep, u64 prompt, u64 new_tokens);

struct CacheTraffic {
    u64 kv_read = 0, kv_written = 0;  // once per query and KV head
    u64 inputs_read = 0, inputs_written = 0;
    bool operator==(const CacheTraffic&) const = default;
};
CacheTraffic cache_traffic(const ModelShape& shape, const CodecPair& codecs, Keep keep, u64 prompt,
                           u64 new_tokens);

// Inputs are kept in float32: rounded ones would give other keys and values.
inline constexpr u64 kInputElementBytes = 4;
u64 input_bytes_per_token(const ModelShape& shape);

}  // namespace kv
