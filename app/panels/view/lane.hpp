#pragma once
// One lane of a snapshot, and what follows from it: the blocks of that lane, each request's table
// that leads to them, and the slots in which its tokens lie. Where a policy drops tokens, every
// layer or KV head may have a lane of its own; else one lane serves them all. Pure.

#include <cstdint>
#include <optional>

#include "app/panels/view/focus.hpp"
#include "core/base/reused.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

struct LaneAt {
    const Snapshot& now;
    LaneId id{0};

    const LaneView& view() const;  // an empty one before the pool is made
    const SharedArray<BlockView>& blocks() const { return view().blocks; }
    // The table of a request; null where the request is not there, or no pool is.
    const Table* table(SeqId request) const;
    const SlotMap* slots(SeqId request) const;
};

// The row of the table in which a token has its slot, though it may be dropped; none once the slot
// was given to others.
std::optional<std::uint32_t> entry_of(const LaneAt& lane, TokenAt token);
std::optional<std::uint32_t> slot_offset_of(const LaneAt& lane, TokenAt token);  // in that row
// The token of a slot of the table, dropped and future ones as well.
std::uint32_t position_in(const LaneAt& lane, SeqId request, std::uint32_t entry,
                          std::uint32_t slot);
// Slots of the table that the first `tokens` of a request take, dropped ones too.
std::uint32_t slots_taken(const LaneAt& lane, SeqId request, std::uint32_t tokens);

// Given up by a policy.
bool is_dropped_slot(const LaneAt& lane, SeqId request, std::uint32_t entry, std::uint32_t slot);
bool is_dropped(const LaneAt& lane, TokenAt token);
std::uint32_t dropped_in(const LaneAt& lane, SeqId request);  // tokens
std::uint32_t held_in(const LaneAt& lane, SeqId request);     // the other stored ones

std::uint64_t count_held(const Table& table);  // entries that have a block
std::uint64_t blocks_held(const LaneAt& lane, SeqId request);

// How many of marked tokens the lane holds, and how many tables of the request hold all of them.
struct MarkedKept {
    std::uint32_t kept = 0, all = 0, whole_tables = 0, tables = 0;
};
MarkedKept count_marked(const LaneAt& lane, SeqId request, const MarkedTokens& marked);

// The block that holds a token, and the slot in it; nothing when it is not on the device.
struct TokenPlace {
    std::uint32_t entry;  // of the table: the logical block
    BlockId block;
    Slot slot;
};
std::optional<TokenPlace> place_of_token(const LaneAt& lane, TokenAt token);
// The row of the token that the inspector shows; the first while it shows none.
std::uint32_t inspected_row(const LaneAt& lane, const RunFocus& focus);

struct Holder {
    SeqId request;
    std::uint32_t entry;
};
List<Holder> holders_of(const LaneAt& lane, BlockId block);
// The requests that hold each block, computed once for a whole picture.
List<List<Holder>> all_holders(const LaneAt& lane);

}  // namespace kv
