#pragma once
// The allocator race: six allocators over one workload as strips of memory over time, what runs and
// waits at the playhead, and the means beside what the PagedAttention paper measured.

#include "app/panels/race/ui.hpp"
#include "app/shell/ui.hpp"

namespace kv {

void draw_race(const Ui& ui, RaceUi& own);

}  // namespace kv
