// The roofs of what a run computes on, measured beside the run, when the run itself is at rest: of
// this machine, or of the card that the backend names.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/live/live_run.hpp"
#include "app/live/measure_roofs.hpp"
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

void LiveRun::measure() {
    const bool done = measuring_.valid() &&
                      measuring_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (done) roofs_ = measuring_.get();
    const bool quiet = session_ && !session_->busy() && !opening_ && !goal_ && !looking_.valid() &&
                       !measuring_.valid();
    if (!measures_ || !quiet) return;
    std::string owner = roofs_owner(session_->settings().backend);
    if (owner == roofs_owner_) return;
    roofs_owner_ = owner;
    roofs_ = {};
    roofs_.state = MachineRoofs::State::Measuring;
    const std::uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
    measuring_ = std::async(std::launch::async, [threads, owner = std::move(owner), wake = wake_] {
        const MachineRoofs roofs = measured_roofs(owner, threads);
        if (wake) wake();
        return roofs;
    });
}

}  // namespace kv
