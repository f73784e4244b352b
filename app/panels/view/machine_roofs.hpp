#pragma once
// What this machine can do at most, as measured once: a plain value that whoever owns the run fills
// in. Without it nothing that a clock has said is drawn, so that pictures are the same every time.

#include <cstdint>

namespace kv {

struct MachineRoofs {
    enum class State : std::uint8_t { NotAsked, Measuring, Measured } state = State::NotAsked;
    double bytes_per_second = 0, flops_per_second = 0;
    std::uint32_t threads = 0;  // 0: a card, whose cores nobody counts
};

}  // namespace kv
