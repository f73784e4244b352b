#pragma once
// The ticks of an axis that counts bytes, or things: round numbers of one unit, from 0 to at least
// the largest amount. Pure: no imgui.h.

#include <string>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/units.hpp"

namespace kv {

struct ByteAxis {
    std::string unit;                 // "GiB"
    std::vector<double> at;           // bytes
    std::vector<std::string> labels;  // the same in the unit: "0", "16", "32"
    double max() const { return at.back(); }
};
ByteAxis byte_axis(u64 largest, UnitSystem system, int intervals);
// The same for what is counted one by one: "slots".
ByteAxis count_axis(u64 largest, std::string unit, int intervals);

}  // namespace kv
