#pragma once
// One number for what a sequence stores: its table, and the bytes of every slot that it has
// written. Two runs with the same hash hold the same cache.

#include <cstdint>
#include <string>

#include "core/engine/seam/backend.hpp"

namespace kv {

// 16 hex digits.
std::string state_hash(const Backend& backend, const BlockTables& tables,
                       std::uint32_t stored_tokens);

}  // namespace kv
