// The books as a snapshot of the trace shows them, read from their primary data.

#include "core/cache/cache.hpp"

namespace kv {

void Cache::observe(Snapshot& snapshot) const {
    snapshot.block_size = spec_.block_size;
    observe_blocks(snapshot);
    observe_places(snapshot);
    for (const auto& [id, s] : tables_.all()) {
        RequestView& request = snapshot.requests.edit(id);
        request.stored = s.stored;
        request.tables.clear();
        for (const auto& table : s.tables) request.tables.emplace_back(table);
        request.slots = s.slots;
        request.tokens = SharedArray<std::uint32_t>(s.tokens);
    }
    drops_.count_dead(snapshot);
}

void Cache::observe_blocks(Snapshot& snapshot) const {
    snapshot.lanes.assign(spec_.n_lanes, {});
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const BlockPool& pool = device_.pool(LaneId(l));
        LaneView& lane = snapshot.lanes[l];
        lane.blocks = SharedArray<BlockView>(spec_.n_blocks, {});
        lane.used = pool.size() - pool.n_free();
        lane.first_ticket = pool.first_ticket();
        lane.last_ticket = pool.last_ticket();
        for (std::uint32_t b = 0; b < spec_.n_blocks; ++b) {
            BlockView& view = lane.blocks.edit(b);
            const BlockId block(b);
            view.ref_count = pool.ref_count(block);
            view.pins = pool.pins(block);
            view.filled = device_.filled(LaneId(l), block);
            view.ticket = pool.ticket(block);
            if (LaneId(l) == kOnlyLane)
                if (const auto node = findable_.index().node_of(block))
                    view.hash = findable_.index().hash(*node);
            if (view.state() == BlockState::Cached) ++lane.cached;
            if (view.state() == BlockState::Used) lane.live += view.filled;
            if (view.ref_count > 1) ++lane.shared;
        }
    }
}

void Cache::observe_places(Snapshot& snapshot) const {
    snapshot.host = SharedArray<PlaceView>(spec_.n_host, {});
    snapshot.file = SharedArray<PlaceView>(spec_.n_file, {});
    for (std::uint32_t p = 0; p < tiers().size(); ++p) {
        const Tiers::Place& place = tiers()[p];
        auto& tier = tiers().medium(p) == Medium::Host ? snapshot.host : snapshot.file;
        PlaceView& view = tier.edit(tiers().number(p));
        view = {place.state, place.request, place.entry, place.slots, {}, place.checksum};
        if (place.node) view.hash = findable_.index().hash(*place.node);
    }
}

}  // namespace kv
