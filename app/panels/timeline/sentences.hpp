#pragma once
// What an event says to a person, and why it happened. Pure.

#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct EventSentence {
    Text what, why;  // "block 31 freed", "because request B finished"
};
EventSentence sentence_of(const Texts& text, const Snapshot& names, const Event& event);

}  // namespace kv
