#include "core/cache/tiers/swap.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

const std::vector<std::uint32_t>& Swap::places(SeqId id) const {
    static const std::vector<std::uint32_t> kNone;
    const auto found = swapped_.find(id.value);
    return found == swapped_.end() ? kNone : found->second.places;
}

bool Swap::is_loading(SeqId id) const {
    const auto found = swapped_.find(id.value);
    return found != swapped_.end() && found->second.loading;
}

// The last entry first, as when blocks are given back. Its block may not be full, so a place says
// how many slots it has.
void Swap::copy_out(SeqId id, const CachedSequence& s, const Reason& reason) {
    std::vector<std::uint32_t> places(spec_.entries_for(s.stored));
    for (auto entry = static_cast<std::uint32_t>(places.size()); entry-- > 0;) {
        const std::optional<BlockId> block = s.tables[0][entry];
        const std::uint32_t slots = s.filled_slots(kOnlyLane, entry, spec_.block_size);
        KV_ASSERT(block.has_value() && device_.filled(kOnlyLane, *block) >= slots);
        const bool has_place = tiers_.next_free() || cold_.make_place();
        KV_ASSERT(has_place);
        places[entry] = *tiers_.next_free();
        tiers_.take(places[entry], id, entry, slots);
        transfers_.move_at_once(id, reason, transfers_.to_place(*block, places[entry]));
    }
    swapped_[id.value].places = std::move(places);
}

void Swap::begin_load(SeqId id, std::uint32_t entry, BlockId block) {
    Swapped& swapped = swapped_.at(id.value);
    swapped.loading = true;
    const std::uint32_t place = swapped.places[entry];
    tiers_.leave(place);
    transfers_.begin(id, {Why::ComesBack, id}, transfers_.to_device(place, block));
}

void Swap::finish_loads(SeqId id, const CachedSequence& s) {
    KV_ASSERT(is_loading(id));
    for (std::uint32_t entry = 0; entry < places(id).size(); ++entry) {
        const std::uint32_t place = places(id)[entry];
        transfers_.finish(id, {Why::ComesBack, id},
                          transfers_.to_device(place, *s.tables[0][entry]));
        tiers_.release(place);
    }
    swapped_.erase(id.value);
}

void Swap::give_up(SeqId id, const Reason& reason) {
    for (const std::uint32_t place : places(id)) {
        tiers_.release(place);
        log_.tell(id, reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
    }
    swapped_.erase(id.value);
}

}  // namespace kv
