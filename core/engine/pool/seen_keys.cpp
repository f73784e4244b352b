#include "core/engine/pool/seen_keys.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/planted.hpp"
#include "core/cache/eviction/key_positions.hpp"

namespace kv {
namespace {

void see_tail_wrongly(const KvLayout& layout, std::vector<std::uint32_t>& slots);

}  // namespace

std::uint32_t first_visible(const ModelConfig& config, LayerId layer, std::uint32_t slot) {
    if (!config.sliding_window || !config.sliding_layers[layer.index()]) return 0;
    const u64 window = *config.sliding_window;
    return slot + 1 > window ? static_cast<std::uint32_t>(slot + 1 - window) : 0;
}

void find_seen_keys(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work,
                    LayerId layer, HeadId head, std::size_t row, SeenKeys& out) {
    out.slots.clear();
    out.positions.clear();
    out.rotated_when_read = !rotated_when_stored(work);
    if (work.visible == nullptr) {
        // No policy: every slot from the edge of the window to the token's own.
        const std::uint32_t own = work.token_indices[row];
        const std::uint32_t first = first_visible(config, layer, own);
        out.slots.resize(own + 1 - first);
        std::iota(out.slots.begin(), out.slots.end(), first);
        if (planted(PlantedBug::TailNotMasked)) see_tail_wrongly(layout, out.slots);
        return;
    }
    // A policy: the keeper's list for this lane, and which parts of it this token sees.
    const LaneKeys& keys = work.visible->of(layer, head);
    for (const KeyRange& range : keys.rows[row])
        for (std::uint32_t place = range.begin; place < range.end; ++place) {
            out.slots.push_back(keys.slots[place]);
            if (out.rotated_when_read) out.positions.push_back(keys.positions[place]);
        }
    if (out.rotated_when_read)
        out.positions = rotation_positions(work.visible->key_rotation, std::move(out.positions));
}

void find_keys_of_head(const ModelConfig& config, const KvLayout& layout, const SequenceWork& work,
                       LayerId layer, const QueryHead& who, SeenKeys& out) {
    // With a sight of its own the query head stands for a KV head (VisibleKeys).
    const bool own_mask = work.visible != nullptr && sees_by_head(config, work, layer, who.row);
    find_seen_keys(config, layout, work, layer, own_mask ? HeadId(who.head) : who.kv_head, who.row,
                   out);
    if (work.reads == nullptr) return;
    const auto& entries = work.reads->of(who.row, layer, who.head);
    if (entries.empty()) return;
    std::erase_if(out.slots, [&](std::uint32_t slot) {
        return !std::binary_search(entries.begin(), entries.end(), slot / layout.block_size);
    });
}

bool sees_by_head(const ModelConfig& config, const SequenceWork& work, LayerId layer,
                  std::size_t row) {
    if (work.visible != nullptr)
        return work.visible->shape.scope == TableScope::Head &&
               work.visible->shape.n_kv_heads > config.n_kv_heads;
    return work.reads != nullptr && work.reads->chooses(layer, work.token_indices[row]);
}

std::span<const std::uint32_t> own_slots(const SequenceWork& work, LayerId layer, HeadId head) {
    if (work.visible == nullptr) return work.token_indices;
    return std::span(work.visible->of(layer, head).slots).last(work.tokens.size());
}

std::optional<std::size_t> own_row(const SequenceWork& work, LayerId layer, HeadId head,
                                   std::uint32_t slot) {
    const auto own = own_slots(work, layer, head);
    const auto found = std::lower_bound(own.begin(), own.end(), slot);
    if (found == own.end() || *found != slot) return std::nullopt;
    return static_cast<std::size_t>(found - own.begin());
}

std::optional<std::size_t> computed_row(const SequenceWork& work, LayerId layer, HeadId head,
                                        std::uint32_t slot, std::size_t row) {
    const auto own = own_row(work, layer, head, slot);
    if (work.one_by_one && own != row) return std::nullopt;
    return own;
}

bool rotated_when_stored(const SequenceWork& work) {
    return work.visible == nullptr || work.visible->key_rotation == KeyRotation::WhenStored;
}

// Planted bugs.

namespace {

// The slots of the last block that nothing is stored in yet.
void see_tail_wrongly(const KvLayout& layout, std::vector<std::uint32_t>& slots) {
    while ((slots.back() + 1) % layout.block_size != 0) slots.push_back(slots.back() + 1);
}

}  // namespace

}  // namespace kv
