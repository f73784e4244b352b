#pragma once
// What Present says of a run, and the memory it draws. Pure: every sentence follows from the
// snapshot, and says the one thing about the request in focus that is most worth saying.

#include <array>

#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct PresentRunWords {
    Text caption;
    std::array<Text, 2> prose;
};
PresentRunWords present_run_words(const RunView& run, const RunFocus& focus, const Texts& text);

// Bytes after each step up to the cursor: in pages, and if each request had one piece of memory for
// its prompt and the longest answer it may give.
struct HeldMemory {
    List<double> steps, paged, reserved;
    double most = 0;
};
HeldMemory held_memory(const RunView& run);

}  // namespace kv
