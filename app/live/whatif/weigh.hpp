#pragma once
// A recording weighed as it was asked for: read, passed over once, and each pool of the picture
// replayed. Block sizes and orders are weighed from the same study, once somebody looks at them.
// Used by the desk on a thread of its own; by itself for tests and for whoever has the time.

#include <functional>
#include <memory>

#include "app/panels/whatif/weighed.hpp"

namespace kv {

// `done` in [0, 1]; false stops it, and nothing comes back. Throws kv::Error for a file that cannot
// be weighed.
using WhatIfDone = std::function<bool(double done)>;
struct WeighedStudy {
    std::shared_ptr<const WeighedRecording> recording;  // null: stopped
    std::shared_ptr<WhatIfStudy> study;
};
WeighedStudy weigh_recording(const WhatIfAsk& ask, const WhatIfDone& tell);

// Weighs block sizes or orders of eviction, in the memory that `recording` is held against.
std::shared_ptr<const WhatIfChoices> weigh_view(WhatIfStudy& study,
                                                const WeighedRecording& recording, WhatIfView view,
                                                const WhatIfDone& tell);

}  // namespace kv
