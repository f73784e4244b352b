#pragma once
// The roofs of what a run computes on, measured beside the run, when the run itself is at rest: of
// this machine, or of the card that the backend names. Pictures never ask.

#include <functional>
#include <string>

#include "app/panels/view/machine_roofs.hpp"
#include "core/base/background/later.hpp"

namespace kv {

class RoofMeter {
public:
    explicit RoofMeter(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~RoofMeter();

    void switch_on() { is_on_ = true; }
    // Measures the roofs of the backend of that name. To be called while nothing else computes.
    void follow(const std::string& backend);
    const MachineRoofs& roofs() const { return roofs_; }

private:
    std::function<void()> wake_;
    bool is_on_ = false;
    Later<MachineRoofs> measuring_;
    std::string owner_;  // "cpu", or a card's backend; empty: nobody's yet
    MachineRoofs roofs_;
};

}  // namespace kv
