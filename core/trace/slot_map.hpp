#pragma once
// Which token lies in which slot of a table, and which slots are dropped. Token t goes to slot t
// as long as nothing has been moved; once the survivors of some drops were moved together, they lie
// in slots 0, 1, 2 ... and the next token goes behind them. Tokens rise with their slots, always.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/shared_array.hpp"

namespace kv {

class SlotMap {
public:
    // How many slots of the table the first n_tokens tokens have taken, dead ones too.
    std::uint32_t slots_taken(std::uint32_t n_tokens) const {
        return n_tokens <= moved_upto_ ? n_moved() : n_moved() + (n_tokens - moved_upto_);
    }
    // The slot of a token that is kept, or that is still to come.
    std::uint32_t slot_of(std::uint32_t token) const;
    // The slot of any token; nothing once its slot was given to others.
    std::optional<std::uint32_t> find(std::uint32_t token) const;
    std::uint32_t token_in(std::uint32_t slot) const {
        return slot < n_moved() ? moved_[slot] : moved_upto_ + (slot - n_moved());
    }
    bool is_dropped(std::uint32_t slot) const { return slot < dropped_.size() && dropped_[slot]; }
    std::uint32_t n_dropped() const { return n_dropped_; }  // in the slots of now
    // Every token is where it was written, and none is gone.
    bool is_plain() const { return moved_upto_ == 0 && n_dropped_ == 0; }

    void drop(std::uint32_t slot);
    // Survivors of the first n_tokens now lie together. Returns the slots that they came from.
    std::vector<std::uint32_t> move_together(std::uint32_t n_tokens);

    std::vector<std::uint32_t> kept(std::uint32_t n_tokens) const;        // tokens, rising
    std::vector<std::uint32_t> kept_slots(std::uint32_t n_tokens) const;  // where they lie

    friend bool operator==(const SlotMap&, const SlotMap&) = default;

private:
    std::uint32_t n_moved() const { return static_cast<std::uint32_t>(moved_.size()); }

    SharedArray<std::uint32_t> moved_;    // the tokens in slots [0, n_moved)
    std::uint32_t moved_upto_ = 0;        // tokens below this are among them or gone
    SharedArray<unsigned char> dropped_;  // by slot; slots beyond its end are kept
    std::uint32_t n_dropped_ = 0;
};

}  // namespace kv
