#pragma once
// What is told of blocks and of the bytes in them. The books (core/cache) and the policies tell no
// more than this, so they do not include event.hpp, which has the other kinds and says what
// `fields` is for.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/ids.hpp"
#include "core/trace/event/parts.hpp"

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

struct TokensStored {  // computed in all layers; their slots hold keys and values
    std::uint32_t first = 0, count = 0;
    template <class Self, class Visit>
    static void fields(Self& e, Visit&& visit) {
        visit("first", e.first), visit("count", e.count);
    }
};

}  // namespace kv
