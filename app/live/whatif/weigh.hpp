#pragma once
// A recording weighed from its wish: read, passed over once, and each pool of the picture replayed.
// Used by the desk on a thread of its own; by itself for tests and for whoever has the time.

#include <functional>
#include <memory>

#include "app/panels/whatif/weighed.hpp"

namespace kv {

// `done` in [0, 1]; false stops it, and nothing comes back. Throws kv::Error for a file that cannot
// be weighed.
using WhatIfDone = std::function<bool(double done)>;
std::shared_ptr<const WeighedRecording> weigh_recording(const WhatIfWish& wish,
                                                        const WhatIfDone& tell);

}  // namespace kv
