#pragma once
// The results as a table for people and as one JSON object for scripts.

#include <string>
#include <vector>

#include "bench/environment.hpp"
#include "bench/row.hpp"

namespace kv::bench {

std::string as_table(const Environment& environment, const std::vector<Result>& results);
std::string as_json(const Environment& environment, const std::vector<Result>& results);

}  // namespace kv::bench
