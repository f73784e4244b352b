#pragma once
// How an address comes about, term by term in the order of the layout, and which sectors of memory
// one head of a block takes. All numbers come from the KvLayout. Pure: no imgui.h.

#include <array>
#include <cstdint>

#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"
#include "core/cache/layout/kv_layout.hpp"

namespace kv {

inline constexpr std::uint64_t kSectorBytes = 32;  // what a GPU fetches at least

enum class AddressPart : std::uint8_t { Base, Block, SlotInBlock, Head };
struct AddressTerm {
    AddressPart part = AddressPart::Base;
    Text label, product;  // "block", "44 × 1,024 B"
    std::uint64_t bytes = 0;
};
struct AddressPlan {
    std::array<AddressTerm, 4> terms;
    std::uint64_t address = 0;
    int digits = 1;  // hexadecimal, of every address of this pool
};
struct VectorAt {
    LayerId layer;
    Side side;
    HeadId head;
    BlockId block;
    Slot slot;
};
AddressPlan plan_address(const KvLayout& layout, const VectorAt& at, const Texts& text);

// The sectors that hold the first `n_slots` vectors of one head.
struct SectorRead {
    std::uint64_t sectors = 0;
    std::uint64_t in_a_run = 0;  // sectors of one vector; all of them when the vectors touch
    std::uint64_t apart = 0;     // bytes from run to run; 0: one run
};
SectorRead sectors_of(const KvLayout& layout, const VectorAt& first, std::uint32_t n_slots);

// A stride as people say it: "96 KiB", "1,024 B".
Text stride_text(std::uint64_t bytes);
std::string_view side_letter(Side side);  // "K"

}  // namespace kv
