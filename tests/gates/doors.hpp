#pragma once
// The README of a folder is its door: its first line says where one stands, it names each file
// behind it, and what else it names is there.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per README of a folder of sources whose heading is not its path, and per source that
// it does not name in backquotes, with or without the ending. Tests have one door for all of them.
std::vector<std::string> check_doors(const Tree& tree);

// One sentence per name that a README of app, core or cuda says in backquotes and that stands in no
// other file: a function that was renamed takes its readers nowhere.
std::vector<std::string> check_names(const Tree& tree);

// One sentence per README with a table "where to look for" that docs/where-to-look.md, the list of
// them all, does not lead to.
std::vector<std::string> check_index(const Tree& tree);

}  // namespace kv::gates
