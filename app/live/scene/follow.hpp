#pragma once
// What is selected by following where something lies: from a token to its block and back, from an
// address to whose byte it is. Pure.

#include <cstdint>
#include <string>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/lane.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "core/cache/layout/lane_shape.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

// Leads the selection from a token to its block, and from a block back to the first of its tokens
// that is not dropped: those of the request in focus, or of whoever holds it. `lane`: in focus.
// Throws Refused where neither leads anywhere.
void follow_line(RunFocus& focus, const LaneAt& lane);

// What an address of a pool is read by.
struct AddressedPool {
    const KvLayout& layout;
    LaneShape lanes;
    std::uint32_t n_heads;  // of queries
};

// Leads the selection to the layer, side, head and dimension of a byte of the pool, and to the
// token that it belongs to, or its block where nobody holds it. `words`: 15160, or 0x3B38. Throws
// Refused for no address.
void select_address(RunFocus& focus, const Snapshot& now, const AddressedPool& pool,
                    const std::string& words);

}  // namespace kv
