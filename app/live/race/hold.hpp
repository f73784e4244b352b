#pragma once
// A race held as it was asked for: the workload made or read, and each allocator raced over it.
// Used by the desk on a thread of its own; by itself for tests and for whoever has the time.

#include <memory>

#include "app/panels/race/raced.hpp"
#include "core/base/progress.hpp"

namespace kv {

// Throws kv::Error for a trace that cannot be read.
std::shared_ptr<const RacedWorkload> hold_race(const RaceAsk& ask, const Progress& tell);

}  // namespace kv
