#pragma once
// The tree names no machine: no home folder, no package host, no folder beside the tree. Whoever
// clones it has none of them.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per line that names one: "scripts/x:3: names a machine: ..."
std::vector<std::string> check_leaks(const Tree& tree);

}  // namespace kv::gates
