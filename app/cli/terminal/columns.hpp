#pragma once
// Rows of cells as lines of text: the first column to the left, all others to the right.

#include <string>
#include <vector>

namespace kv {

using TextRow = std::vector<std::string>;

// The rows as lines: each column as wide as its widest cell, two blanks apart. All rows have as
// many cells.
std::string aligned_columns(const std::vector<TextRow>& rows);

}  // namespace kv
