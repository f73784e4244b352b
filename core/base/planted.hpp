#pragma once
// Bugs that are planted on purpose, to see that the tests find them: a test suite that nobody has
// seen fail proves nothing. In every ordinary build planted() is the constant false and leaves no
// trace in the program. In a build with KVARIUM_PLANTED_BUGS the environment variable
// KVARIUM_PLANTED chooses one bug by its number, and tests/planted/run insists that the test turns
// red that tests/planted/caught_by.txt names for it.
//
// A search for PlantedBug::Name finds its place: `if (planted(PlantedBug::Name)) ...`, a statement
// of its own among the right ones. Read planted() as false, and what is left is the code of every
// ordinary build. The wrong code follows the question where one line holds it; otherwise the
// question calls a function beside, whose name ends in _wrongly.

#ifdef KVARIUM_PLANTED_BUGS
#include <cstdlib>
#endif

#include "core/base/kv_hd.hpp"

namespace kv {

enum class PlantedBug {
    HitNotCounted = 1,            // a found block gets no holder more
    OneBlockTooMany = 2,          // n / block_size + 1 blocks instead of the ceiling
    FreedForwards = 3,            // the first block of a table goes back first
    SharedTailWritten = 4,        // a write into a shared block makes no copy
    TailNotMasked = 5,            // attention reads the unwritten slots of the last block
    ReclaimedStaysFindable = 6,   // a block that is handed out is still found by its old content
    LayoutByQueryHeads = 7,       // the layer stride counts query heads
    ValuesByKeyScale = 8,         // V is decoded with K's scale
    RotatedTooFar = 9,            // decode rotates by one position too many
    PinDroppedEarly = 10,         // a block may change hands before its bytes have moved
    AttendsBeforeAppend = 11,     // the newest token is not in the cache yet
    HeadsInterleaved = 12,        // query head modulo KV heads
    ParentNotInKey = 13,          // equal blocks after different beginnings count as equal
    WholePromptHit = 14,          // no token is left to compute
    ScoresNotCompacted = 15,      // scores stay where their keys were
    FreedTwice = 16,              // a block that was given back is given back again at the end
    SplitForgetsLocks = 17,       // the new node of a split tree path is not locked
    PreemptedKeepsCount = 18,     // a preempted request goes on as if its tokens were stored
    AddressIn32Bits = 19,         // block times bytes wraps round
    KeyframeForgetsHolders = 20,  // a keyframe without reference counts
    PositionOffByOne = 21,        // a query stands one position too far from its keys
    DroppedBeforeScored = 22,     // a policy decides before this step's weights are added
    KernelTailNotMasked = 23,     // a kernel reads the slots behind a row's last key, in its block
    KernelHeadStride = 24,        // a kernel takes a head's bytes as its stride in the other order
    KernelTableIgnored = 25,      // a kernel takes the n-th block for the n-th entry of the table
    KernelWithoutBarrier = 26,    // threads read a tile while others still fill it
    KernelMergeForgetsMax = 27,   // partial softmaxes are added without a common maximum
    KernelReadsCopyEarly = 28,    // a tile is read while its asynchronous copy is under way
    KernelColumnsLeft = 29,       // a product leaves out the columns that fill no whole load
    KernelMovesBackwards = 30,    // a block goes from where it should go to
    KernelBoundOfOneKey = 31,     // the bound of a block is that of its first key
    KernelResidualRing = 32       // the rows of a residual come round one too early
};

#ifdef KVARIUM_PLANTED_BUGS
inline int number_of_planted() {
    static const int number = [] {
        const char* chosen = std::getenv("KVARIUM_PLANTED");
        return chosen == nullptr ? 0 : std::atoi(chosen);
    }();
    return number;
}
KV_HD inline bool planted([[maybe_unused]] PlantedBug bug) {
#ifdef __CUDA_ARCH__
    return false;  // a card has no environment: bugs of kernels are found in emulated ones
#else
    return static_cast<int>(bug) == number_of_planted();
#endif
}
#else
KV_HD constexpr bool planted(PlantedBug) {
    return false;
}
#endif

}  // namespace kv
