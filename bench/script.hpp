#pragma once
// A script that measures what a program in C++ cannot, such as building the tree or a page in a
// browser. It prints "NAME NUMBER" lines, a figure's samples one after the other, or "skipped WHY".

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/row.hpp"

namespace kv::bench {

struct Measured {
    std::map<std::string, std::vector<double>> figures;
    std::optional<std::string> skipped;
};
// `script` lies in the tree. Throws kv::Error (World) where it ends badly or says nothing.
Measured run_script(const std::string& script, const std::vector<std::string>& words);

}  // namespace kv::bench
