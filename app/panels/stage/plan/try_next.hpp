#pragma once
// What to try next on a sentence of one's own: three steps that change the picture, each a command
// that can be taken back. Pure.

#include "app/panels/view/run.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct TryStep {
    const char* id;
    Text label;
    CommandId command;
    Text argument = {};
    std::string_view key = {};
    bool enabled = true;
};
// Three commands to try; none for a run that is not of one's own sentence.
List<TryStep> try_next(const RunView& run, const Texts& text);

}  // namespace kv
