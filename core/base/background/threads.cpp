// Background work where there are threads: one for each.

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "core/base/background/background.hpp"
#include "core/base/background/give_way.hpp"

namespace kv {
namespace {

class ThreadWork final : public Background {
public:
    explicit ThreadWork(std::function<void()> work)
        : done_(std::async(std::launch::async, std::move(work))) {}
    bool done_within(double seconds) override {
        const std::chrono::duration<double> most(std::min(seconds, kForever));
        return !done_.valid() || done_.wait_for(most) == std::future_status::ready;
    }
    void finish() override { done_.get(); }

private:
    std::future<void> done_;  // which waits at its end
};

}  // namespace

std::unique_ptr<Background> begin_background(std::function<void()> work) {
    return std::make_unique<ThreadWork>(std::move(work));
}

std::uint32_t threads_here() {
    return std::max(1u, std::thread::hardware_concurrency());
}

void give_way() {}

double seconds_at_work() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

bool work_between_frames(double) {
    return false;
}

}  // namespace kv
