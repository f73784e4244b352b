#pragma once
// The tables of a request, by number: lane 0 alone for the whole sequence, a lane for each layer,
// or one for each KV head of each layer. Each lane has blocks of its own: a block of a lane is what
// a block of the pool holds of that lane's layers and heads.

#include <cstdint>
#include <optional>

#include "core/base/ids.hpp"
#include "core/cache/eviction/eviction_spec.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

struct LaneShape {
    TableScope scope = TableScope::Sequence;
    std::uint32_t n_layers = 1, n_kv_heads = 1;

    std::uint32_t n_lanes() const {
        if (scope == TableScope::Sequence) return 1;
        return scope == TableScope::Layer ? n_layers : n_layers * n_kv_heads;
    }
    LaneId lane_of(LayerId layer, HeadId head) const {
        if (scope == TableScope::Sequence) return LaneId(0);
        if (scope == TableScope::Layer) return LaneId(layer.value);
        return LaneId(layer.value * n_kv_heads + head.value);
    }
    // The layer that a lane serves, and below it the KV head; none: it serves all of them.
    std::optional<LayerId> layer_of(LaneId lane) const {
        if (scope == TableScope::Sequence) return std::nullopt;
        return LayerId(scope == TableScope::Layer ? lane.value : lane.value / n_kv_heads);
    }
    std::optional<HeadId> head_of(LaneId lane) const {
        if (scope != TableScope::Head) return std::nullopt;
        return HeadId(lane.value % n_kv_heads);
    }
    bool has(LaneId lane, LayerId layer, HeadId head) const { return lane_of(layer, head) == lane; }
};

// Where the vector of a layer and head lies in the bytes of one slot of their lane, as payloads
// keep them: layer by layer, keys then values, head by head, as far as they belong to the lane.
inline std::uint64_t payload_offset(const KvLayout& layout, const LaneShape& lanes, LayerId layer,
                                    Side side, HeadId head) {
    if (lanes.scope == TableScope::Sequence) return payload_offset(layout, layer, side, head);
    if (lanes.scope == TableScope::Layer) return payload_offset(layout, LayerId(0), side, head);
    return side == Side::K ? 0 : layout.k.bytes;
}

}  // namespace kv
