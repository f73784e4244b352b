#pragma once
// A race held from its wish: the workload made or read, and each allocator raced over it. Used by
// the desk on a thread of its own; by itself for tests and for whoever has the time.

#include <functional>
#include <memory>

#include "app/panels/race/raced.hpp"

namespace kv {

// `done` in [0, 1]; false stops it, and nothing comes back. Throws kv::Error for a trace that
// cannot be read.
using RaceTell = std::function<bool(double done)>;
std::shared_ptr<const RacedWorkload> hold_race(const RaceAsk& ask, const RaceTell& tell);

}  // namespace kv
