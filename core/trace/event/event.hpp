#pragma once
// What can happen. Event, at the end of this file, is the whole: in which iteration, to which
// request, why, and `what`, which is one of the kinds that stand before it. A kind is a small
// struct with ids and byte counts. The block events have the names and fields that production
// servers publish (BlockStored, BlockRemoved, AllBlocksCleared).
//
// `fields(e, visit)` calls visit("name", e.name) for each member, once and in order. The packed
// form, the JSON and the comparison of two traces are made from it, so a field cannot be forgotten
// in one of them. Self is const where an event is written, and not where it is read.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/parts.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

// The pool as it is made, and made anew when a setting changes its shape.
struct PoolMade {
    std::uint32_t n_blocks = 0, block_size = 0, n_lanes = 1, n_host = 0, n_file = 0;
    std::vector<std::uint32_t> free_list = {};  // the first ids handed out; then the rest in order
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("n_blocks", e.n_blocks), visit("block_size", e.block_size);
        visit("n_lanes", e.n_lanes), visit("n_host", e.n_host), visit("n_file", e.n_file);
        visit("free_list", e.free_list);
    }
};

struct IterationStarted {
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct IterationFinished {
    std::uint32_t tokens = 0;     // computed, of all requests
    double model_us = 0, us = 0;  // by the time model; as measured
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("tokens", e.tokens), visit("model_us", e.model_us), visit("us", e.us);
    }
};

// Requests, from their arrival to their end.
struct RequestArrived {
    std::string name;
    TokenIds prompt = {}, forced = {};
    std::uint32_t max_new = 0;
    std::int32_t priority = 0;
    std::string salt = {};
    std::optional<SeqId> parent = {};  // of a fork
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("name", e.name), visit("prompt", e.prompt), visit("forced", e.forced);
        visit("max_new", e.max_new), visit("priority", e.priority), visit("salt", e.salt);
        visit("parent", e.parent);
    }
};
struct RequestWaits {  // said once, until the reason changes
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct RequestAdmitted {
    std::uint32_t looked_up = 0, found = 0;  // tokens; 0 and 0 when it comes back
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("looked_up", e.looked_up), visit("found", e.found);
    }
};
struct TokensScheduled {
    std::uint32_t first = 0, count = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("first", e.first), visit("count", e.count);
    }
};
struct TokensStored {  // computed in all layers; their slots hold keys and values
    std::uint32_t first = 0, count = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("first", e.first), visit("count", e.count);
    }
};
struct TokenAdded {
    std::uint32_t token = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("token", e.token);
    }
};
struct RequestPreempted {
    bool swapped = false;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("swapped", e.swapped);
    }
};
struct RequestPaused {
    bool swapped = false;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("swapped", e.swapped);
    }
};
struct RequestResumed {
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};
struct PriorityChanged {
    std::int32_t priority = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("priority", e.priority);
    }
};
struct RequestFinished {
    Finish finish = Finish::Length;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("finish", e.finish);
    }
};

