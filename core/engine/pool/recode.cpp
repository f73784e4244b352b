#include "core/engine/pool/recode.hpp"

#include <algorithm>

#include "core/trace/event/block_events.hpp"

namespace kv {

PoolRecode::PoolRecode(const Backend& from, const PoolSpec& from_spec, Backend& to,
                       const PoolSpec& to_spec, const LaneShape& lanes)
    : from_(from), to_(to), from_spec_(from_spec), to_spec_(to_spec), lanes_(lanes) {
    for (const Side side : {Side::K, Side::V})
        for (std::uint32_t layer = 0; layer < to.layout().n_layers; ++layer)
            if (to_spec.codec(side) == from_spec.codec(side))
                to.set_shared_scale(LayerId(layer), side, from.shared_scale(LayerId(layer), side));
}

template <class Visit>
void PoolRecode::each_vector(const BlockRecoded& block, Visit&& visit) const {
    const auto visit_slots = [&](LayerId layer, HeadId head) {
        for (const Side side : {Side::K, Side::V})
            for (std::uint32_t slot = 0; slot < block.slots; ++slot) {
                const auto offset = [&](const KvLayout& layout) {
                    return layout.vector_offset(layer, side, head, block.block, Slot(slot));
                };
                visit(layer, side, offset(from_.layout()), offset(to_.layout()));
            }
    };
    for (std::uint32_t layer = 0; layer < to_.layout().n_layers; ++layer)
        for (std::uint32_t head = 0; head < to_.layout().n_kv_heads; ++head)
            if (lanes_.has(block.lane, LayerId(layer), HeadId(head)))
                visit_slots(LayerId(layer), HeadId(head));
}

std::vector<float> PoolRecode::values(LayerId layer, Side side, std::uint64_t offset) const {
    const KvVector& vector = from_.layout().vector(side);
    std::vector<std::byte> bytes(vector.bytes);
    std::vector<float> values(vector.dim);
    from_.read_pool(offset, bytes);
    decode_vector(from_spec_.codec(side), bytes.data(), vector.dim, values.data(),
                  from_.shared_scale(layer, side));
    return values;
}

void PoolRecode::look_at(const BlockRecoded& block) {
    each_vector(block, [&](LayerId layer, Side side, std::uint64_t was, std::uint64_t) {
        const Codec& codec = to_spec_.codec(side);
        if (codec.scale != ScaleMode::Tensor || codec == from_spec_.codec(side)) return;
        const std::vector<float> all = values(layer, side, was);
        const SharedScale scale = scale_for(codec, all.data(), all.size());
        const SharedScale most = to_.shared_scale(layer, side);
        to_.set_shared_scale(layer, side, most == kNoScale ? scale : std::max(most, scale));
    });
}

std::uint64_t PoolRecode::take(const BlockRecoded& block) {
    std::uint64_t written = 0;
    each_vector(block, [&](LayerId layer, Side side, std::uint64_t was, std::uint64_t is) {
        const Codec& codec = to_spec_.codec(side);
        std::vector<std::byte> bytes(to_.layout().vector(side).bytes);
        if (codec == from_spec_.codec(side)) {  // copied as it is
            from_.read_pool(was, bytes);
        } else {
            const std::vector<float> all = values(layer, side, was);
            encode_vector(codec, all.data(), static_cast<std::uint32_t>(all.size()), bytes.data(),
                          to_.shared_scale(layer, side));
        }
        to_.write_pool(is, bytes);
        written += bytes.size();
    });
    return written;
}

}  // namespace kv
