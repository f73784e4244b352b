#pragma once
// What one new token sees in one KV head of one layer: the slots, oldest first and its own the
// last, and the positions that keys are rotated to where that is done when they are read. Backends
// ask here; count_seen.hpp, which counts only, goes by the same edges, lists and choices.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cache/layout/kv_layout.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/model/config/config.hpp"

namespace kv {

// The first slot that the query at `slot` sees in this layer: 0, or the edge of its window, which
// counts the query's own token: with a window of 4 the query at slot 10 sees 7 to 10. Models with
// windows run without a policy, so nothing is dropped and a slot is the index of its token. This is
// all that a sliding layer is here: it stands beside full layers in one pool under one block table,
// so a block stays as long as a full layer reads it. What a server saves that has tables for each
// kind of layer is priced in core/cost/groups.hpp.
std::uint32_t first_visible(const ModelConfig& config, LayerId layer, std::uint32_t slot);

struct SeenKeys {
    std::vector<std::uint32_t> slots;
    bool rotated_when_read = false;        // keys are stored as they are projected
    std::vector<std::uint32_t> positions;  // to rotate to; empty unless rotated_when_read
};

void find_seen_keys(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work,
                    LayerId layer, HeadId head, std::size_t row, SeenKeys& out);
// One query head of a new token, and the KV head that it reads.
struct QueryHead {
    HeadId kv_head;
    std::uint32_t head;
    std::size_t row;  // of the new token
};
// Finds the keys of one query head, which may see less than others that share its KV head.
void find_keys_of_head(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work,
                       LayerId layer, const QueryHead& who, SeenKeys& out);
// Whether query heads that share a KV head see different keys of it.
bool sees_by_head(const ModelConfig& config, const SequenceWork& work, LayerId layer,
                  std::size_t row);

// The slots of the new tokens' own keys and values, rising; and which new token has a slot, if one
// has.
std::span<const std::uint32_t> own_slots(const SequenceWork& work, LayerId layer, HeadId head);
std::optional<std::size_t> own_row(const SequenceWork& work, LayerId layer, HeadId head,
                                   std::uint32_t slot);
// The new token that has a slot, if the token `row` may attend to it as it was computed.
std::optional<std::size_t> computed_row(const SequenceWork& work, LayerId layer, HeadId head,
                                        std::uint32_t slot, std::size_t row);
bool rotated_when_stored(const SequenceWork& work);

}  // namespace kv
