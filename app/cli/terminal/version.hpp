#pragma once
// What this build is: version, commit and build type. Which of them is known is decided by the
// build.

#include <string>

namespace kv {

std::string version();       // "0.1.0"
std::string libraries();     // "Dear ImGui 1.92.9b, ImPlot 1.1 WIP, GLFW 3.3.8"
std::string build_text();    // version, commit and build type, a line each
std::string version_text();  // the lines of --version; asks for GPUs, which takes a moment

}  // namespace kv
