#pragma once
// What the drafts of a request came to: sums up to the cursor, what the same tokens would have read
// one by one, and a column for each checked read. Pure: no imgui.h.

#include <cstdint>
#include <optional>

#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/reused.hpp"

namespace kv {

struct DraftSums {
    std::uint64_t reads = 0, proposed = 0, accepted = 0, struck = 0, behind = 0;
    std::uint64_t tokens = 0;
    std::uint64_t bytes = 0;    // of keys and values, and what the draft model read
    std::uint64_t without = 0;  // bytes that the same tokens read one by one

    std::uint64_t rejected() const { return struck + behind; }
    std::uint64_t own() const { return tokens - accepted; }
    double per_read() const;
    double acceptance() const;  // of proposals that were judged
    double bytes_per_token() const;
    double without_per_token() const;
};
// The drafts that were checked before the cursor.
List<RunDraft> drafts_of(const RunView& run, const RunHistory& history, SeqId request);
DraftSums sum_drafts(const RunView& run, std::span<const RunDraft> drafts);

// Times of whole steps of the run, by the clock of the backend; 0: none was like that, or nobody
// measured.
struct DraftTimes {
    double with_us = 0, without_us = 0;  // for each new token
};
DraftTimes draft_times(const RunView& run, const RunHistory& history);

// How many tokens a draft has: what the setting says, else the longest one so far.
std::uint64_t usual_k(const RunView& run, std::span<const RunDraft> drafts);
bool drafts_are_on(const RunView& run);

enum class DraftPart : std::uint8_t { Own, Accepted, Struck, Behind };
// The parts of a draft from the foot; k + 1 of them unless the text ended inside the draft.
List<DraftPart> parts_of(const RunDraft& draft);

// The last columns that have room, all cells of one height.
struct DraftColumns {
    std::size_t first = 0, count = 0;  // of the drafts
    std::uint32_t most = 1;            // cells of the highest column
    float pitch = 0, cell_h = 0;
};
DraftColumns plan_columns(std::span<const RunDraft> drafts, float width, float height, float unit);

}  // namespace kv
