#pragma once
// An entry of a tank as bytes that nobody but the history reads, and back.

#include <string>
#include <string_view>

#include "core/attach/tank/entry.hpp"

namespace kv {

std::string packed(const TankEntry& entry);
TankEntry unpacked_entry(std::string_view bytes);  // of packed(), nothing else

}  // namespace kv