// Blocks of the device pool. `entry` is the index in the request's table of that lane.
struct BlockAllocated {
    LaneId lane{0};
    BlockId block{0};
    std::uint32_t entry = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("block", e.block), visit("entry", e.entry);
    }
};
struct BlockShared {
    LaneId lane{0};
    BlockId block{0};
    std::uint32_t entry = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("block", e.block), visit("entry", e.entry);
    }
};
struct BlockCopied {  // on a write to a shared block: the table's entry is `to` from here on
    LaneId lane{0};
    BlockId from{0}, to{0};
    std::uint32_t entry = 0, slots = 0;
    std::uint64_t bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("from", e.from), visit("to", e.to), visit("entry", e.entry);
        visit("slots", e.slots), visit("bytes", e.bytes);
    }
};
struct BlockRecoded {  // of its first slots some were written anew: coded or rotated otherwise
    LaneId lane{0};
    BlockId block{0};
    std::uint32_t slots = 0;
    std::uint64_t bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("block", e.block), visit("slots", e.slots);
        visit("bytes", e.bytes);
    }
};
struct BlockFreed {  // the request lets go; the block is free or cached once nobody holds it
    LaneId lane{0};
    BlockId block{0};
    std::uint32_t entry = 0;
    bool to_head = false;  // of the free list
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("block", e.block), visit("entry", e.entry);
        visit("to_head", e.to_head);
    }
};
// Tokens of a live request that its policy drops, in one table: that of all layers and heads, of
// a layer, or of a KV head of it. Their slots are dead from here on. The lists go together.
struct TokensDropped {
    LaneId lane{0};
    std::optional<LayerId> layer;  // none: all of them
    std::optional<HeadId> kv_head;
    std::string policy;
    std::vector<std::uint32_t> positions, slots;
    std::vector<float> scores;
    std::vector<std::uint32_t> ranks;    // among those that were judged, 0 is the best
    std::optional<float> threshold;      // the worst score that was kept for its score
    std::uint32_t kept = 0, spared = 0;  // tokens: left in the table; left whatever their score
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("layer", e.layer), visit("kv_head", e.kv_head);
        visit("policy", e.policy), visit("positions", e.positions), visit("slots", e.slots);
        visit("scores", e.scores), visit("ranks", e.ranks), visit("threshold", e.threshold);
        visit("kept", e.kept), visit("spared", e.spared);
    }
};
// The survivors of a table lie together in new blocks from here on; the old ones go back, the last
// of the table first.
struct SlotsMoved {
    LaneId lane{0};
    std::vector<std::uint32_t> slots, to;  // where they were; blocks, in the order of the table
    std::uint64_t bytes = 0;
    bool to_head = false;  // of the free list
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("lane", e.lane), visit("slots", e.slots), visit("to", e.to);
        visit("bytes", e.bytes), visit("to_head", e.to_head);
    }
};
// Which blocks of its table a query looked at, where a policy chooses: of each KV head of each
// layer those that some of its query heads chose. None of them are dropped.
struct BlocksRead {
    std::uint32_t position = 0;          // of the query's token
    std::uint32_t of = 0;                // blocks that there were
    std::vector<std::uint32_t> counts;   // by layer and KV head; 0 where all were read
    std::vector<std::uint32_t> entries;  // of the table, rising, one head's after another's
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("position", e.position), visit("of", e.of), visit("counts", e.counts);
        visit("entries", e.entries);
    }
};
struct BlockStored {  // a run of full blocks can be found by its hashes from here on
    Hashes block_hashes;
    std::optional<std::uint64_t> parent_block_hash;
    TokenIds token_ids;
    std::uint32_t block_size = 0;
    Medium medium = Medium::Device;
    std::vector<std::uint32_t> blocks;  // lane by lane for each hash
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("block_hashes", e.block_hashes), visit("parent_block_hash", e.parent_block_hash);
        visit("token_ids", e.token_ids), visit("block_size", e.block_size);
        visit("medium", e.medium), visit("blocks", e.blocks);
    }
};
struct BlockRemoved {
    Hashes block_hashes;
    Medium medium = Medium::Device;
    std::vector<std::uint32_t> blocks;
    bool to_head = false;  // a free block moves to the head of the free list with this
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("block_hashes", e.block_hashes), visit("medium", e.medium), visit("blocks", e.blocks);
        visit("to_head", e.to_head);
    }
};
struct AllBlocksCleared {
    template <class Self, class Visit>
    static void fields(Self&, Visit&&) {}
};

// Tiers. A transfer pins the place that it comes from until it has finished; what it brings can be
// used from then on.
struct TransferStarted {
    Medium from = Medium::Device, to = Medium::Host;
    std::uint32_t from_id = 0, to_id = 0;    // blocks of the pool, or places of the tier
    std::uint32_t entry = 0;                 // of the request's table
    std::optional<std::uint64_t> hash = {};  // of a cached block, which belongs to no request
    std::uint32_t slots = 0;                 // that hold keys and values
    std::uint64_t bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("from", e.from), visit("to", e.to), visit("from_id", e.from_id);
        visit("to_id", e.to_id), visit("entry", e.entry), visit("hash", e.hash);
        visit("slots", e.slots), visit("bytes", e.bytes);
    }
};
struct TransferFinished {
    Medium from = Medium::Device, to = Medium::Host;
    std::uint32_t from_id = 0, to_id = 0;
    std::uint64_t checksum = 0;
    double model_us = 0, us = 0;  // by the time model; as measured
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("from", e.from), visit("to", e.to), visit("from_id", e.from_id);
        visit("to_id", e.to_id), visit("checksum", e.checksum), visit("model_us", e.model_us);
        visit("us", e.us);
    }
};
struct TierPlaceFreed {
    Medium medium = Medium::Host;
    std::uint32_t id = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("medium", e.medium), visit("id", e.id);
    }
};

