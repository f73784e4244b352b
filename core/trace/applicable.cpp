#include "core/trace/applicable.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

using Answer = std::optional<EventRefusal>;
const Answer kFine = std::nullopt;

constexpr std::uint32_t kMostLanes = 32'768;  // a table per layer and KV head: 128 x 256

Answer no(const char* field, std::string rule) {
    return EventRefusal{field, std::move(rule)};
}

std::string count(std::uint64_t n, const char* things) {
    return with_commas(n) + " " + things;
}

// One overload for each kind of event, as in apply.cpp: what has to hold before it may happen.
class Applicable {
public:
    Applicable(const Snapshot& state, const Event& event) : s_(state), event_(event) {}

    Answer operator()(const PoolMade& e) const {
        if (Answer wrong = pool_shape(e)) return wrong;
        std::vector<bool> given(e.n_blocks);
        for (const std::uint32_t b : e.free_list) {
            if (b >= e.n_blocks) return no("free_list", beyond(b, e.n_blocks, "blocks"));
            if (given[b]) return no("free_list", "names block " + with_commas(b) + " twice");
            given[b] = true;
        }
        for (const LaneView& lane : s_.lanes)
            if (lane.used > 0) return no("", "makes a new pool while blocks of the old are held");
        return kFine;
    }

    Answer operator()(const IterationStarted&) const {
        if (s_.in_iteration) return no("", "starts an iteration inside another");
        if (event_.iteration <= s_.iteration)
            return no("iteration", "has been: " + with_commas(s_.iteration) + " is over");
        return kFine;
    }
    Answer operator()(const IterationFinished&) const {
        if (!s_.in_iteration) return no("", "finishes an iteration that has not started");
        return kFine;
    }

    Answer operator()(const RequestArrived& e) const {
        if (!event_.request || event_.request->index() != s_.requests.size())
            return no("request", "is not the next new one");
        if (e.parent && e.parent->index() >= s_.requests.size())
            return no("parent", "has not arrived");
        if (e.prompt.size() > std::numeric_limits<std::uint32_t>::max() / 2)
            return no("prompt", "is too long");
        return kFine;
    }
    Answer operator()(const RequestWaits&) const { return going_on(); }
    Answer operator()(const RequestAdmitted& e) const {
        if (Answer wrong = in_state({RequestState::Waiting, RequestState::Preempted})) return wrong;
        const std::size_t known = request().tokens.size();
        if (e.looked_up > known) return no("looked_up", than_tokens(e.looked_up));
        if (e.found > known) return no("found", than_tokens(e.found));
        if (e.looked_up > 0 && e.found > e.looked_up)
            return no("found", "is more than the tokens that were looked up");
        return kFine;
    }
    Answer operator()(const TokensScheduled& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        return tokens_known(e.first, e.count);
    }
    Answer operator()(const TokensStored& e) const {
        // A fork has what it shares before it is admitted.
        const bool forks = event_.reason.why == Why::Fork;
        if (Answer wrong = forks ? going_on() : in_state({RequestState::Running})) return wrong;
        if (Answer wrong = tokens_known(e.first, e.count)) return wrong;
        if (s_.lanes.empty()) return no("", "stores tokens before there is a pool");
        if (e.count == 0) return kFine;
        const RequestView& r = request();
        for (std::size_t lane = 0; lane < r.tables.size(); ++lane) {
            const std::uint64_t n = r.slots[lane].slots_taken(e.first + e.count);
            if (n > r.tables[lane].size() * std::uint64_t{s_.block_size})
                return no("count", "reaches beyond the request's table");
        }
        return kFine;
    }
    Answer operator()(const TokenAdded&) const { return in_state({RequestState::Running}); }
    Answer operator()(const RequestPreempted&) const { return going_on(); }
    Answer operator()(const RequestPaused&) const {
        return in_state({RequestState::Running, RequestState::Waiting, RequestState::Preempted});
    }
    Answer operator()(const RequestResumed&) const { return in_state({RequestState::Paused}); }
    Answer operator()(const PriorityChanged&) const { return known(); }
    Answer operator()(const RequestFinished&) const { return going_on(); }

