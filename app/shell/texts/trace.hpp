#pragma once
// The words about a run that was read from a file of events, and about what such a file lacks.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishTrace = std::to_array<EnglishText>({
    {"event.stored.one", "block {block} stored"},
    {"event.stored", "{n} blocks stored, from block {block} on"},
    {"event.stored.below", "{n} stored in the tier {medium}"},
    {"event.removed.one", "block {block} removed"},
    {"event.removed", "{n} blocks removed, from block {block} on"},
    {"event.removed.below", "{n} removed from the tier {medium}"},
    {"event.cleared", "all blocks removed"},
    {"trace.badge", "Recorded"},
    {"trace.badge.what", "no engine behind it"},
    {"trace.badge.tip", "This run was read from a file of events. It can be stepped and searched, but not changed, and what no event says is not shown."},
    {"trace.bytes.title", "No bytes in this file"},
    {"trace.bytes.why", "{file} says which block took which token, not what was written there. Keys and values are seen in a scene, where the model runs."},
    {"trace.attention.title", "No attention in this file"},
    {"trace.attention.why", "Attention is computed from the weights of a model, and {file} has none. It is seen in a scene."},
    {"trace.price.title", "Nothing to measure with in this file"},
    {"trace.price.why", "What a codec or a policy costs is measured with the weights of a model, and {file} has none."},
    {"trace.equation.title", "The price of a token is not in this file"},
    {"trace.equation.why", "How many bytes a token takes follows from the model, which {file} does not hold. Until then everything is counted in token slots."},
    {"trace.roofline.title", "No roofline for this file"},
    {"trace.roofline.why", "What the heads and the widths of the model are is not in {file}, so nothing can be said of bytes and operations."},
    {"trace.settings.what", "As {file} tells them. A record cannot be changed; a scene can."},
    {"trace.settings.title", "No settings in this file"},
    {"trace.settings.why", "{file} begins without them. What happened is shown all the same."},
    {"trace.file", "recorded in"},
    {"trace.slots", "slots"},
    {"trace.slots_of", "{n} {n:slot|slots}"},
    {"trace.no_bytes", "no bytes in this file"},
    {"trace.no_reads", "not in this file"},
    {"trace.no_requests.title", "No requests in this file"},
    {"trace.no_requests.why", "It tells of blocks by the hash of their content, not of who asked for them."},
    {"trace.removed_unknown", "{n} {n:block was|blocks were} removed that had been stored before the recording began; {n:it|they} cannot be shown."},
    {"trace.below_unseen", "{n} {n:block was|blocks were} stored in a lower tier without being seen on the device; {n:it has|they have} no place in the picture."},
    {"trace.others", "Shown is rank {rank}, group {group}; {n} {n:block|blocks} of other ranks and groups {n:is|are} counted, and shown with file.read_as."},
    {"trace.other_media", "{n} {n:block was|blocks were} stored in {media}; {n:it has|they have} no place in the picture."},
    {"trace.unknown", "{n} {n:event|events} of an unknown kind or form {n:was|were} passed over: {kinds}."},
    {"trace.other_lines", "{n} {n:line|lines} of another kind {n:was|were} passed over."},
    {"trace.partial", "{n} {n:block was|blocks were} published before {n:it was|they were} full."},
    {"trace.without_tokens", "{n} {n:block has|blocks have} no tokens here, as the file does not say which are whose."},
    {"trace.missed", "{n} {n:batch is|batches are} missing from the file."},
    {"trace.restarts", "The server started anew {n} {n:time|times}."},
});
// clang-format on

}  // namespace kv
