#pragma once
// What follows from a snapshot and is asked by more than one panel. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "app/widgets/tags.hpp"
#include "core/base/reused_text.hpp"
#include "core/cache/eviction/eviction_spec.hpp"

namespace kv {

inline bool is_known(const Snapshot& now, SeqId request) {
    return request.index() < now.requests.size();
}

// Iterations from its arrival to its first token, the one that sampled it included; nothing while
// there is none.
std::optional<std::uint32_t> steps_to_first_token(const RequestView& request);

// The token that looks back at this moment: the last one being computed, else the last one stored.
std::optional<std::uint32_t> query_position(const Snapshot& now, SeqId request);
// What the inspector shows: the selected token, or the query token; nothing while none is stored.
std::optional<std::uint32_t> inspected_position(const Snapshot& now, const RunFocus& focus);

// Layers whose keys and values the step at hand has written, of the tokens that it computes. Only
// at its end do the slots count as filled.
std::uint32_t layers_written(const RunView& run);
// Behind the last token whose keys and values the step at hand writes, proposed ones among them.
std::uint32_t computed_until(const RequestView& request);
// The token that the step at hand writes into that slot.
std::optional<TokenAt> token_being_stored(const LaneAt& lane, BlockId block, Slot slot);

// The pool in numbers, all lanes together; bytes follow from the layout.
struct PoolCounts {
    std::uint64_t blocks = 0, used = 0, cached = 0, free = 0;
    std::uint64_t live_slots = 0;   // with keys and values, in used blocks, shared ones once
    std::uint64_t dead_slots = 0;   // given up by all who hold the block
    std::uint64_t empty_slots = 0;  // of used blocks, nothing was written yet
    std::uint64_t allocated_slots = 0;
    std::uint64_t host_held = 0, host_blocks = 0, file_held = 0, file_blocks = 0;
};
PoolCounts count_pool(const Snapshot& now);
std::uint64_t bytes_per_token(const KvLayout& layout);
std::uint64_t bytes_per_block(const KvLayout& layout);
// Bytes of one slot or block of one lane: a count of all lanes is multiplied with them.
std::uint64_t slot_bytes(const RunView& run);
std::uint64_t block_bytes(const RunView& run);
// A record of a run says how many tokens are held, not how large one is. Then what is held is
// measured in token slots wherever bytes would stand: one for a token, and for a slot of a lane.
bool knows_bytes(const KvLayout& layout);
std::uint64_t measure_of_token(const KvLayout& layout);
std::uint64_t measure_of_slot(const RunView& run);
std::uint64_t measure_of_block(const RunView& run);
// The same of a step, whose pool may be another one than that of the cursor.
TokenSize measure_at(const RunView& run, std::uint64_t moment);
std::uint64_t measure_of_block(const RunView& run, const Sample& sample);
// "8 KiB", or "16 slots".
Text measured(std::uint64_t amount, const KvLayout& layout, const Texts& text);

bool is_running(const Snapshot& now, SeqId request);
std::size_t tag_index(std::string_view name, SeqId request);
RequestTag tag_of(const Snapshot& now, SeqId request);
// Requests in the order of lists: those that live by their tags, then those that have ended.
List<SeqId> requests_in_order(const Snapshot& now);
Text name_of_request(const Snapshot& now, SeqId request);
std::optional<SeqId> request_named(const Snapshot& now, std::string_view name);

// The token at a position of a request: a known one, or one that was proposed and not yet checked.
std::optional<std::uint32_t> token_at(const RequestView& request, std::uint32_t position);

// A word as it is shown: without the spaces that the token may begin with.
std::string_view bare_word(std::string_view word);
// The word of a token; in quotation marks where it is spaces alone.
Text spoken_word(const RunView& run, std::uint32_t token);

EvictionSpec policy_of(const std::map<std::string, std::string>& settings);
EvictionSpec policy_of(const RunView& run);
// False where each step gives back what it stored, so that the next one computes all of it again.
bool keeps_cache(const RunView& run);
// Positions that the finished steps up to the cursor have computed, those that came again counted
// each time.
std::uint64_t positions_computed(const RunView& run);
// Keys that the query at a position looks at, itself among them, where `gone` tokens before it were
// dropped. A policy that hides what is far away bounds them inside a step, too.
std::uint64_t keys_seen(const EvictionSpec& policy, std::uint64_t position, std::uint64_t gone);

}  // namespace kv
