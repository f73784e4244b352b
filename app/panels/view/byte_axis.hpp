#pragma once
// The ticks of an axis that counts bytes, or things: round numbers of one unit, from 0 to at least
// the largest amount. Pure: no imgui.h.

#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

struct ByteAxis {
    Text unit;             // "GiB"
    List<AxisMark> marks;  // at bytes, with labels in the unit: "0", "16", "32"
    double max() const { return marks.back().at; }
};
ByteAxis byte_axis(u64 largest, UnitSystem system, int intervals);
// The same axis for what is counted one by one: "slots".
ByteAxis count_axis(u64 largest, Text unit, int intervals);

}  // namespace kv
