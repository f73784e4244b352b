#pragma once
// core/base/kv_head.hpp says which KV head a query head reads, and nobody else divides: a second
// division would not follow the first, nor the bug that is planted there.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

// One sentence per division of query heads: "core/x.cpp:3: divides heads; call group_size ..."
std::vector<std::string> check_kv_heads(const Tree& tree);

}  // namespace kv::gates
