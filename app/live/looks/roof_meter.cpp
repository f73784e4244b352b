#include "app/live/looks/roof_meter.hpp"

#include <cstdint>
#include <utility>

#include "app/live/looks/measure_roofs.hpp"
#include "app/session/card_roofs.hpp"
#include "core/engine/settings/settings.hpp"

namespace kv {
namespace {

// The backends on this machine's processor have the same roofs.
std::string roofs_owner(const std::string& backend) {
    return cuda_device_of(backend) ? backend : "cpu";
}

MachineRoofs measured_roofs(const std::string& owner, std::uint32_t threads) {
    if (owner == "cpu") return measure_roofs({.threads = threads});
    const auto card = card_roofs(owner);
    if (!card) return {};
    return {MachineRoofs::State::Measured, card->bytes_per_second, card->flops_per_second, 0};
}

}  // namespace

RoofMeter::~RoofMeter() {
    if (measuring_.valid()) measuring_.wait();
}

void RoofMeter::follow(const std::string& backend) {
    if (measuring_.is_ready(0)) roofs_ = measuring_.get();
    if (!is_on_ || measuring_.valid()) return;
    std::string owner = roofs_owner(backend);
    if (owner == owner_) return;
    owner_ = owner;
    roofs_ = {};
    roofs_.state = MachineRoofs::State::Measuring;
    const std::uint32_t threads = threads_here();
    measuring_ = later([threads, owner = std::move(owner), wake = wake_] {
        const MachineRoofs roofs = measured_roofs(owner, threads);
        if (wake) wake();
        return roofs;
    });
}

}  // namespace kv
