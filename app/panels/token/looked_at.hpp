#pragma once
// What Inspector, Bytes and Attention look at: the slot of one token, or a block that was selected
// by itself; and the bytes stored there at the cursor. What the step at hand has written by then is
// in the log only from the event that reports it, so there it is looked up. Pure.

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/view/facts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct LookedAt {
    std::optional<TokenAt> token;     // none: a block that was selected by itself
    std::optional<TokenPlace> place;  // of the token; none: it is not on the device
    std::optional<BlockId> block;
    Slot slot{0};
};
LookedAt look_at(const RunView& run, const RunFocus& focus);

// The selected vector, kept inside what this run has.
struct VectorChoice {
    LayerId layer{0};
    Side side = Side::K;
    HeadId head{0};
    std::uint32_t dim = 0;
};
VectorChoice chosen_vector(const RunView& run, const RunFocus& focus);

// Apart: the bytes of the vector are not in this slot alone, so no number of it is shown. KIVI
// codes keys in groups that reach across slots, and keeps the newest tokens in a residual.
enum class SlotBytes : std::uint8_t { Written, NotWritten, Forgotten, Apart };
struct StoredVector {
    SlotBytes held = SlotBytes::NotWritten;
    std::span<const unsigned char> bytes;  // of this vector; empty unless written
};
StoredVector stored_vector(const RunView& run, BlockId block, Slot slot,
                           const VectorChoice& choice);

// All keys and values of one block in one layer: what the byte map shows.
struct BlockValues {
    List<SlotBytes> slots;
    List<bool> k_apart, v_apart;  // written, and yet not in this slot alone (KIVI)
    std::uint32_t n_written = 0;
    List<float> k, v;                    // slot by slot, head by head; 0 where nothing is known
    float k_largest = 0, v_largest = 0;  // magnitudes
    std::span<const float> of(Side side) const { return side == Side::K ? k : v; }
    float largest(Side side) const { return side == Side::K ? k_largest : v_largest; }
    SlotBytes held(Side side, std::uint32_t slot) const {
        const bool apart = (side == Side::K ? k_apart : v_apart)[slot];
        return apart && slots[slot] == SlotBytes::Written ? SlotBytes::Apart : slots[slot];
    }
};
BlockValues block_values(const RunView& run, BlockId block, LayerId layer);

// A token's word without the blank that most begin with; one that is nothing but blanks is shown in
// quotes.
Text word_at(const RunView& run, TokenAt token);

}  // namespace kv
