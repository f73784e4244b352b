#pragma once
// What the cursor stands at, in words: the part of the pass, and what the step does for whom. Pure.

#include "app/panels/view/history.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct PositionWord {
    Text label, value, rest;  // "op", "4", "of 6"
};
// Layer and op of the operation that was computed last; empty between two iterations.
List<PositionWord> position_words(const Texts& text, const RunView& run);

const char* op_name(const Texts& text, Op op);

// "G prefills 32 tokens; A to F decode one token each".
Text step_sentence(const Texts& text, const RunView& run, const RunHistory& history);

// Names with commas and "and".
Text list_of(const Texts& text, std::span<const Text> names);

}  // namespace kv
