#pragma once
// Functions whose last bit differs between C libraries are not called where bits are shown: the
// project has its own in core/base/numbers/elementary.hpp. The paths that are made for one
// processor may (core/engine/cpu, cuda), and docs/reproducibility.md says so.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per call: "core/x.cpp:3: calls std::exp; use math::exp ..."
std::vector<std::string> check_same_bits(const Tree& tree);

}  // namespace kv::gates
