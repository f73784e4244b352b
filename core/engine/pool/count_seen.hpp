#pragma once
// How much one new token sees: keys, pairs of a key and a query head, tokens. Who counts work asks
// here. The rules are those of seen_keys.hpp; no slot is listed, since only their number is asked.

#include <cstddef>

#include "core/engine/seam/batch.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// Keys of a KV head that some query head sees.
u64 count_seen_keys(const ModelConfig& config, const SequenceWork& work, LayerId layer, HeadId head,
                    std::size_t row);
// Pairs of a key and a query head that sees it, of all query heads that share the KV head.
u64 count_pairs(const ModelConfig& config, const SequenceWork& work, LayerId layer, HeadId head,
                std::size_t row);
// Keys as above that no earlier token of the pass has seen, where its tokens attend one by one:
// they are read once for all of them.
u64 count_fresh_keys(const ModelConfig& config, const SequenceWork& work, LayerId layer,
                     HeadId head, std::size_t row);
// Blocks whose bounds every KV head of the layer goes through to choose among them.
u64 count_judged_blocks(const SequenceWork& work, LayerId layer, std::size_t row);
// Distinct tokens that a query sees in some layer and head.
u64 count_seen_tokens(const ModelConfig& config, const SequenceWork& work, std::size_t row);

}  // namespace kv