    Answer operator()(const BlockAllocated& e) const {
        if (Answer wrong = enters("block", e.lane, e.block, e.entry)) return wrong;
        return is_free("block", e.lane, e.block);
    }
    Answer operator()(const BlockShared& e) const {
        if (Answer wrong = enters("block", e.lane, e.block, e.entry)) return wrong;
        if (block(e.lane, e.block).state() == BlockState::Free)
            return no("block", with_commas(e.block.value) + " is free and holds nothing to share");
        return not_only_pinned("block", e.lane, e.block);
    }
    Answer operator()(const BlockCopied& e) const {
        if (Answer wrong = held("from", e.lane, e.from, e.entry)) return wrong;
        if (Answer wrong = in_pool("to", e.lane, e.to.value)) return wrong;
        if (Answer wrong = is_free("to", e.lane, e.to)) return wrong;
        if (block(e.lane, e.from).ref_count < 2)
            return no("from", with_commas(e.from.value) + " is shared with nobody");
        return slots_fit(e.slots);
    }
    Answer operator()(const BlockRecoded& e) const {
        if (Answer wrong = in_pool("block", e.lane, e.block.value)) return wrong;
        if (e.slots > block(e.lane, e.block).filled)
            return no("slots", "is " + with_commas(e.slots) + " and the block has filled " +
                                   with_commas(block(e.lane, e.block).filled));
        return kFine;
    }
    Answer operator()(const BlockFreed& e) const {
        if (Answer wrong = held("block", e.lane, e.block, e.entry)) return wrong;
        const BlockView& freed = block(e.lane, e.block);
        if (freed.ref_count == 1 && freed.pins > 0)
            return no("block", with_commas(e.block.value) + " has a transfer in flight");
        return kFine;
    }

    Answer operator()(const TokensDropped& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        if (Answer wrong = in_pool("lane", e.lane, 0)) return wrong;
        const std::size_t n = e.slots.size();
        if (e.spared > e.kept)
            return no("spared", "is " + with_commas(e.spared) + " of the " + with_commas(e.kept) +
                                    " that are kept");
        if (n == 0) return no("slots", "drops nothing");
        if (e.positions.size() != n || e.scores.size() != n || e.ranks.size() != n)
            return no("slots", "has another length than positions, scores or ranks");
        const SlotMap& slots = request().slots[e.lane.index()];
        const Table& table = request().tables[e.lane.index()];
        for (std::size_t i = 0; i < n; ++i) {
            if (e.slots[i] >= slots.slots_taken(request().stored))
                return no("slots", "has " + with_commas(e.slots[i]) + ", which holds no token");
            if (slots.is_dropped(e.slots[i]) || (i > 0 && e.slots[i] <= e.slots[i - 1]))
                return no("slots", "does not rise, or drops a token again");
            if (slots.token_in(e.slots[i]) != e.positions[i])
                return no("positions", "names a token that lies in another slot");
            const std::uint32_t entry = e.slots[i] / s_.block_size;
            if (entry >= table.size() || !table[entry])
                return no("slots", "has one whose block is gone");
        }
        return kFine;
    }
    Answer operator()(const SlotsMoved& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        if (Answer wrong = in_pool("lane", e.lane, 0)) return wrong;
        if (e.slots != request().slots[e.lane.index()].kept_slots(request().stored))
            return no("slots", "is not the slots of the tokens that are kept");
        if (e.to.size() != (e.slots.size() + s_.block_size - 1) / s_.block_size)
            return no("to", "has another number of blocks than the tokens need");
        std::vector<std::uint32_t> to = e.to;
        std::sort(to.begin(), to.end());
        if (std::adjacent_find(to.begin(), to.end()) != to.end())
            return no("to", "names a block twice");
        for (const std::uint32_t b : e.to) {
            if (Answer wrong = in_pool("to", e.lane, b)) return wrong;
            if (Answer wrong = is_free("to", e.lane, BlockId(b))) return wrong;
        }
        const Table& table = request().tables[e.lane.index()];
        for (std::size_t entry = 0; entry < table.size(); ++entry)
            if (table[entry] && block(e.lane, *table[entry]).pins > 0)
                return no("lane", "has a block with a transfer in flight");
        return kFine;
    }

    Answer operator()(const BlocksRead& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        std::uint64_t n = 0;
        for (const std::uint32_t count : e.counts) n += count;
        if (n != e.entries.size()) return no("counts", "does not add up to the entries");
        for (const std::uint32_t entry : e.entries)
            if (entry >= e.of) return no("entries", "names a block that there was not");
        return kFine;
    }

