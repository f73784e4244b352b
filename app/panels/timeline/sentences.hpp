#pragma once
// What an event says to a person, and why it happened. Pure. Both halves are sentences with places,
// which are filled here. `what` is a text for each kind of event, event.freed and its kin in
// app/shell/texts/run.hpp. `why` comes with the event as a kind and numbers, a Reason, whose
// English stands in core/trace/event/reason.cpp; reason_in() of app/panels/view/sentence.hpp has
// its translation. log.cpp draws the row.

#include <optional>
#include <string_view>

#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct EventSentence {
    std::string_view name;  // BlockFreed
    std::optional<SeqId> request;
    Text what, why;  // "block 31 freed", "because request B finished"
};
EventSentence sentence_of(const Texts& text, const Snapshot& names, const Event& event);
EventSentence sentence_of(const Texts& text, const RunView& run, std::uint64_t number);

}  // namespace kv
