#pragma once
// The same memory put to another use: blocks of other sizes, and other orders of eviction, each in
// a few sizes of memory. Every point is replayed by itself.

#include <array>

#include "core/whatif/study/study.hpp"

namespace kv {

// Times the pool that all is held against.
inline constexpr std::array kChoiceMemories{0.5, 1.0, 2.0};
inline constexpr std::size_t kChoiceHere = 1;

struct WhatIfChoice {
    WhatIfSetting setting;
    // One for each of the memories; nothing where not a single block fits in it.
    std::array<std::optional<WhatIfPoint>, kChoiceMemories.size()> points;
    double most = 0;  // the hit rate of a pool that never removes anything

    const std::optional<WhatIfPoint>& here() const { return points[kChoiceHere]; }
};

// Doublings of the recorded size up to eight times, and down to a quarter where the tokens are
// known; the smallest ones go where a recording would ask for more blocks than can be weighed.
std::vector<WhatIfSetting> block_size_choices(const Recording& recording);
std::vector<WhatIfSetting> order_choices(const Recording& recording);

// Each setting in the memory of `pool` blocks of the recorded size. Nothing when `progress` stopped
// it.
std::optional<std::vector<WhatIfChoice>> weigh_choices(WhatIfStudy& study,
                                                       const std::vector<WhatIfSetting>& settings,
                                                       u64 pool, const WhatIfProgress& progress);

// The one that finds most in the memory of the pool itself, the first of equals; null where none
// fits in it.
const WhatIfChoice* best_choice(const std::vector<WhatIfChoice>& choices);

}  // namespace kv
