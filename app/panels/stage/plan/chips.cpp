#include "app/panels/stage/plan/chips.hpp"

#include <algorithm>

namespace kv {
namespace {

bool has_ended(const RequestView& r) {
    return r.state == RequestState::Finished || r.state == RequestState::Refused;
}

// The state of the positions that the newest draft is about: the query that read for all of them,
// the proposals, and what the model says behind them.
std::optional<ChipState> drafted_state(const RequestView& r, std::uint32_t position) {
    if (!r.draft || has_ended(r)) return std::nullopt;
    const DraftView& draft = *r.draft;
    if (draft.verified && position + 1 == draft.first) return ChipState::Query;
    if (position < draft.first) return std::nullopt;
    const std::uint32_t i = position - draft.first;
    if (i >= draft.tokens.size())
        return draft.own && i == draft.accepted ? std::optional(ChipState::Own) : std::nullopt;
    if (!draft.verified) return ChipState::Ghost;
    if (i < draft.accepted) return ChipState::Accepted;
    return i == draft.accepted && draft.struck > 0 ? ChipState::Struck : ChipState::Behind;
}

ChipState state_of(const LaneAt& lane, const StageFacts& facts, TokenAt at) {
    const Snapshot& now = lane.now;
    const RequestView& r = now.requests[at.request.index()];
    if (const auto drafted = drafted_state(r, at.position)) return *drafted;
    if (next_position(now, at.request) == at.position) return ChipState::Next;
    if (at.position >= r.tokens.size()) return ChipState::Empty;
    if (has_ended(r)) return ChipState::Past;
    if (is_running(now, at.request) && query_position(now, at.request) == at.position)
        return ChipState::Query;
    if (at.position >= r.stored + r.scheduled) return ChipState::Queued;
    if (at.position >= r.stored) return ChipState::Computing;
    if (is_dropped(lane, at)) return ChipState::Dropped;
    if (place_of_token(lane, at)) return ChipState::Stored;
    const auto entry = entry_of(lane, at);
    return entry && facts.host_place(at.request, *entry) ? ChipState::InHost : ChipState::Missing;
}

}  // namespace

std::optional<std::uint32_t> next_position(const Snapshot& now, SeqId request) {
    const RequestView& r = now.requests[request.index()];
    const std::size_t known = r.tokens.size();
    if (r.scheduled == 0 || r.stored + r.scheduled < known || r.n_new >= r.max_new)
        return std::nullopt;
    return static_cast<std::uint32_t>(known);
}

Chip chip_of(const LaneAt& lane, const StageFacts& facts, TokenAt at) {
    const RequestView& r = lane.now.requests[at.request.index()];
    Chip chip{.state = state_of(lane, facts, at)};
    if (chip.state == ChipState::Empty) return chip;
    if (chip.state == ChipState::Struck || chip.state == ChipState::Behind) {
        chip.generated = true;
        return chip;
    }
    chip.generated = at.position >= r.n_prompt;
    const auto place = place_of_token(lane, at);
    const bool computing = at.position >= r.stored && at.position < computed_until(r);
    if (computing) chip.bar = facts.written_share();
    const bool kept = at.position < r.stored || chip.state == ChipState::Accepted;
    chip.has_bar = place && (kept || (computing && chip.bar > 0));
    chip.shared = chip.has_bar && lane.blocks()[place->block.index()].ref_count > 1;
    chip.reused = chip.has_bar && (chip.shared || at.position < r.cached_prompt);
    return chip;
}

std::uint32_t rows_of(const LaneAt& lane, SeqId request) {
    const Snapshot& now = lane.now;
    if (request.index() >= now.requests.size() || now.block_size == 0) return 0;
    const Table* table = lane.table(request);
    const auto held = static_cast<std::uint32_t>(table == nullptr ? 0 : table->size());
    const RequestView& r = now.requests[request.index()];
    auto known = static_cast<std::uint32_t>(r.tokens.size());
    if (r.draft && !has_ended(r))
        known =
            std::max(known, r.draft->first + static_cast<std::uint32_t>(r.draft->tokens.size()));
    const auto last = known == 0 ? std::nullopt : entry_of(lane, {request, known - 1});
    return std::max(held, last ? *last + 1 : 0);
}

}  // namespace kv
