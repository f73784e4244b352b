#pragma once
// Who watches a pass: a tap that looks at numbers on their way, and a clock that is told when a
// part is done. Either may be absent, and then costs nothing.

#include "core/engine/seam/pass_clock.hpp"
#include "core/engine/seam/tap_point.hpp"

namespace kv {

struct Watch {
    TapPoint tap;
    PassMark done;
};

}  // namespace kv
