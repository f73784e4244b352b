#pragma once
// One name, one type. Two types of one name in two files compile and link, and then vectors of the
// one are grown by code that was made for the other: the compiler need not say so.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per type of app, core, cuda or bench that is defined a second time outside of
// unnamed namespaces: "app/b.hpp:3: kv::Segment is another type in app/a.hpp."
std::vector<std::string> check_one_name(const Tree& tree);

}  // namespace kv::gates
