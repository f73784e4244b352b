#pragma once
// The arrows of the house: which folder may include which, and where third-party headers may
// appear. check_arrows reads the #include lines, so it sees what the link lines cannot: headers
// need no linking.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per wrong line: "core/base/x.cpp:3: core/base may not include imgui.h (Dear ImGui
// ...)".
std::vector<std::string> check_arrows(const Tree& tree);

// The language subset of core: what emscripten 3.1.6 lacks, and what depends on the locale.
std::vector<std::string> check_core_subset(const Tree& tree);

}  // namespace kv::gates
