#pragma once
// Two numbers of this machine: how fast its threads together read memory that no cache holds, and
// how many float operations they do at most. It takes about a fifth of a second and belongs on a
// thread of its own; while something else computes, the numbers come out too low.

#include <cstdint>

#include "app/panels/view/machine_roofs.hpp"

namespace kv {

struct RoofMeasure {
    std::uint32_t threads = 1;
    std::uint64_t bytes = std::uint64_t{256} << 20;  // more than the caches of most machines
    double seconds = 0.05;                           // for each of the two
};
MachineRoofs measure_roofs(const RoofMeasure& measure);

}  // namespace kv