    Answer operator()(const DraftProposed& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        if (e.tokens.empty()) return no("tokens", "proposes nothing");
        if (e.first != request().tokens.size())
            return no("first", "is not the position behind the request's tokens");
        if (e.from && *e.from >= e.first) return no("from", "is no token before them");
        return kFine;
    }
    Answer operator()(const DraftVerified& e) const {
        if (Answer wrong = in_state({RequestState::Running})) return wrong;
        const std::optional<DraftView>& draft = request().draft;
        if (!draft || draft->verified) return no("", "judges a draft that was not proposed");
        if (e.k != draft->tokens.size()) return no("k", "is not the number of proposals");
        if (std::uint64_t{e.accepted} + e.struck + e.behind != e.k || e.struck > 1)
            return no("accepted", "does not make k with those struck and behind");
        if (e.tokens.size() < e.accepted || e.tokens.size() > e.accepted + std::uint64_t{1})
            return no("tokens", "is not the accepted ones and one more at most");
        if (!std::equal(e.tokens.begin(), e.tokens.begin() + e.accepted, draft->tokens.begin()))
            return no("tokens", "begins with others than were proposed");
        return kFine;
    }
    Answer operator()(const DrafterMade& e) const {
        if (e.n_blocks == 0) return kFine;
        if (e.block_size == 0 || e.block_size > kLargestRecordedBlock)
            return no("block_size", "is not from 1 to " + with_commas(kLargestRecordedBlock));
        return kFine;
    }
    Answer operator()(const DrafterHolds& e) const {
        if (Answer wrong = known()) return wrong;
        if (!s_.drafter) return no("", "is about a draft model's cache before there is one");
        for (const std::uint32_t b : e.blocks)
            if (b >= s_.drafter->n_blocks)
                return no("blocks", beyond(b, s_.drafter->n_blocks, "blocks"));
        if (e.stored > e.blocks.size() * std::uint64_t{s_.drafter->block_size})
            return no("stored", "is more than its blocks hold");
        return kFine;
    }

    Answer operator()(const BlockStored& e) const {
        if (e.medium != Medium::Device) return places_exist(e.medium, e.blocks);
        if (Answer wrong = block_of_each_lane(e.block_hashes, e.blocks)) return wrong;
        const bool recorded = event_.reason.why == Why::Recorded;
        if (!s_.lanes.empty() && !size_fits(e.block_size, recorded))
            return no("block_size", "is " + with_commas(e.block_size) + " and the pool's is " +
                                        with_commas(s_.block_size));
        for (std::size_t i = 0; i < e.blocks.size(); ++i) {
            const BlockId b(e.blocks[i]);
            if (Answer wrong = not_only_pinned("blocks", lane_of(i), b)) return wrong;
            if (!recorded && block(lane_of(i), b).state() == BlockState::Free)
                return no("blocks", "has " + with_commas(b.value) + ", which is free");
        }
        return kFine;
    }
    Answer operator()(const BlockRemoved& e) const {
        if (e.medium != Medium::Device) return places_exist(e.medium, e.blocks);
        if (Answer wrong = block_of_each_lane(e.block_hashes, e.blocks)) return wrong;
        for (std::size_t i = 0; i < e.blocks.size(); ++i) {
            const BlockId b(e.blocks[i]);
            if (Answer wrong = not_only_pinned("blocks", lane_of(i), b)) return wrong;
            if (block(lane_of(i), b).hash != e.block_hashes[i / s_.lanes.size()])
                return no("blocks",
                          "has " + with_commas(b.value) + ", which has another hash or none");
            if (e.to_head && block(lane_of(i), b).state() == BlockState::Used)
                return no("to_head", "moves " + with_commas(b.value) + ", which is in use");
        }
        return kFine;
    }
    Answer operator()(const AllBlocksCleared&) const {
        for (std::uint32_t lane = 0; lane < s_.lanes.size(); ++lane)
            for (std::uint32_t b = 0; b < s_.lanes[lane].blocks.size(); ++b)
                if (Answer wrong = not_only_pinned("", LaneId(lane), BlockId(b))) return wrong;
        return kFine;
    }

