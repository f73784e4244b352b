#pragma once
// The whole state at one moment, as a value: it can be copied, compared and kept. Only apply()
// changes one, event by event, so that every moment of a trace is a function of the events before
// it. The engine can also describe itself as a snapshot (observe), and both must be equal.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/log.hpp"
#include "core/trace/event/parts.hpp"
#include "core/trace/event/reason.hpp"
#include "core/trace/shared_array.hpp"
#include "core/trace/slot_map.hpp"

namespace kv {

enum class BlockState : std::uint8_t { Free, Cached, Used };

struct BlockView {
    std::uint32_t ref_count = 0;        // table entries that hold it
    std::uint32_t pins = 0;             // transfers in flight
    std::uint32_t filled = 0;           // slots that hold keys and values
    std::uint32_t dead = 0;             // of these, dropped by all who hold the block
    std::optional<std::uint64_t> hash;  // it can be found by
    std::int64_t ticket = 0;            // its order in the free list: lower ones are taken first

    BlockState state() const {
        if (ref_count > 0) return BlockState::Used;
        return hash ? BlockState::Cached : BlockState::Free;
    }
    friend bool operator==(const BlockView&, const BlockView&) = default;
};

struct LaneView {
    SharedArray<BlockView> blocks;
    std::uint32_t used = 0, cached = 0;
    std::uint32_t shared = 0;                        // used blocks with more than one holder
    std::uint64_t live = 0;                          // filled slots of used blocks, not dead
    std::uint64_t dead = 0;                          // dead ones
    std::int64_t first_ticket = 0, last_ticket = 0;  // given out at the head and at the tail

    friend bool operator==(const LaneView&, const LaneView&) = default;
};

// A place of the host tier or of the file behind it: room for one block.
enum class PlaceState : std::uint8_t { Free, Arriving, Held, Leaving };
struct PlaceView {
    PlaceState state = PlaceState::Free;
    std::optional<SeqId> request;  // whose block it is, with `entry` of its table
    std::uint32_t entry = 0, slots = 0;
    std::optional<std::uint64_t> hash;  // of a cached block, which belongs to nobody
    std::uint64_t checksum = 0;

    friend bool operator==(const PlaceView&, const PlaceView&) = default;
};

enum class RequestState : std::uint8_t { Waiting, Running, Preempted, Paused, Finished, Refused };
std::string_view name_of(RequestState state);

// An entry of a table: none where its block was given back before those behind it, as a rule since
// all its tokens were dropped (a hole).
using TableEntry = std::optional<BlockId>;
using Table = SharedArray<TableEntry, 64>;  // small pieces: there are many short tables

// The newest draft of a request: proposed and, once `verified`, judged. It stays until the request
// is scheduled again or loses its blocks.
struct DraftView {
    std::string source;
    std::uint32_t first = 0;  // the position of the first proposal
    TokenIds tokens;          // the proposals
    std::optional<std::uint64_t> from;
    bool verified = false;
    std::uint32_t accepted = 0, struck = 0, behind = 0;
    std::optional<std::uint32_t> own;  // the target's own token behind those accepted

    std::uint32_t ahead() const {  // proposals that lie in slots behind the last token
        return verified ? 0 : static_cast<std::uint32_t>(tokens.size());
    }
    friend bool operator==(const DraftView&, const DraftView&) = default;
};

struct RequestView {
    std::string name;
    RequestState state = RequestState::Waiting;
    SharedArray<std::uint32_t> tokens;  // prompt, forced ones fed so far, new ones
    std::uint32_t n_prompt = 0, n_forced = 0, n_new = 0, max_new = 0;
    std::uint32_t stored = 0;         // tokens whose keys and values are held
    std::uint32_t scheduled = 0;      // tokens of the iteration at hand
    std::uint32_t cached_prompt = 0;  // found at its first admission
    std::uint32_t preemptions = 0;
    std::int32_t priority = 0;
    bool swapped = false;  // its blocks are in the host tier
    std::optional<SeqId> parent;
    std::optional<Finish> finish;
    std::optional<Reason> waits;  // why it is not running
    std::uint32_t arrived = 0;    // iterations
    std::optional<std::uint32_t> admitted, first_token, ended;
    std::vector<Table> tables;   // one per lane
    std::vector<SlotMap> slots;  // of each table: which token lies where, and which are dropped
    std::optional<DraftView> draft;
    // What the request has in the draft model's cache.
    std::uint32_t drafter_stored = 0;
    std::vector<std::uint32_t> drafter_blocks;

    friend bool operator==(const RequestView&, const RequestView&) = default;
};

struct Counters {
    std::uint64_t iterations = 0;
    std::uint64_t prefix_queries = 0, prefix_hits = 0;  // tokens
    std::uint64_t blocks_allocated = 0, blocks_reclaimed = 0;
    std::uint64_t block_copies = 0, bytes_copied = 0;
    std::uint64_t preemptions = 0, tokens_recomputed = 0;
    std::uint64_t blocks_offloaded = 0, blocks_loaded = 0;
    std::uint64_t prompt_tokens = 0, new_tokens = 0;
    std::uint64_t tokens_dropped = 0, slots_copied = 0;  // counted in every table
    // Drafts that were verified, and what became of their proposals.
    std::uint64_t drafts = 0, draft_accepted = 0, draft_struck = 0, draft_behind = 0;
    std::uint64_t draft_tokens = 0;                      // that these passes added
    std::uint64_t drafter_flops = 0, drafter_bytes = 0;  // of the draft model's passes

    std::uint64_t draft_rejected() const { return draft_struck + draft_behind; }
    std::uint64_t draft_proposed() const { return draft_accepted + draft_rejected(); }

    friend bool operator==(const Counters&, const Counters&) = default;
};

// The draft model's cache: a pool of its own, each request's part of it in RequestView.
struct DrafterView {
    std::string model;
    std::uint32_t n_blocks = 0, block_size = 0;
    std::uint64_t block_bytes = 0;

    friend bool operator==(const DrafterView&, const DrafterView&) = default;
};

struct Snapshot {
    // Written out in snapshot.cpp: left implicit, each file that uses one compiles them again.
    Snapshot();
    Snapshot(const Snapshot&);
    Snapshot(Snapshot&&) noexcept;
    Snapshot& operator=(const Snapshot&);
    Snapshot& operator=(Snapshot&&) noexcept;
    ~Snapshot();

    std::uint32_t iteration = 0;
    bool in_iteration = false;
    std::uint32_t block_size = 0;
    std::vector<LaneView> lanes;
    SharedArray<PlaceView> host, file;
    SharedArray<RequestView, 8> requests;  // by SeqId; few in a piece, since a view is large
    std::vector<SeqId> running;            // in the order of admission
    std::vector<SeqId> waiting;            // first in line first
    std::vector<SeqId> paused;
    std::optional<Operation> operation;  // in progress
    std::map<std::string, std::string> settings;
    std::optional<DrafterView> drafter;
    Counters counters;

    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

void apply(Snapshot& snapshot, const Event& event);

// The free list from its head: what is handed out next. For drawing and tests; it sorts.
std::vector<BlockId> free_list(const LaneView& lane);

// The first few differences of two snapshots in words; empty when they are equal.
std::vector<std::string> differences(const Snapshot& a, const Snapshot& b);

}  // namespace kv
