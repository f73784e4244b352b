#pragma once
// What the window says stands in its table of words (app/shell/texts), so that a translation
// reaches all of it: no room of the window throws a sentence of its own or builds the English table
// to take one from it, every place of a sentence is filled where it is said, and every refusal of
// the table is thrown by somebody.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per fault: "app/live/x.cpp:3: throws words of its own; ..."
std::vector<std::string> check_words(const Tree& tree);

}  // namespace kv::gates
