#pragma once
// When a block was used last, as far as events tell: it was stored, or a block was stored beneath
// it, which uses all blocks above that one too.
//
// A prompt of 1,000 blocks gets an answer, and every 20 ms a block is stored beneath the last one.
// The first of these uses walks up the 1,000 and notes the moment on each (walked_s). The next four
// stop at the first block that was walked over less than kSameUse_s ago: walking up the whole
// prompt each time would be most of the work.

#include <vector>

#include "core/attach/tank/ages.hpp"
#include "core/attach/tank/block_tree.hpp"

namespace kv {

constexpr double kSameUse_s = 0.1;  // uses of the same block within this time are one

// `gaps` gets the time since the last use of a block that is cached. Null while a request uses what
// it wrote itself.
void use_block(TankBlock& block, double now_s, AgeHistogram* gaps);

class ChainUses {
public:
    void use(BlockTree& tree, BlockRef last, double now_s, AgeHistogram* gaps);

private:
    std::vector<BlockRef> path_;  // kept so that no event asks for memory
};

}  // namespace kv
