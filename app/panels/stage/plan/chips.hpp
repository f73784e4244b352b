#pragma once
// What one token of a request is at this moment, and in which rows a request is written out. Pure.

#include <cstdint>
#include <optional>

#include "app/panels/stage/plan/facts.hpp"
#include "app/panels/view/facts.hpp"

namespace kv {

enum class ChipState : std::uint8_t {
    Empty,      // a slot that holds nothing yet
    Queued,     // known, not computed: no keys and values
    Computing,  // in this iteration, but not its last token
    Query,      // the token that looks back now
    Stored,
    InHost,
    Missing,  // its block was given up
    Dropped,  // by the policy of the run
    Past,     // of a request that has ended
    Next,     // not known yet: what the model is about to say
    Ghost,    // proposed, written ahead, not checked
    Accepted,
    Struck,  // proposed, and the model says another
    Behind,  // a struck one: not judged
    Own      // what the model says behind the accepted ones
};
struct Chip {
    ChipState state = ChipState::Empty;
    bool generated = false;  // drawn round
    bool reused = false;     // taken over from another request, or held by several
    bool shared = false;     // its block is held by several
    bool has_bar = false;    // a block holds its keys and values
    float bar = 1;           // of how many of its layers: less than all inside a step
    friend bool operator==(const Chip&, const Chip&) = default;
};
Chip chip_of(const LaneAt& lane, const StageFacts& facts, TokenAt token);

// Logical blocks of a request: those of its table, and those that its known and proposed tokens
// will need. Tokens that were dropped, and whose slots were given to others, are in none of them.
std::uint32_t rows_of(const LaneAt& lane, SeqId request);
// The token that the model is about to say, while it is computed.
std::optional<std::uint32_t> next_position(const Snapshot& now, SeqId request);

}  // namespace kv
