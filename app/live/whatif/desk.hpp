#pragma once
// Weighs the recordings that the window asks about, on threads of its own. What came of it is
// written into the window's memory between two frames.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/live/loading/background_load.hpp"
#include "app/live/whatif/weigh.hpp"
#include "app/panels/whatif/ui.hpp"

namespace kv {

class WhatIfDesk {
public:
    // `wake` is called on the thread when something is ready.
    explicit WhatIfDesk(std::function<void()> wake)
        : weighing_(wake), choosing_(wake), wake_(std::move(wake)) {}

    // Called once per frame: starts what is asked for and takes over what is ready, waiting at most
    // that long.
    void tick(WhatIfUi& own, double seconds);
    void finish(WhatIfUi& own);  // for pictures: until nothing is under way
    bool busy() const { return weighing_.busy() || choosing_.busy(); }

private:
    void start(WhatIfUi& own);
    void take(WhatIfUi& own, double seconds);
    void take_over(WhatIfUi& own, WeighedStudy weighed);
    // Block sizes or orders of eviction of what was weighed last.
    void start_view(WhatIfUi& own);
    void take_view(WhatIfUi& own, double seconds);
    WhatIfDone woken(const WhatIfDone& tell) const;

    BackgroundLoad<WeighedStudy> weighing_;
    BackgroundLoad<std::shared_ptr<const WhatIfChoices>> choosing_;
    std::function<void()> wake_;
    std::optional<std::pair<WhatIfAsk, u64>> asked_;  // under way, or the last one
    std::shared_ptr<WhatIfStudy> study_;              // of what was weighed last
    u64 weighed_again_ = 0;                           // what `again` was then
    WhatIfView chosen_ = WhatIfView::Pool;            // under way
};

}  // namespace kv
