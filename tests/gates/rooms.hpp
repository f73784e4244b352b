#pragma once
// The rooms of the house. A folder is small enough to look over, has a README that is its door, and
// is cut into rooms where it is not; rooms of one folder stand in an order, and a file includes
// only what stands before its own room. So nothing goes in a circle inside a folder either.

#include <string>
#include <vector>

#include "tests/gates/tree.hpp"

namespace kv::gates {

inline constexpr std::size_t kMostFiles = 25;     // sources of one folder
inline constexpr std::size_t kMostNamesakes = 4;  // whose names begin with the same word

// One sentence per include against the order of the rooms: "core/engine/seam/batch.hpp:7: the room
// seam of core/engine may not include core/engine/run/engine.hpp, which does not stand before it."
std::vector<std::string> check_order_of_rooms(const Tree& tree);

// One sentence per row of the table in docs/architecture.md that is not the order kept here, and
// per order that has no row.
std::vector<std::string> check_table_of_rooms(const Tree& tree);

// One sentence per folder of sources that is too large, has no README, or has files whose common
// first word ought to be a folder.
std::vector<std::string> check_size_of_rooms(const Tree& tree);

}  // namespace kv::gates
