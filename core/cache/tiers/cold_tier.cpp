#include "core/cache/tiers/cold_tier.hpp"

#include <utility>

#include "core/trace/event/block_events.hpp"

namespace kv {

// What comes now was used more lately than whatever lies here already, so the one that is idle
// longest makes room for it, and goes a tier further down.
void ColdTier::keep(BlockId block, PrefixId node) {
    if (!tiers_.next_free(Medium::Host))
        if (const auto oldest = tiers_.oldest_cached(Medium::Host)) sink_to_file(*oldest);
    const auto place = tiers_.next_free(Medium::Host);
    if (!place) return;
    tiers_.take(*place, node, spec_.block_size);
    const Reason reason{Why::Cold};
    TransferStarted transfer = transfers_.to_place(block, *place);
    transfer.hash = index_.hash(node);
    transfers_.move_at_once({}, reason, transfer);
    index_.set_place(node, *place);
    log_.tell(reason, stored_in(node, Medium::Host, {}));
}

// The place in the host becomes free. What it held goes on to a place in the file; where there is
// no file, or swapped requests hold all its places, it is given up.
void ColdTier::sink_to_file(std::uint32_t place) {
    if (!tiers_.next_free(Medium::File))
        if (const auto oldest = tiers_.oldest_cached(Medium::File)) give_up(*oldest);
    const auto below = tiers_.next_free(Medium::File);
    if (!below) return give_up(place);
    const PrefixId node = *tiers_[place].node;
    const std::uint32_t slots = tiers_[place].slots;
    tiers_.leave(place);
    tiers_.take(*below, node, slots);
    transfers_.move_at_once({}, {Why::TierFull},
                            {.from = Medium::Host,
                             .to = Medium::File,
                             .from_id = tiers_.number(place),
                             .to_id = tiers_.number(*below),
                             .hash = index_.hash(node),
                             .slots = slots,
                             .bytes = spec_.block_bytes});
    tiers_.release(place);
    index_.set_place(node, *below);
}

void ColdTier::give_up(std::uint32_t place) {
    const PrefixId node = *tiers_[place].node;
    const std::uint64_t hash = index_.hash(node);
    tiers_.release(place);
    index_.drop_place(node);
    const Reason reason{Why::TierFull};
    log_.tell(reason, BlockRemoved{{hash}, tiers_.medium(place), {}});
    log_.tell(reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
}

bool ColdTier::make_place() {
    for (const Medium tier : {Medium::File, Medium::Host})
        if (const auto place = tiers_.oldest_cached(tier)) {
            give_up(*place);
            return true;
        }
    return false;
}

void ColdTier::bring_back(SeqId id, PrefixId node, std::uint32_t place, BlockId block,
                          std::uint32_t entry) {
    const Reason reason{Why::HitInHost, id};
    TransferStarted transfer = transfers_.to_device(place, block);
    transfer.entry = entry;
    transfer.hash = index_.hash(node);
    transfers_.move_at_once(id, reason, transfer);
    // The copy first: a node that has neither a copy nor a place leaves the index.
    index_.add_copy(node, block);
    index_.drop_place(node);
    tiers_.release(place);
    log_.tell(id, reason, stored_in(node, Medium::Device, {block.value}));
}

BlockStored ColdTier::stored_in(PrefixId node, Medium medium,
                                std::vector<std::uint32_t> blocks) const {
    const auto tokens = index_.tokens(node);
    const PrefixId parent = *index_.parent(node);
    BlockStored stored{.block_hashes = {index_.hash(node)},
                       .parent_block_hash = {},
                       .token_ids = {tokens.begin(), tokens.end()},
                       .block_size = spec_.block_size,
                       .medium = medium,
                       .blocks = std::move(blocks)};
    if (!index_.is_root(parent)) stored.parent_block_hash = index_.hash(parent);
    return stored;
}

void ColdTier::clear(const Reason& reason) {
    for (std::uint32_t place = 0; place < tiers_.size(); ++place)
        if (tiers_[place].node) {
            tiers_.release(place);
            log_.tell(reason, TierPlaceFreed{tiers_.medium(place), tiers_.number(place)});
        }
}

}  // namespace kv
