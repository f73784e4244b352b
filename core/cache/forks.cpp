#include "core/cache/forks.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/trace/event/block_events.hpp"

namespace kv {

std::uint32_t Forks::shared_tokens(const CachedSequence& parent, std::uint32_t child_tokens) const {
    if (spec_.sharing == Sharing::Off) return 0;
    // One token at least is left to compute, for the logits of the next.
    std::uint32_t shared = std::min(parent.stored, child_tokens - 1);
    // With KIVI only coded tokens are shared, up to where a group of keys and a block both end: so
    // groups stay whole, and what the parent codes later goes into blocks that the fork does not
    // hold.
    if (spec_.has_residual) shared = std::min(shared, final_tokens(parent.stored));
    if (spec_.has_residual) shared -= shared % std::lcm(kKiviGroup, spec_.block_size);
    if (spec_.sharing == Sharing::FullBlocksOnly) shared -= shared % spec_.block_size;
    return shared;
}

void Forks::share(CachedSequence& s, const CachedSequence& parent, std::uint32_t shared) {
    KV_ASSERT(spec_.n_lanes == 1 && parent.slots[0].is_plain());
    const Reason reason = Reason::fork(s.id, shared);
    for (std::uint32_t entry = 0; entry < spec_.entries_for(shared); ++entry) {
        const BlockId block = *parent.tables[0][entry];
        KV_ASSERT(device_.filled(kOnlyLane, block) >=
                  parent.filled_slots(kOnlyLane, entry, spec_.block_size));
        device_.pool(kOnlyLane).hold(block);
        tables_.enter_shared(s, kOnlyLane, entry, block, reason);
    }
    s.stored = shared;
    log_.tell(s.id, reason, TokensStored{0, shared});
    chains_.follow_parent(s, parent);
}

bool Forks::writes_shared_tail(const CachedSequence& s, std::uint32_t upto) const {
    if (planted(PlantedBug::SharedTailWritten)) return false;
    const std::uint32_t entry = s.stored / spec_.block_size;
    if (s.stored % spec_.block_size == 0 || upto <= s.stored) return false;
    if (is_published(s, entry)) return false;  // who found it wants what is written now
    const auto& table = s.tables[0];           // a request with more than one shares no block
    return entry < table.size() && table[entry] &&
           device_.pool(kOnlyLane).ref_count(*table[entry]) > 1;
}

void Forks::copy_shared_tail(CachedSequence& s) {
    const std::uint32_t entry = s.stored / spec_.block_size;
    const std::uint32_t slots = s.stored % spec_.block_size;
    const BlockId from = *s.tables[0][entry];
    const std::uint32_t holders = device_.pool(kOnlyLane).ref_count(from);
    const BlockId to = tables_.take(s.id, kOnlyLane);
    // Others still hold it, so it joins no end of the free list.
    device_.pool(kOnlyLane).let_go(from, FreeEnd::Tail);
    s.tables[0][entry] = to;
    device_.filled(kOnlyLane, to) = slots;
    transfers_.copy(from, to, slots);
    const std::uint64_t bytes = spec_.block_bytes / spec_.block_size * slots;
    log_.tell(s.id, Reason::writes_shared(s.id, holders),
              BlockCopied{kOnlyLane, from, to, entry, slots, bytes});
}

}  // namespace kv
