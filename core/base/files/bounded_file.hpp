#pragma once
// Reads a whole regular file of bounded size into memory that we own.

#include <string>
#include <variant>

#include "core/base/files/regular_file.hpp"

namespace kv {

std::variant<std::string, FileRefusal> read_bounded_file(const std::string& path, u64 max_bytes);

}  // namespace kv
