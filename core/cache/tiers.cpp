// What moves between the tiers: requests that are swapped out and come back, and cached blocks that
// are kept below the device instead of being forgotten.

#include <utility>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/cache.hpp"
#include "core/cache/tell.hpp"

namespace kv {

// Begins and ends one transfer. Both ends are in the books already; while it runs the block on the
// device is pinned.
void Cache::carry_out(std::optional<SeqId> id, const Reason& reason,
                      const TransferStarted& transfer) {
    const auto told = [&](EventBody what) {
        if (log_ != nullptr) log_->append({iteration_, id, reason, std::move(what)});
    };
    const bool device_from = transfer.from == Medium::Device,
               device_to = transfer.to == Medium::Device;
    const auto unpin = [&] {
        if (device_from) pools_[0].unpin(BlockId(transfer.from_id));
        if (device_to) pools_[0].unpin(BlockId(transfer.to_id));
    };
    if (device_from) pools_[0].pin(BlockId(transfer.from_id));
    if (device_to) pools_[0].pin(BlockId(transfer.to_id));
    told(transfer);
    MoveResult result;
    if (planted(PlantedBug::PinDroppedEarly)) unpin();
    if (mover_ != nullptr)
        result = mover_->move(
            {transfer.from, transfer.to, transfer.from_id, transfer.to_id, transfer.slots});
    if (!planted(PlantedBug::PinDroppedEarly)) unpin();
    if (!device_from) check_arrival(transfer.from, transfer.from_id, result);
    if (device_to) filled_[0][transfer.to_id] = transfer.slots;
    if (!device_to) tiers_.arrived(tiers_.place(transfer.to, transfer.to_id), result.checksum);
    told(TransferFinished{.from = transfer.from,
                          .to = transfer.to,
                          .from_id = transfer.from_id,
                          .to_id = transfer.to_id,
                          .checksum = result.checksum,
                          .model_us = result.model_us,
                          .us = result.us});
}

// What comes out of a place is what went in.
void Cache::check_arrival(Medium from, std::uint32_t from_id, const MoveResult& result) const {
    if (mover_ != nullptr)
        KV_ASSERT(result.checksum == tiers_[tiers_.place(from, from_id)].checksum);
}

BlockStored Cache::stored_in(PrefixId node, Medium medium,
                             std::vector<std::uint32_t> blocks) const {
    const auto tokens = index_.tokens(node);
    const PrefixId parent = *index_.parent(node);
    BlockStored stored{{index_.hash(node)}, {},     {tokens.begin(), tokens.end()},
                       spec_.block_size,    medium, std::move(blocks)};
    if (!index_.is_root(parent)) stored.parent_block_hash = index_.hash(parent);
    return stored;
}

// A cached place makes room, one of the file before one of the host.
bool Cache::make_place() {
    if (tiers_.next_free()) return true;
    for (const Medium tier : {Medium::File, Medium::Host})
        if (const auto place = tiers_.oldest_cached(tier)) {
            give_up(*place);
            return true;
        }
    return false;
}

void Cache::give_up(std::uint32_t place) {
    const PrefixId node = *tiers_[place].node;
    const std::uint64_t hash = index_.hash(node);
    tiers_.release(place);
    index_.drop_place(node);
    const Reason reason{Why::TierFull};
    tell(reason, BlockRemoved{{hash}, tiers_.medium(place), {}});
    tell(reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
}

// Its place in the host becomes free; the content goes on to the file.
void Cache::sink_to_file(std::uint32_t place) {
    if (!tiers_.next_free(Medium::File))
        if (const auto oldest = tiers_.oldest_cached(Medium::File)) give_up(*oldest);
    const auto below = tiers_.next_free(Medium::File);
    if (!below) return give_up(place);
    const PrefixId node = *tiers_[place].node;
    const std::uint32_t slots = tiers_[place].slots;
    tiers_.leave(place);
    tiers_.take(*below, node, slots);
    carry_out({}, {Why::TierFull},
              {Medium::Host, Medium::File, tiers_.number(place), tiers_.number(*below), 0,
               index_.hash(node), slots, spec_.block_bytes});
    tiers_.release(place);
    index_.set_place(node, *below);
}

void Cache::keep_in_host(BlockId block, PrefixId node) {
    if (!tiers_.next_free(Medium::Host))
        if (const auto oldest = tiers_.oldest_cached(Medium::Host)) sink_to_file(*oldest);
    const auto place = tiers_.next_free(Medium::Host);
    if (!place) return;
    tiers_.take(*place, node, spec_.block_size);
    const Reason reason{Why::Cold};
    carry_out({}, reason,
              {Medium::Device, Medium::Host, block.value, tiers_.number(*place), 0,
               index_.hash(node), spec_.block_size, spec_.block_bytes});
    index_.set_place(node, *place);
    tell(reason, stored_in(node, Medium::Host, {}));
}

// A block found in a lower tier comes back into one from the free list.
void Cache::load_hit(SeqId id, const Prefix::Hit& hit, std::uint32_t entry) {
    const Reason reason{Why::HitInHost, id};
    const std::uint32_t place = *hit.place, slots = tiers_[place].slots;
    const BlockId block = take_block(id, LaneId(0));
    enter(id, LaneId(0), entry, block);
    tell(id, reason, BlockAllocated{LaneId(0), block, entry});
    carry_out(id, reason,
              {tiers_.medium(place), Medium::Device, tiers_.number(place), block.value, entry,
               index_.hash(hit.node), slots, spec_.block_bytes});
    index_.add_copy(hit.node, block);
    index_.drop_place(hit.node);
    tiers_.release(place);
    tell(id, reason, stored_in(hit.node, Medium::Device, {block.value}));
}

void Cache::swap_out(SeqId id, const Reason& reason) {
    withdraw_uncomputed(id);
    unlock_tree(id);
    KV_ASSERT(can_swap(id) && !is_swapped(id) && places_needed(id) <= places_free());
    const std::uint32_t stored = of(id).stored;
    std::vector<std::uint32_t> places(entries_for(stored));
    for (auto entry = static_cast<std::uint32_t>(places.size()); entry-- > 0;) {
        const std::optional<BlockId> block = of(id).tables[0][entry];
        const std::uint32_t slots = filled_slots(of(id), 0, entry);
        KV_ASSERT(block.has_value() && filled_[0][block->index()] >= slots);
        KV_ASSERT(make_place());
        places[entry] = *tiers_.next_free();
        tiers_.take(places[entry], id, entry, slots);
        carry_out(id, reason,
                  {Medium::Device,
                   tiers_.medium(places[entry]),
                   block->value,
                   tiers_.number(places[entry]),
                   entry,
                   {},
                   slots,
                   spec_.block_bytes});
    }
    give_back_blocks(id, reason);
    Sequence& s = of(id);
    s.places = std::move(places);
    s.published = 0;
    s.chain = s.root;
}

void Cache::begin_loads(SeqId id) {
    KV_ASSERT(is_swapped(id) && !is_loading(id));
    const Reason reason{Why::ComesBack, id};
    const std::vector<std::uint32_t> places = of(id).places;
    for (std::uint32_t entry = 0; entry < places.size(); ++entry) {
        const BlockId block = take_block(id, LaneId(0));
        enter(id, LaneId(0), entry, block);
        tell(id, reason, BlockAllocated{LaneId(0), block, entry});
        pools_[0].pin(block);
        tiers_.leave(places[entry]);
        tell(id, reason,
             TransferStarted{.from = tiers_.medium(places[entry]),
                             .to = Medium::Device,
                             .from_id = tiers_.number(places[entry]),
                             .to_id = block.value,
                             .entry = entry,
                             .slots = tiers_[places[entry]].slots,
                             .bytes = spec_.block_bytes});
    }
    of(id).loading = true;
}

void Cache::finish_loads(SeqId id) {
    KV_ASSERT(is_loading(id));
    Sequence& s = of(id);
    for (std::uint32_t entry = 0; entry < s.places.size(); ++entry) {
        const std::uint32_t place = s.places[entry], slots = tiers_[place].slots;
        const BlockId block = *s.tables[0][entry];
        MoveResult result;
        if (mover_ != nullptr)
            result = mover_->move(
                {tiers_.medium(place), Medium::Device, tiers_.number(place), block.value, slots});
        check_arrival(tiers_.medium(place), tiers_.number(place), result);
        pools_[0].unpin(block);
        filled_[0][block.index()] = slots;
        tell(id, {Why::ComesBack, id},
             TransferFinished{.from = tiers_.medium(place),
                              .to = Medium::Device,
                              .from_id = tiers_.number(place),
                              .to_id = block.value,
                              .checksum = result.checksum,
                              .model_us = result.model_us,
                              .us = result.us});
        tiers_.release(place);
    }
    s.places.clear();
    s.loading = false;
}

}  // namespace kv
