#include "core/cache/findable_blocks.hpp"

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

FindableBlocks::FindableBlocks(const CacheSpec& spec, DeviceBlocks& device, Transfers& transfers,
                               EventWriter& log)
    : spec_(spec),
      device_(device),
      log_(log),
      index_(spec.block_size, spec.n_blocks, spec.space),
      cold_(spec, index_, transfers, log) {
    if (spec.prefix_rule == PrefixRule::Radix && spec.sharing != Sharing::Off)
        tree_.emplace(spec.block_size, spec.n_blocks, spec.radix_order);
}

bool FindableBlocks::stays_findable(BlockId block) const {
    return tree_ ? in_tree(block) : is_findable(block);
}

void FindableBlocks::give_up_next(LaneId lane, SeqId for_whom) {
    const BlockPool& pool = device_.pool(lane);
    KV_ASSERT(pool.n_free() > 0);
    if (in_tree(*pool.next_free())) evict_leaf(for_whom);
    if (planted(PlantedBug::ReclaimedStaysFindable)) return;
    const BlockId block = *pool.next_free();
    if (is_findable(block)) forget(block, {Why::ReclaimedFor, for_whom});
}

// Cached blocks lie behind all that nobody can find; when one of them is next, the tree gives up a
// leaf, and its blocks move to the head of the free list.
void FindableBlocks::evict_leaf(SeqId for_whom) {
    for (const BlockId block : tree_->evict_leaf()) {
        forget(block, {Why::ReclaimedFor, for_whom}, FreeEnd::Head);
        device_.pool(kOnlyLane).move_to_head(block);
    }
}

void FindableBlocks::forget(BlockId block, const Reason& reason, FreeEnd end) {
    const PrefixId node = *index_.node_of(block);
    const std::uint64_t hash = index_.hash(node);
    const bool idle = device_.pool(kOnlyLane).is_free(block);
    // Kept below is what nobody holds and what is nowhere else.
    if (idle && spec_.keep_cold && index_.is_only_copy(block) && !index_.place(node))
        cold_.keep(block, node);
    index_.drop_copy(block);
    if (idle) device_.filled(kOnlyLane, block) = 0;
    log_.tell(reason, BlockRemoved{{hash}, Medium::Device, {block.value}, end == FreeEnd::Head});
}

void FindableBlocks::forget_duplicate(LaneId lane, BlockId block) {
    if (!in_tree(block) && is_findable(block) && device_.pool(lane).ref_count(block) == 1)
        forget(block, {Why::Duplicate});
}

void FindableBlocks::clear(const Reason& reason) {
    index_.clear();
    if (tree_) tree_->clear();
    for (std::uint32_t b = 0; b < spec_.n_blocks; ++b)
        if (device_.pool(kOnlyLane).is_free(BlockId(b))) device_.filled(kOnlyLane, BlockId(b)) = 0;
    cold_.clear(reason);
    log_.tell(reason, AllBlocksCleared{});
}

}  // namespace kv