struct SettingChanged {
    std::string setting, value;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("setting", e.setting), visit("value", e.value);
    }
};
struct CommandRefused {
    std::string command, sentence;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("command", e.command), visit("sentence", e.sentence);
    }
};

// Drafts (speculative decoding). A draft model, or a look back at the request's own tokens,
// proposes tokens; one pass of the model itself, the target, checks all of them. What was proposed
// is no token of the request yet: its keys and values are written ahead into slots behind the last
// token, and nothing finds them.
struct DraftProposed {
    std::string source;                 // "ngram:3", or the draft model's name
    std::uint32_t first = 0;            // the position that the first of them would have
    TokenIds tokens = {};               // the rest of the request's tokens, if all are right
    std::optional<std::uint64_t> from;  // the position that a look back copied them from
    // What the draft model did for them.
    std::uint32_t passes = 0;
    std::uint64_t flops = 0, bytes_read = 0;
    double us = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("source", e.source), visit("first", e.first), visit("tokens", e.tokens);
        visit("from", e.from), visit("passes", e.passes), visit("flops", e.flops);
        visit("bytes_read", e.bytes_read), visit("us", e.us);
    }
};
// The verdict, before the tokens are added. The first `accepted` of the k proposals are right; the
// next one may be struck, because the target says something else; those behind it are not judged.
// The slots of all that were not accepted are free again.
struct DraftVerified {
    std::uint32_t k = 0, accepted = 0, struck = 0, behind = 0;  // the last three make k
    TokenIds tokens = {};  // added by this pass: the accepted ones, then mostly the target's own
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("k", e.k), visit("accepted", e.accepted), visit("struck", e.struck);
        visit("behind", e.behind), visit("tokens", e.tokens);
    }
};
// The draft model's own cache, as it is made; without blocks when there is none any more.
struct DrafterMade {
    std::string model;
    std::uint32_t n_blocks = 0, block_size = 0;
    std::uint64_t block_bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("model", e.model), visit("n_blocks", e.n_blocks);
        visit("block_size", e.block_size), visit("block_bytes", e.block_bytes);
    }
};
// What a request has in it from here on.
struct DrafterHolds {
    std::uint32_t stored = 0;           // tokens of the request, and proposals behind them
    std::vector<std::uint32_t> blocks;  // in the order of its table
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("stored", e.stored), visit("blocks", e.blocks);
    }
};

// What happened, with the fields of its kind; an Event adds when, to whom and why.
using AnyEvent =
    std::variant<PoolMade, IterationStarted, IterationFinished, RequestArrived, RequestWaits,
                 RequestAdmitted, TokensScheduled, TokensStored, TokenAdded, RequestPreempted,
                 RequestPaused, RequestResumed, PriorityChanged, RequestFinished, BlockAllocated,
                 BlockShared, BlockCopied, BlockRecoded, BlockFreed, BlockStored, BlockRemoved,
                 AllBlocksCleared, TransferStarted, TransferFinished, TierPlaceFreed, Operation,
                 SettingChanged, CommandRefused, TokensDropped, SlotsMoved, BlocksRead,
                 DraftProposed, DraftVerified, DrafterMade, DrafterHolds>;
struct EventBody : AnyEvent {  // a type that headers can name without this one
    using AnyEvent::AnyEvent;
    // Written out in names.cpp: left implicit, each file that uses one compiles them again.
    EventBody();
    EventBody(const EventBody&);
    EventBody(EventBody&&) noexcept;
    EventBody& operator=(const EventBody&);
    EventBody& operator=(EventBody&&) noexcept;
    ~EventBody();
};

struct Event {
    std::uint32_t iteration = 0;  // 1 for the first; 0 before it
    std::optional<SeqId> request;
    Reason reason;
    EventBody what;
};

std::string_view name_of(const EventBody& what);  // "BlockStored"

}  // namespace kv
