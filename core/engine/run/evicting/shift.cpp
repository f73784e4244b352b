#include "core/engine/run/evicting/shift.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/base/error.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/engine/reference/rope.hpp"

namespace kv {
namespace {

class KeyShifter {
public:
    KeyShifter(Backend& backend, const ModelConfig& config, const Codec& codec)
        : backend_(backend),
          codec_(codec),
          frequencies_(rope_frequencies(config)),
          bytes_(backend.layout().k.bytes),
          key_(backend.layout().k.dim) {}

    // The keys of one slot, of all layers and heads. Answers how many bytes it wrote.
    std::uint64_t rotate_back(BlockId block, Slot slot, std::uint32_t by) {
        const KvLayout& layout = backend_.layout();
        for (std::uint32_t l = 0; l < layout.n_layers; ++l)
            for (std::uint32_t h = 0; h < layout.n_kv_heads; ++h) {
                const LayerId layer(l);
                const std::uint64_t at =
                    layout.vector_offset(layer, Side::K, HeadId(h), block, slot);
                const SharedScale scale = backend_.shared_scale(layer, Side::K);
                backend_.read_pool(at, bytes_);
                decode_vector(codec_, bytes_.data(), layout.k.dim, key_.data(), scale);
                rotate_head(key_.data(), frequencies_, -std::int64_t{by});
                encode_vector(codec_, key_.data(), layout.k.dim, bytes_.data(), scale);
                backend_.write_pool(at, bytes_);
            }
        return std::uint64_t{layout.n_layers} * layout.n_kv_heads * layout.k.bytes;
    }

private:
    Backend& backend_;
    Codec codec_;
    std::vector<double> frequencies_;
    std::vector<std::byte> bytes_;
    std::vector<float> key_;
};

}  // namespace

std::vector<ShiftedBlock> shift_keys(RunPool& pool, const ModelConfig& config, const Codec& keys,
                                     SeqId id, std::span<const std::uint32_t> kept,
                                     std::span<const std::uint32_t> dropped) {
    const std::uint32_t size = pool.backend().layout().block_size;
    KeyShifter shifter(pool.backend(), config, keys);
    std::map<std::uint32_t, ShiftedBlock> blocks;  // by entry of the table
    for (const std::uint32_t position : kept) {
        const auto by = static_cast<std::uint32_t>(
            std::lower_bound(dropped.begin(), dropped.end(), position) - dropped.begin());
        if (by == 0) continue;
        const std::uint32_t slot = pool.cache().slots(id).slot_of(position), entry = slot / size;
        const auto block = pool.cache().table(id)[entry];
        KV_ASSERT(block.has_value());
        ShiftedBlock& shifted = blocks[entry];
        shifted.what.block = *block;
        shifted.what.slots = std::max(shifted.what.slots, slot % size + 1);
        shifted.what.bytes += shifter.rotate_back(*block, Slot(slot % size), by);
        ++shifted.n_keys;
        shifted.by = std::max<std::uint64_t>(shifted.by, by);
    }
    std::vector<ShiftedBlock> in_order;
    in_order.reserve(blocks.size());
    for (const auto& [entry, shifted] : blocks) in_order.push_back(shifted);
    return in_order;
}

}  // namespace kv
