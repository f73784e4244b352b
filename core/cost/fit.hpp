#pragma once
// How many sequences fit into the memory that is left for a cache, and how long a text. The budget
// is that of each card where several share the cache (core/cost/split.hpp); the fullest card
// decides. Bytes are not rounded up to blocks.

#include <optional>
#include <vector>

#include "core/cost/split.hpp"

namespace kv {

struct FitPoint {
    u64 tokens, sequences;
};
// The sequences that fit at 1,024 tokens and at each doubling of it.
std::vector<FitPoint> fit_curve(const CacheShape& shape, const CodecPair& codecs, u64 budget,
                                u64 longest, const Split& split = {});
// The longest text that fits `batch` times; nothing when no length is too long.
std::optional<u64> longest_text(const CacheShape& shape, const CodecPair& codecs, u64 budget,
                                u64 batch, const Split& split = {});

// "sequences_fit": sequences of so many tokens.
Derived derive_sequences_fit(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                             const Operand& budget, const Split& split);
// "longest_text": what the groups that are full at that length hold is taken off, and the rest is
// shared among those that still grow. Nothing where no text is too long, or where a codec's tokens
// are not alike.
std::optional<Derived> derive_longest_text(const CacheShape& shape, const CodecPair& codecs,
                                           u64 batch, const Operand& budget, const Split& split);
// "card_budget_bytes": what an equal share of the weights leaves of a device.
Derived derive_card_budget(u64 device_bytes, u64 weight_bytes, const Split& split);

}  // namespace kv
