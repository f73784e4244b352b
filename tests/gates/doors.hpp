#pragma once
// The README of a folder is its door: its first line says where one stands, and it names each file
// behind it.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per README of a folder of sources whose heading is not its path, and per source that
// it does not name in backquotes, with or without the ending. Tests have one door for all of them.
std::vector<std::string> check_doors(const Tree& tree);

}  // namespace kv::gates
