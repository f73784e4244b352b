// Positions "shift": stored keys stand at their rank in the cache and are rotated back where
// they lie whenever tokens before them are dropped, as some servers do. Each rotation rounds what
// the last one left, in the pool's own code; that is what it is there to show.

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/reference/rope.hpp"
#include "core/engine/run/engine.hpp"

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

// Where a step's new tokens stand among what is kept.
std::vector<std::uint32_t> Engine::ranks_of(const Planned& step) {
    const auto end = static_cast<std::uint32_t>(keeper_of(step.request).kept(LaneId(0)).size());
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = end - step.count; rank < end; ++rank) ranks.push_back(rank);
    return ranks;
}

// `dropped`: rising. What stood behind so many of them goes back by so many positions.
void Engine::shift_keys(SeqId id, const std::vector<std::uint32_t>& dropped) {
    const LaneId lane(0);
    const std::uint32_t size = settings_.block_size;
    KeyShifter shifter(*backend_, parts_.config, pool_spec_of(settings_, 1).k);
    struct Shifted {
        BlockRecoded what;
        std::uint64_t keys = 0, by = 0;
    };
    std::map<std::uint32_t, Shifted> blocks;  // by entry of the table
    for (const std::uint32_t position : keeper_of(id).kept(lane)) {
        const auto by = static_cast<std::uint32_t>(
            std::lower_bound(dropped.begin(), dropped.end(), position) - dropped.begin());
        if (by == 0) continue;
        const std::uint32_t slot = cache_->slots(id, lane).slot_of(position), entry = slot / size;
        const auto block = cache_->table(id, lane)[entry];
        KV_ASSERT(block.has_value());
        Shifted& shifted = blocks[entry];
        shifted.what.block = *block;
        shifted.what.slots = std::max(shifted.what.slots, slot % size + 1);
        shifted.what.bytes += shifter.rotate_back(*block, Slot(slot % size), by);
        ++shifted.keys;
        shifted.by = std::max<std::uint64_t>(shifted.by, by);
    }
    if (!blocks.empty()) request(id).recoded = true;
    for (const auto& [entry, shifted] : blocks)
        tell(id, Reason::keys_shifted(shifted.by, shifted.keys), shifted.what);
}

}  // namespace kv
