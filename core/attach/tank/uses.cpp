#include "core/attach/tank/uses.hpp"

namespace kv {

void use_block(TankBlock& block, double now_s, AgeHistogram* gaps) {
    const double gap = now_s - block.used_s;
    if (gap < kSameUse_s) return;
    if (gaps != nullptr && block.cached()) gaps->add(gap);
    block.used_s = now_s;
}

// From the chain's start to `last`. The walk ends where another one came by a moment ago and had
// gone on to the start.
void ChainUses::use(BlockTree& tree, BlockRef last, double now_s, AgeHistogram* gaps) {
    path_.clear();
    double walked = now_s;
    for (BlockRef at = last; at != kNoBlock; at = tree.at(at).parent) {
        if (now_s - tree.at(at).walked_s < kSameUse_s) {
            walked = tree.at(at).walked_s;
            break;
        }
        path_.push_back(at);
    }
    for (const BlockRef at : path_) {
        use_block(tree.at(at), now_s, gaps);
        tree.at(at).walked_s = walked;
    }
}

}  // namespace kv
