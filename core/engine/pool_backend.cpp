#include "core/engine/pool_backend.hpp"

#include <cstring>

#include "core/base/error.hpp"

namespace kv {

PoolBackend::PoolBackend(const ModelConfig& config, const PoolSpec& pool)
    : spec_(pool), pool_(layout_of(config, pool), pool.k, pool.v) {}

void PoolBackend::read_pool(std::uint64_t offset, std::span<std::byte> out) const {
    KV_ASSERT(offset <= layout().pool_bytes() && out.size() <= layout().pool_bytes() - offset);
    std::memcpy(out.data(), pool_.bytes() + offset, out.size());
}

void PoolBackend::write_pool(std::uint64_t offset, std::span<const std::byte> bytes) {
    KV_ASSERT(offset <= layout().pool_bytes() && bytes.size() <= layout().pool_bytes() - offset);
    std::memcpy(pool_.bytes() + offset, bytes.data(), bytes.size());
}

void PoolBackend::copy_blocks(std::span<const std::pair<BlockId, BlockId>> from_to) {
    for (const auto& [from, to] : from_to)
        for (std::uint32_t layer = 0; layer < layout().n_layers; ++layer)
            for (const KvSide side : {KvSide::K, KvSide::V})
                std::memcpy(pool_.vector(LayerId(layer), side, HeadId(0), to, Slot(0)),
                            pool_.vector(LayerId(layer), side, HeadId(0), from, Slot(0)),
                            layout().block_bytes(side));
}

PoolBackend::At PoolBackend::place(const SequenceWork& work, LayerId layer, HeadId head,
                                   std::uint32_t slot) const {
    const std::vector<BlockId>& table = work.tables->of(layer, head);
    const std::uint32_t entry = slot / layout().block_size;
    KV_ASSERT(entry < table.size() && table[entry].value < layout().n_blocks);
    return {table[entry], Slot(slot % layout().block_size)};
}

void copy_shared_scales(const Backend& from, Backend& to) {
    for (std::uint32_t layer = 0; layer < to.layout().n_layers; ++layer)
        for (const KvSide side : {KvSide::K, KvSide::V})
            to.set_shared_scale(LayerId(layer), side, from.shared_scale(LayerId(layer), side));
}

std::uint32_t first_visible(const ModelConfig& config, LayerId layer, std::uint32_t slot) {
    if (!config.sliding_window || !config.sliding_layers[layer.index()]) return 0;
    const u64 window = *config.sliding_window;
    return slot + 1 > window ? static_cast<std::uint32_t>(slot + 1 - window) : 0;
}

}  // namespace kv
