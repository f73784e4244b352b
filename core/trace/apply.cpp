// apply(state, event), declared in snapshot.hpp and the only code that changes a Snapshot. A run at
// any moment is its events applied in order, from nothing or from a keyframe (Trace::at).

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {
namespace {

void remove(std::vector<SeqId>& from, SeqId request) {
    std::erase(from, request);
}

// One overload for each kind of event: what it does to the state, and nothing else.
class Apply {
public:
    Apply(Snapshot& state, const Event& event) : s_(state), event_(event) {}

    void operator()(const PoolMade& e) {
        s_.block_size = e.block_size;
        s_.lanes.assign(e.n_lanes, fresh_lane(e));
        s_.host = SharedArray<PlaceView>(e.n_host, {});
        s_.file = SharedArray<PlaceView>(e.n_file, {});
        for (std::size_t r = 0; r < s_.requests.size(); ++r)
            if (s_.requests[r].tables.size() != e.n_lanes) {
                s_.requests.edit(r).tables.assign(e.n_lanes, {});
                s_.requests.edit(r).slots.assign(e.n_lanes, {});
            }
    }
    void operator()(const IterationStarted&) {
        s_.iteration = event_.iteration;
        s_.in_iteration = true;
        s_.operation.reset();
    }
    // The clock also moves when there is nothing to do; such iterations do not count.
    void operator()(const IterationFinished& e) {
        s_.in_iteration = false;
        s_.operation.reset();
        if (e.tokens > 0 || !s_.running.empty() || !s_.waiting.empty()) ++s_.counters.iterations;
    }

    void operator()(const RequestArrived& e) {
        RequestView view;
        view.name = e.name;
        view.tokens = SharedArray<std::uint32_t>(e.prompt);
        view.n_prompt = static_cast<std::uint32_t>(e.prompt.size());
        view.max_new = e.max_new;
        view.priority = e.priority;
        view.parent = e.parent;
        view.arrived = event_.iteration;
        view.tables.resize(s_.lanes.size());
        view.slots.resize(s_.lanes.size());
        KV_ASSERT(id().index() == s_.requests.size());
        s_.requests.push_back(std::move(view));
        s_.waiting.push_back(id());
        s_.counters.prompt_tokens += e.prompt.size();
    }
    void operator()(const RequestWaits&) { request().waits = event_.reason; }
    void operator()(const RequestAdmitted& e) {
        RequestView& r = request();
        r.state = RequestState::Running;
        r.waits.reset();
        r.swapped = false;
        if (!r.admitted) {
            r.admitted = event_.iteration;
            r.cached_prompt = e.found;
        }
        r.stored = e.found;
        s_.counters.prefix_queries += e.looked_up;
        if (e.looked_up > 0) s_.counters.prefix_hits += e.found;
        remove(s_.waiting, id());
        s_.running.push_back(id());
    }
    void operator()(const TokensScheduled& e) {
        request().scheduled = e.count;
        request().draft.reset();
    }
    void operator()(const TokensStored& e) {
        RequestView& r = request();
        r.scheduled = 0;
        r.stored = e.first + e.count;
        for (std::uint32_t lane = 0; lane < s_.lanes.size(); ++lane) {
            const SlotMap& slots = r.slots[lane];
            fill_slots(r, LaneId(lane), slots.slots_taken(e.first), slots.slots_taken(r.stored));
        }
    }
    void operator()(const TokenAdded& e) {
        RequestView& r = request();
        r.tokens.push_back(e.token);
        if (event_.reason.why == Why::Forced) {
            ++r.n_forced;
            return;
        }
        if (!r.first_token) r.first_token = event_.iteration;
        ++r.n_new;
        ++s_.counters.new_tokens;
    }
    // A request that waits or is paused can lose the blocks that it holds, too; it keeps its place.
    void operator()(const RequestPreempted& e) {
        RequestView& r = request();
        r.scheduled = 0;
        r.draft.reset();
        ++r.preemptions;
        ++s_.counters.preemptions;
        r.swapped = e.swapped;
        if (!e.swapped) {
            s_.counters.tokens_recomputed += r.stored;
            r.stored = 0;
        }
        if (r.state != RequestState::Running) return;
        r.state = RequestState::Preempted;
        remove(s_.running, id());
        s_.waiting.insert(s_.waiting.begin(), id());
    }
    void operator()(const RequestPaused& e) {
        request().state = RequestState::Paused;
        request().swapped = e.swapped;
        request().waits.reset();
        request().scheduled = 0;
        remove(s_.running, id());
        remove(s_.waiting, id());
        s_.paused.push_back(id());
    }
    void operator()(const RequestResumed&) {
        request().state = request().admitted ? RequestState::Preempted : RequestState::Waiting;
        remove(s_.paused, id());
        s_.waiting.push_back(id());
    }
    void operator()(const PriorityChanged& e) { request().priority = e.priority; }
    void operator()(const RequestFinished& e) {
        RequestView& r = request();
        r.state = e.finish == Finish::Refused ? RequestState::Refused : RequestState::Finished;
        r.finish = e.finish;
        r.ended = event_.iteration;
        r.scheduled = 0;
        r.swapped = false;
        r.waits.reset();
        remove(s_.running, id());
        remove(s_.waiting, id());
        remove(s_.paused, id());
    }

    void operator()(const BlockAllocated& e) {
        set_filled(e.lane, e.block, 0);
        take(e.lane, e.block);
        hold(e.lane, e.block, e.entry);
        ++s_.counters.blocks_allocated;
    }
    void operator()(const BlockShared& e) {
        if (block(e.lane, e.block).state() != BlockState::Used) take(e.lane, e.block);
        hold(e.lane, e.block, e.entry);
        recount_dead(e.lane, e.block, e.entry);
    }
    void operator()(const BlockCopied& e) {
        take(e.lane, e.to);
        lose_holder(e.lane, e.from);
        hold(e.lane, e.to, e.entry);
        set_filled(e.lane, e.to, e.slots);
        recount_dead(e.lane, e.from, e.entry);
        recount_dead(e.lane, e.to, e.entry);
        ++s_.counters.blocks_allocated;
        ++s_.counters.block_copies;
        s_.counters.bytes_copied += e.bytes;
    }
    void operator()(const BlockRecoded& e) { s_.counters.bytes_copied += e.bytes; }
    void operator()(const BlockFreed& e) {
        Table& table = request().tables[e.lane.index()];
        table.edit(e.entry).reset();
        // What was dropped leaves a hole; what goes back with the request leaves nothing.
        const bool hole = event_.reason.why == Why::AllDropped;
        while (!hole && !table.empty() && !table.back()) table.pop_back();
        if (table.empty()) request().slots[e.lane.index()] = {};
        if (event_.reason.why == Why::NothingKept) request().stored = 0;
        let_go(e.lane, e.block, e.entry, e.to_head);
    }
    void operator()(const TokensDropped& e) {
        RequestView& r = request();
        s_.counters.tokens_dropped += e.slots.size();
        for (const std::uint32_t slot : e.slots) {
            r.slots[e.lane.index()].drop(slot);
            const std::uint32_t entry = slot / s_.block_size;
            recount_dead(e.lane, *r.tables[e.lane.index()][entry], entry);
        }
    }
    void operator()(const SlotsMoved& e) {
        RequestView& r = request();
        const Table old = r.tables[e.lane.index()];
        r.tables[e.lane.index()] = {};
        auto left = static_cast<std::uint32_t>(e.slots.size());
        for (std::uint32_t entry = 0; entry < e.to.size(); ++entry) {
            const BlockId to(e.to[entry]);
            take(e.lane, to);
            hold(e.lane, to, entry);
            set_filled(e.lane, to, std::min(left, s_.block_size));
            left -= std::min(left, s_.block_size);
        }
        r.slots[e.lane.index()].move_together(r.stored);
        for (auto entry = static_cast<std::uint32_t>(old.size()); entry-- > 0;)
            if (old[entry]) let_go(e.lane, *old[entry], entry, e.to_head);
        s_.counters.slots_copied += e.slots.size();
        s_.counters.bytes_copied += e.bytes;
        s_.counters.blocks_allocated += e.to.size();
    }
    void operator()(const BlocksRead&) {}

    void operator()(const DraftProposed& e) {
        request().draft = DraftView{
            .source = e.source, .first = e.first, .tokens = e.tokens, .from = e.from, .own = {}};
        s_.counters.drafter_flops += e.flops;
        s_.counters.drafter_bytes += e.bytes_read;
    }
    void operator()(const DraftVerified& e) {
        DraftView& draft = *request().draft;
        draft.verified = true;
        draft.accepted = e.accepted;
        draft.struck = e.struck;
        draft.behind = e.behind;
        if (e.tokens.size() > e.accepted) draft.own = e.tokens.back();
        ++s_.counters.drafts;
        s_.counters.draft_accepted += e.accepted;
        s_.counters.draft_struck += e.struck;
        s_.counters.draft_behind += e.behind;
        s_.counters.draft_tokens += e.tokens.size();
    }
    void operator()(const DrafterMade& e) {
        for (std::size_t r = 0; r < s_.requests.size(); ++r) {
            if (s_.requests[r].drafter_blocks.empty()) continue;
            s_.requests.edit(r).drafter_stored = 0;
            s_.requests.edit(r).drafter_blocks.clear();
        }
        s_.drafter.reset();
        if (e.n_blocks > 0)
            s_.drafter = DrafterView{.model = e.model,
                                     .n_blocks = e.n_blocks,
                                     .block_size = e.block_size,
                                     .block_bytes = e.block_bytes};
    }
    void operator()(const DrafterHolds& e) {
        request().drafter_stored = e.stored;
        request().drafter_blocks = e.blocks;
    }

    void operator()(const BlockStored& e) {
        if (e.medium != Medium::Device) return;
        for (std::size_t i = 0; i < e.blocks.size(); ++i) {
            const LaneId lane(static_cast<std::uint32_t>(i % s_.lanes.size()));
            BlockView& b = block(lane, BlockId(e.blocks[i]));
            // A recording of a server tells of no holders: its block is free until it is stored,
            // and whole from then on. A block of the engine is held when it is published.
            const bool recorded = b.state() == BlockState::Free;
            b.hash = e.block_hashes[i / s_.lanes.size()];
            if (!recorded) continue;
            b.filled = e.block_size;
            ++s_.lanes[lane.index()].cached;
        }
    }
    void operator()(const BlockRemoved& e) {
        if (e.medium != Medium::Device) return;
        for (std::size_t i = 0; i < e.blocks.size(); ++i) {
            const LaneId lane(static_cast<std::uint32_t>(i % s_.lanes.size()));
            forget(lane, BlockId(e.blocks[i]));
            if (e.to_head) move_to_head(lane, BlockId(e.blocks[i]));
        }
        if (event_.reason.why == Why::ReclaimedFor) s_.counters.blocks_reclaimed += e.blocks.size();
    }
    void operator()(const AllBlocksCleared&) {
        for (std::uint32_t lane = 0; lane < s_.lanes.size(); ++lane)
            for (std::uint32_t b = 0; b < s_.lanes[lane].blocks.size(); ++b)
                if (s_.lanes[lane].blocks[b].hash) forget(LaneId(lane), BlockId(b));
    }

    void operator()(const TransferStarted& e) {
        if (e.from == Medium::Device) pin(BlockId(e.from_id));
        if (e.to == Medium::Device) pin(BlockId(e.to_id));
        if (e.from != Medium::Device) place(e.from, e.from_id).state = PlaceState::Leaving;
        if (e.to == Medium::Device) return;
        place(e.to, e.to_id) = {.state = PlaceState::Arriving,
                                .request = event_.request,
                                .entry = e.entry,
                                .slots = e.slots,
                                .hash = e.hash};
    }
    void operator()(const TransferFinished& e) {
        if (e.from == Medium::Device) {
            unpin(BlockId(e.from_id));
            ++s_.counters.blocks_offloaded;
        }
        if (e.to == Medium::Device) {
            set_filled(LaneId(0), BlockId(e.to_id), place(e.from, e.from_id).slots);
            unpin(BlockId(e.to_id));
            ++s_.counters.blocks_loaded;
        }
        if (e.from != Medium::Device) place(e.from, e.from_id) = {};
        if (e.to == Medium::Device) return;
        place(e.to, e.to_id).state = PlaceState::Held;
        place(e.to, e.to_id).checksum = e.checksum;
    }
    void operator()(const TierPlaceFreed& e) { place(e.medium, e.id) = {}; }

    void operator()(const Operation& e) { s_.operation = e; }
    void operator()(const SettingChanged& e) { s_.settings[e.setting] = e.value; }
    void operator()(const CommandRefused&) {}

private:
    static LaneView fresh_lane(const PoolMade& e) {
        LaneView lane;
        lane.blocks = SharedArray<BlockView>(e.n_blocks, {});
        std::vector<bool> given(e.n_blocks);
        std::int64_t ticket = 0;
        for (const std::uint32_t b : e.free_list) {
            lane.blocks.edit(b).ticket = ticket++;
            given[b] = true;
        }
        for (std::uint32_t b = 0; b < e.n_blocks; ++b)
            if (!given[b]) lane.blocks.edit(b).ticket = ticket++;
        lane.last_ticket = ticket;
        return lane;
    }

    SeqId id() const {
        KV_ASSERT(event_.request.has_value());
        return *event_.request;
    }
    RequestView& request() { return s_.requests.edit(id().index()); }
    BlockView& block(LaneId lane, BlockId b) { return s_.lanes[lane.index()].blocks.edit(b.value); }
    PlaceView& place(Medium medium, std::uint32_t i) {
        return medium == Medium::Host ? s_.host.edit(i) : s_.file.edit(i);
    }

    // Out of the free list, and counted as used from here on.
    void take(LaneId lane, BlockId b) {
        BlockView& view = block(lane, b);
        KV_ASSERT(view.state() != BlockState::Used);
        if (view.state() == BlockState::Cached) --s_.lanes[lane.index()].cached;
        ++s_.lanes[lane.index()].used;
        s_.lanes[lane.index()].live += view.filled;
        view.ticket = 0;
    }
    void hold(LaneId lane, BlockId b, std::uint32_t entry) {
        if (++block(lane, b).ref_count == 2) ++s_.lanes[lane.index()].shared;
        Table& table = request().tables[lane.index()];
        while (table.size() <= entry) table.push_back(std::nullopt);
        table.edit(entry) = b;
    }
    BlockView& lose_holder(LaneId lane, BlockId b) {
        BlockView& view = block(lane, b);
        KV_ASSERT(view.ref_count > 0);
        if (--view.ref_count == 1) --s_.lanes[lane.index()].shared;
        return view;
    }
    void let_go(LaneId lane, BlockId b, std::uint32_t entry, bool to_head) {
        if (lose_holder(lane, b).state() != BlockState::Used)
            give_back(lane, b, to_head);
        else
            recount_dead(lane, b, entry);
    }
    // A slot is dead when all who hold its block have dropped it. A block that is shared has the
    // same place in all tables.
    void recount_dead(LaneId lane, BlockId b, std::uint32_t entry) {
        if (s_.counters.tokens_dropped == 0) return;  // most runs: nobody has to be asked
        std::uint32_t dead = 0;
        for (std::uint32_t i = 0; i < block(lane, b).filled; ++i)
            dead += dropped_by_all(lane, b, entry, i) ? 1 : 0;
        // Unsigned: a difference below zero wraps round, and the sum wraps back.
        BlockView& view = block(lane, b);
        LaneView& all = s_.lanes[lane.index()];
        all.dead += dead - std::uint64_t{view.dead};
        all.live -= dead - std::uint64_t{view.dead};
        view.dead = dead;
    }
    bool dropped_by_all(LaneId lane, BlockId b, std::uint32_t entry, std::uint32_t i) const {
        std::uint32_t left = s_.lanes[lane.index()].blocks[b.index()].ref_count;
        if (holds(*event_.request, lane, b, entry)) {  // mostly nobody else has it
            if (!drops(*event_.request, lane, entry, i)) return false;
            if (--left == 0) return true;
        }
        for (std::uint32_t r = 0; r < s_.requests.size() && left > 0; ++r)
            if (SeqId(r) != *event_.request && holds(SeqId(r), lane, b, entry)) {
                if (!drops(SeqId(r), lane, entry, i)) return false;
                --left;
            }
        return left == 0;
    }
    bool holds(SeqId r, LaneId lane, BlockId b, std::uint32_t entry) const {
        const Table& table = s_.requests[r.index()].tables[lane.index()];
        return entry < table.size() && table[entry] == b;
    }
    bool drops(SeqId r, LaneId lane, std::uint32_t entry, std::uint32_t i) const {
        return s_.requests[r.index()].slots[lane.index()].is_dropped(entry * s_.block_size + i);
    }
    // The block goes into the free list: to its tail, or to its head to be the next one taken.
    void give_back(LaneId lane, BlockId b, bool to_head) {
        LaneView& view = s_.lanes[lane.index()];
        BlockView& freed = view.blocks.edit(b.value);
        freed.ticket = to_head ? --view.first_ticket : view.last_ticket++;
        --view.used;
        view.live -= freed.filled - freed.dead;
        view.dead -= freed.dead;
        freed.dead = 0;
        if (freed.hash)
            ++view.cached;
        else
            freed.filled = 0;
    }
    void set_filled(LaneId lane, BlockId b, std::uint32_t slots) {
        BlockView& view = block(lane, b);
        if (view.state() == BlockState::Used)  // wraps round and back as in recount_dead()
            s_.lanes[lane.index()].live += slots - std::uint64_t{view.filled};
        view.filled = slots;
    }
    void forget(LaneId lane, BlockId b) {
        BlockView& view = block(lane, b);
        if (view.state() == BlockState::Cached) {
            --s_.lanes[lane.index()].cached;
            view.filled = 0;
        }
        view.hash.reset();
    }
    void move_to_head(LaneId lane, BlockId b) {
        KV_ASSERT(block(lane, b).state() != BlockState::Used);
        block(lane, b).ticket = --s_.lanes[lane.index()].first_ticket;
    }
    // A cached block that is copied out keeps its place in the free list: it is taken from there
    // next.
    void pin(BlockId b) { ++block(LaneId(0), b).pins; }
    void unpin(BlockId b) {
        BlockView& view = block(LaneId(0), b);
        KV_ASSERT(view.pins > 0);
        --view.pins;
    }
    // Slots [first, end) of the request's table hold tokens now. Of each block that has some of
    // them the filled slots go up to the last one.
    void fill_slots(const RequestView& r, LaneId lane, std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t at = first; at < end;) {
            const std::uint32_t entry = at / s_.block_size;
            const std::uint32_t stop = std::min(end, (entry + 1) * s_.block_size);
            if (const TableEntry& b = r.tables[lane.index()][entry]) {
                const std::uint32_t had = s_.lanes[lane.index()].blocks[b->value].filled;
                set_filled(lane, *b, std::max(had, stop - entry * s_.block_size));
            }
            at = stop;
        }
    }

    Snapshot& s_;
    const Event& event_;
};

}  // namespace

void apply(Snapshot& snapshot, const Event& event) {
    std::visit(Apply(snapshot, event), event.what);
}

}  // namespace kv
