#pragma once
// One number for all that the cache holds: free lists, tables, what is kept, and the bytes of every
// filled slot.

#include <string>

#include "core/cache/layout/lane_shape.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/trace/snapshot.hpp"

namespace kv {

std::string hash_of_pool(const Snapshot& now, const Backend& backend, const LaneShape& lanes);

}  // namespace kv
