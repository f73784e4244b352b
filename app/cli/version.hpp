#pragma once
// What this build is: version, commit and build type. Which of them is known is decided by the
// build.

#include <string>

namespace kv {

std::string version();       // "0.1.0"
std::string version_text();  // the lines of --version

}  // namespace kv
