// The roofs of this machine, measured once beside the run, when the run itself is at rest.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/live/live_run.hpp"
#include "app/live/measure_roofs.hpp"

namespace kv {

void LiveRun::measure() {
    const bool done = measuring_.valid() &&
                      measuring_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (done) roofs_ = measuring_.get();
    const bool quiet = session_ && !session_->busy() && !opening_ && !goal_ && !looking_.valid();
    if (!measures_ || !quiet) return;
    measures_ = false;
    roofs_.state = MachineRoofs::State::Measuring;
    const std::uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
    measuring_ = std::async(std::launch::async, [threads, wake = wake_] {
        const MachineRoofs roofs = measure_roofs({.threads = threads});
        if (wake) wake();
        return roofs;
    });
}

}  // namespace kv