    Answer operator()(const TransferStarted& e) const {
        if (Answer wrong = two_ends(e.from, e.to, e.from_id, e.to_id)) return wrong;
        if (e.from == Medium::Device) {
            if (block(LaneId(0), BlockId(e.from_id)).state() == BlockState::Free)
                return no("from_id", with_commas(e.from_id) + " is free and holds nothing");
        } else if (place(e.from, e.from_id).state != PlaceState::Held) {
            return no("from_id", with_commas(e.from_id) + " holds nothing that could leave");
        }
        if (e.to == Medium::Device) {
            if (block(LaneId(0), BlockId(e.to_id)).ref_count == 0)
                return no("to_id", with_commas(e.to_id) + " belongs to no request");
        } else if (place(e.to, e.to_id).state != PlaceState::Free) {
            return no("to_id", with_commas(e.to_id) + " is taken");
        }
        return slots_fit(e.slots);
    }
    Answer operator()(const TransferFinished& e) const {
        if (Answer wrong = two_ends(e.from, e.to, e.from_id, e.to_id)) return wrong;
        if (!in_flight(e.from, e.from_id, PlaceState::Leaving))
            return no("from_id", "has no transfer in flight");
        if (!in_flight(e.to, e.to_id, PlaceState::Arriving))
            return no("to_id", "has no transfer in flight");
        return kFine;
    }
    Answer operator()(const TierPlaceFreed& e) const {
        if (e.medium == Medium::Device) return no("medium", "has no places; its blocks are freed");
        if (Answer wrong = in_tier("id", e.medium, e.id)) return wrong;
        if (place(e.medium, e.id).state != PlaceState::Held)
            return no("id", with_commas(e.id) + " holds nothing that could be given up");
        return kFine;
    }

    Answer operator()(const Operation&) const { return kFine; }
    Answer operator()(const SettingChanged&) const { return kFine; }
    Answer operator()(const CommandRefused&) const { return kFine; }

private:
    static Answer pool_shape(const PoolMade& e) {
        if (e.n_blocks == 0 || e.n_lanes == 0)
            return no(e.n_lanes == 0 ? "n_lanes" : "n_blocks", "is 0");
        if (e.block_size == 0 || e.block_size > kLargestRecordedBlock)
            return no("block_size", "is not from 1 to " + with_commas(kLargestRecordedBlock));
        if (e.n_lanes > kMostLanes) return no("n_lanes", "is above " + with_commas(kMostLanes));
        const std::string most = "is more than a trace may have: " +
                                 count(kMostRecordedBlocks, "blocks, counted over all lanes");
        if (std::uint64_t{e.n_blocks} * e.n_lanes > kMostRecordedBlocks)
            return no("n_blocks", most);
        if (e.n_host > kMostRecordedBlocks) return no("n_host", most);
        if (e.n_file > kMostRecordedBlocks) return no("n_file", most);
        return kFine;
    }

    // Requests.
    const RequestView& request() const { return s_.requests[event_.request->index()]; }
    Answer known() const {
        if (!event_.request) return no("request", "is missing");
        if (event_.request->index() >= s_.requests.size()) return no("request", "has not arrived");
        return kFine;
    }
    Answer going_on() const {
        if (Answer wrong = known()) return wrong;
        if (request().finish) return no("request", "has finished");
        return kFine;
    }
    Answer in_state(std::initializer_list<RequestState> states) const {
        if (Answer wrong = known()) return wrong;
        for (const RequestState state : states)
            if (request().state == state) return kFine;
        return no("request", "is " + std::string(name_of(request().state)) + " at that moment");
    }
    std::string than_tokens(std::uint64_t n) const {
        return "is " + with_commas(n) + " and the request has " +
               count(request().tokens.size(), "tokens");
    }
    Answer tokens_known(std::uint32_t first, std::uint32_t n) const {
        const std::uint64_t end = std::uint64_t{first} + n;
        if (end > request().tokens.size())
            return no("count", "ends at token " + with_commas(end) + " and the request has " +
                                   count(request().tokens.size(), "tokens"));
        return kFine;
    }

    // Blocks and places.
    static std::string beyond(std::uint64_t id, std::uint64_t n, const char* things) {
        return "has " + with_commas(id) + " and there are " + count(n, things);
    }
    LaneId lane_of(std::size_t i) const {
        return LaneId(static_cast<std::uint32_t>(i % s_.lanes.size()));
    }
    const BlockView& block(LaneId lane, BlockId b) const {
        return s_.lanes[lane.index()].blocks[b.index()];
    }
    const SharedArray<PlaceView>& tier(Medium medium) const {
        return medium == Medium::Host ? s_.host : s_.file;
    }
    const PlaceView& place(Medium medium, std::uint32_t i) const { return tier(medium)[i]; }

