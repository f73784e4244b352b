#pragma once
// What is said of a file of a model folder that cannot be used. Internal to the readers.

#include <string>

#include "core/base/error.hpp"

namespace kv {

constexpr const char* kAsPublished = "use the file as it was published";

// `subject` names the file and ends with the space or colon that the rule follows.
[[noreturn]] inline void refuse_file(const std::string& subject, const std::string& rule,
                                     const std::string& advice) {
    throw Error{ErrorCode::World, subject + rule + "; " + advice + "."};
}

}  // namespace kv
