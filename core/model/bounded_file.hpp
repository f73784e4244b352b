#pragma once
// Reads a whole regular file of bounded size into memory that we own. Nothing is mapped, so a file
// that is cut short meanwhile is an error and not a signal; a folder, a pipe or a device is refused
// unread.

#include <string>
#include <variant>

#include "core/base/checked.hpp"

namespace kv {

struct FileRefusal {
    std::string rule;    // "is a folder", "has 2,000,000 bytes and the limit is 1,048,576"
    std::string advice;  // what to do, a sentence without its full stop
};

std::variant<std::string, FileRefusal> read_bounded_file(const std::string& path, u64 max_bytes);

}  // namespace kv