    Answer in_pool(const char* field, LaneId lane, std::uint32_t b) const {
        if (s_.lanes.empty()) return no("", "is about a block before there is a pool");
        if (lane.index() >= s_.lanes.size())
            return no("lane", beyond(lane.value, s_.lanes.size(), "lanes"));
        const std::size_t n = s_.lanes[lane.index()].blocks.size();
        if (b >= n) return no(field, beyond(b, n, "blocks"));
        return kFine;
    }
    Answer in_tier(const char* field, Medium medium, std::uint32_t i) const {
        if (medium == Medium::Device) return in_pool(field, LaneId(0), i);
        const std::size_t n = tier(medium).size();
        if (i >= n) return no(field, beyond(i, n, "places"));
        return kFine;
    }
    // A block comes into a table: at its end or into a hole, and not far beyond the tokens.
    Answer enters(const char* field, LaneId lane, BlockId b, std::uint32_t entry) const {
        if (Answer wrong = going_on()) return wrong;
        if (Answer wrong = in_pool(field, lane, b.value)) return wrong;
        const RequestView& r = request();
        const std::uint64_t ahead = r.draft ? r.draft->ahead() : 0;
        if (std::uint64_t{entry} * s_.block_size > r.tokens.size() + ahead)
            return no("entry", "lies beyond the request's tokens");
        const Table& table = r.tables[lane.index()];
        if (entry < table.size() && table[entry])
            return no("entry", "has block " + with_commas(table[entry]->value) + " already");
        return kFine;
    }
    Answer held(const char* field, LaneId lane, BlockId b, std::uint32_t entry) const {
        if (Answer wrong = known()) return wrong;
        if (Answer wrong = in_pool(field, lane, b.value)) return wrong;
        const Table& table = request().tables[lane.index()];
        if (entry >= table.size()) return no("entry", beyond(entry, table.size(), "entries"));
        if (table[entry] != b) return no(field, "is not the block of that entry");
        return kFine;
    }
    Answer is_free(const char* field, LaneId lane, BlockId b) const {
        const BlockState state = block(lane, b).state();
        if (state == BlockState::Used) return no(field, with_commas(b.value) + " is in use");
        if (state == BlockState::Cached)
            return no(field, with_commas(b.value) + " still has its hash; it is removed first");
        return kFine;
    }
    // A block that only a transfer holds stays where it is in the free list until that has
    // finished.
    Answer not_only_pinned(const char* field, LaneId lane, BlockId b) const {
        const BlockView& view = block(lane, b);
        if (view.ref_count == 0 && view.pins > 0)
            return no(field, "meets block " + with_commas(b.value) + ", which is in flight");
        return kFine;
    }
    // Another server may publish a block before it is full.
    bool size_fits(std::uint32_t block_size, bool recorded) const {
        if (recorded) return block_size > 0 && block_size <= s_.block_size;
        return block_size == s_.block_size;
    }
    Answer slots_fit(std::uint32_t slots) const {
        if (slots > s_.block_size)
            return no("slots", "is " + with_commas(slots) + " and a block has " +
                                   with_commas(s_.block_size));
        return kFine;
    }
    Answer block_of_each_lane(const Hashes& hashes,
                              const std::vector<std::uint32_t>& blocks) const {
        if (blocks.size() != hashes.size() * s_.lanes.size())
            return no("blocks", "has " + with_commas(blocks.size()) + " ids for " +
                                    count(hashes.size(), "hashes in ") +
                                    count(s_.lanes.size(), "lanes"));
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (Answer wrong = in_pool("blocks", lane_of(i), blocks[i])) return wrong;
        return kFine;
    }
    Answer places_exist(Medium medium, const std::vector<std::uint32_t>& places) const {
        for (const std::uint32_t i : places)
            if (Answer wrong = in_tier("blocks", medium, i)) return wrong;
        return kFine;
    }
    Answer two_ends(Medium from, Medium to, std::uint32_t from_id, std::uint32_t to_id) const {
        if (from == to) return no("to", "is where it comes from");
        if (Answer wrong = in_tier("from_id", from, from_id)) return wrong;
        return in_tier("to_id", to, to_id);
    }
    bool in_flight(Medium medium, std::uint32_t id, PlaceState state) const {
        if (medium == Medium::Device) return block(LaneId(0), BlockId(id)).pins > 0;
        return place(medium, id).state == state;
    }

    const Snapshot& s_;
    const Event& event_;
};

}  // namespace

std::optional<EventRefusal> why_not_applicable(const Snapshot& snapshot, const Event& event) {
    return std::visit(Applicable(snapshot, event), event.what);
}

}  // namespace kv
