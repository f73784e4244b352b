#pragma once
// The plans of figures about the pool, and how many keys each has: who gets which slots, which
// prefixes are stored, and a token's way to its slot. Pure, as those of figure/plans.

#include "app/panels/figure/plan/plan.hpp"
#include "core/lesson/figures/facts.hpp"

namespace kv::figure {

Keys keys_of(const ArenaFacts& facts);
Plan layout_arena(const ArenaFacts& facts, const Ask& ask);

Keys keys_of(const SharesFacts& facts);
Plan layout_shares(const SharesFacts& facts, const Ask& ask);

Keys keys_of(const RadixFacts& facts);
Plan layout_radix(const RadixFacts& facts, const Ask& ask);

Keys keys_of(const WalkFacts& facts);
Plan layout_walk(const WalkFacts& facts, const Ask& ask);

Keys keys_of(const LastBlockFacts& facts);
Plan layout_last_block(const LastBlockFacts& facts, const Ask& ask);

Keys keys_of(const HashesFacts& facts);
Plan layout_hashes(const HashesFacts& facts, const Ask& ask);

Keys keys_of(const StretchesFacts& facts);
Plan layout_stretches(const StretchesFacts& facts, const Ask& ask);

}  // namespace kv::figure
