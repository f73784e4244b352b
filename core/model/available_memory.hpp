#pragma once
// How much memory can be had without pushing other programs out, as Linux estimates it. Nothing on
// a system that does not say.

#include <optional>
#include <string>

#include "core/base/checked.hpp"

namespace kv {

std::optional<u64> available_memory(const std::string& meminfo = "/proc/meminfo");

}  // namespace kv
