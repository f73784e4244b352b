#pragma once
// What the window remembers of the question: which recording, with which assumptions, and what came
// of it. Commands change what is asked for; the holder of recordings (app/live/whatif) writes what
// came of it.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "app/panels/whatif/weighed.hpp"
#include "app/shell/texts/said.hpp"

namespace kv {

// Block sizes or orders of eviction, which are weighed once they are looked at.
struct WhatIfSide {
    std::shared_ptr<const WhatIfChoices> choices;
    std::optional<double> progress;  // 0 to 1, while they are weighed
    Said refused;                    // why they could not be
    bool stopped = false;            // until they are looked at again
};

struct WhatIfUi {
    WhatIfAsk ask;
    u64 again = 0;  // counts how often the same file was asked for again
    bool stop = false;
    bool spread = false;  // over all of Explore, not in its dock alone
    WhatIfView view = WhatIfView::Pool;

    // While another one is weighed the last one stays.
    std::shared_ptr<const WeighedRecording> weighed;
    std::optional<double> progress;  // 0 to 1, while one is weighed
    Said refused;                    // why the last one that was asked for could not be weighed
    std::array<WhatIfSide, kWhatIfViewNames.size()> sides;  // of `weighed`, by view

    WhatIfSide& side() { return sides[static_cast<std::size_t>(view)]; }
    bool is_weighing() const {
        return progress || std::any_of(sides.begin(), sides.end(), [](const WhatIfSide& side) {
                   return side.progress.has_value();
               });
    }
};

}  // namespace kv
