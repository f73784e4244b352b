#include "core/cache/forks.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/planted.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

std::uint32_t Forks::shared_tokens(const CachedSequence& parent, std::uint32_t n_tokens) const {
    if (spec_.sharing == Sharing::Off) return 0;
    // One token at least is left to compute.
    std::uint32_t shared = std::min(parent.stored, n_tokens - 1);
    // What is coded later is not there to share yet; and groups stay whole.
    if (spec_.has_residual) shared = std::min(shared, final_tokens(parent.stored));
    if (spec_.has_residual) shared -= shared % kKiviGroup;
    if (spec_.sharing == Sharing::FullBlocksOnly) shared -= shared % spec_.block_size;
    return shared;
}

void Forks::share(CachedSequence& s, const CachedSequence& parent, std::uint32_t n_tokens) {
    const Reason reason = Reason::fork(s.id, n_tokens);
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l)
        for (std::uint32_t entry = 0; entry < spec_.entries_for(n_tokens); ++entry) {
            const LaneId lane(l);
            const std::optional<BlockId> block = parent.tables[l][entry];
            if (!block) continue;
            KV_ASSERT(device_.filled(lane, *block) >=
                      parent.filled_slots(lane, entry, spec_.block_size));
            device_.pool(lane).hold(*block);
            tables_.enter_shared(s, lane, entry, *block, reason);
        }
    s.stored = n_tokens;
    log_.tell(s.id, reason, TokensStored{0, n_tokens});
    chains_.follow(s, parent);
}

// Not a block that it has published itself: who found that one waits for these very tokens.
bool Forks::writes_shared_tail(const CachedSequence& s, std::uint32_t upto) const {
    if (planted(PlantedBug::SharedTailWritten)) return false;
    const std::uint32_t entry = s.stored / spec_.block_size;
    if (s.stored % spec_.block_size == 0 || upto <= s.stored) return false;
    if (entry < s.chain.n_blocks) return false;
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const auto& table = s.tables[l];
        if (entry < table.size() && table[entry] &&
            device_.pool(LaneId(l)).ref_count(*table[entry]) > 1)
            return true;
    }
    return false;
}

void Forks::copy_shared_tail(CachedSequence& s) {
    const std::uint32_t entry = s.stored / spec_.block_size;
    const std::uint32_t slots = s.stored % spec_.block_size;
    for (std::uint32_t l = 0; l < spec_.n_lanes; ++l) {
        const LaneId lane(l);
        const BlockId from = *s.tables[l][entry];
        const std::uint32_t holders = device_.pool(lane).ref_count(from);
        const BlockId to = tables_.take(s.id, lane);
        device_.pool(lane).let_go(from, FreeEnd::Tail);
        s.tables[l][entry] = to;
        device_.filled(lane, to) = slots;
        transfers_.copy(lane, from, to, slots);
        const std::uint64_t bytes = spec_.block_bytes / spec_.block_size * slots;
        log_.tell(s.id, Reason::writes_shared(s.id, holders),
                  BlockCopied{lane, from, to, entry, slots, bytes});
    }
}

}  // namespace kv
