#pragma once
// What the window remembers of the question: which recording, with which assumptions, and what came
// of it. Commands change what is asked for; the holder of recordings (app/live/whatif) writes what
// came of it.

#include <memory>
#include <optional>

#include "app/panels/whatif/weighed.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {

struct WhatIfUi {
    WhatIfWish wish;
    u64 again = 0;  // counts the wishes for the same file once more
    bool stop = false;
    bool spread = false;  // over all of Explore, not in its dock alone

    // While another one is weighed the last one stays.
    std::shared_ptr<const WeighedRecording> weighed;
    std::optional<double> progress;  // 0 to 1, while one is weighed
    Said refused;                    // why the last one that was asked for could not be weighed
};

}  // namespace kv
