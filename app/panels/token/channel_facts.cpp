#include "app/panels/token/channel_facts.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/token/looked_at.hpp"
#include "core/cache/codec/element_error.hpp"

namespace kv {
namespace {

constexpr std::array<Side, 2> kKeyAndValue{Side::K, Side::V};

Codec codec_of(PreviewCodec preview) {
    switch (preview) {
        case PreviewCodec::Fp8:
            return Codec::Fp8E4m3;
        case PreviewCodec::Int8:
            return Codec::Int8;
        case PreviewCodec::Int4:
            break;
    }
    return Codec::Int4;
}

// The vectors of one head that a request keeps, side by side.
std::vector<float> stored_values(const RunView& run, SeqId request, const VectorChoice& what,
                                 ChannelMap& map) {
    std::vector<float> values;
    const RequestView& r = run.now.requests[request.index()];
    const LaneAt lane{run.now, run.lanes.lane_of(what.layer, what.head)};
    const Table* table = lane.table(request);
    if (table == nullptr) return values;
    const std::uint32_t size = run.layout.block_size, dim = run.layout.vector(what.side).dim;
    const SlotMap& slots = *lane.slots(request);
    table->each([&](std::size_t entry, const TableEntry& block) {
        if (!block) return;
        for (std::uint32_t slot = 0; slot < size; ++slot) {
            const auto at = static_cast<std::uint32_t>(entry * size) + slot;
            if (at >= slots.slots_taken(r.stored) || slots.is_dropped(at)) continue;
            const StoredVector stored = stored_vector(run, *block, Slot(slot), what);
            if (stored.held != SlotBytes::Written) {
                ++map.left_out;
                continue;
            }
            values.resize(values.size() + dim);
            decode_vector(run.codec_in_slot(what.side),
                          reinterpret_cast<const std::byte*>(stored.bytes.data()), dim,
                          &values[values.size() - dim], run.shared_scale(what.layer, what.side));
        }
    });
    return values;
}

void add_head(ChannelSide& side, const std::vector<float>& values, const Codec& codec) {
    const std::size_t first = side.stats.size(), rows = values.size() / side.dim;
    side.stats.resize(first + side.dim);
    if (rows == 0) return;
    const auto errors = coding_error_by_channel(codec, values, side.dim);
    for (std::uint32_t channel = 0; channel < side.dim; ++channel) {
        ChannelStat& stat = side.stats[first + channel];
        for (std::size_t row = 0; row < rows; ++row) {
            const double value = values[row * side.dim + channel];
            stat.size += value * value;
            stat.largest = std::max(stat.largest, std::abs(value));
        }
        stat.size = std::sqrt(stat.size / static_cast<double>(rows));
        stat.error = errors[channel].rms();
    }
}

void find_outlier(ChannelSide& side) {
    std::vector<double> sizes;
    for (std::uint32_t i = 0; i < side.stats.size(); ++i) {
        sizes.push_back(side.stats[i].size);
        if (side.stats[i].size > side.stats[side.widest].size) side.widest = i;
    }
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    if (sizes.empty()) return;
    std::nth_element(sizes.begin(), middle, sizes.end());
    side.median = *middle;
}

}  // namespace

ChannelMap channel_map(const RunView& run, SeqId request, LayerId layer, PreviewCodec codec) {
    ChannelMap map;
    for (const Side kind : kKeyAndValue) {
        ChannelSide& side = map.sides[static_cast<std::size_t>(kind)];
        side.heads = run.layout.n_kv_heads, side.dim = run.layout.vector(kind).dim;
        for (std::uint32_t head = 0; head < side.heads; ++head) {
            const auto values = stored_values(run, request, {layer, kind, HeadId(head), 0}, map);
            add_head(side, values, codec_of(codec));
            if (kind == Side::K) map.vectors += values.size() / side.dim;
        }
        find_outlier(side);
    }
    return map;
}

}  // namespace kv
