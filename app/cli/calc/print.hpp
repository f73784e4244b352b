#pragma once
// The bill as text: a table for people, one JSON object for scripts. The names of the JSON are
// fixed.

#include <string>
#include <vector>

#include "app/cli/calc/input.hpp"

namespace kv {

std::string calc_table(const CalcInput& input, const std::vector<Derived>& bill, bool quiet);
std::string calc_json(const CalcInput& input, const std::vector<Derived>& bill);

// Models side by side, for the same text: a table for people, one for a page, one for scripts.
std::string compared_table(const std::vector<CalcInput>& models);
std::string compared_markdown(const std::vector<CalcInput>& models);
std::string compared_json(const std::vector<CalcInput>& models);

std::string presets_table();
std::string presets_json();

}  // namespace kv
