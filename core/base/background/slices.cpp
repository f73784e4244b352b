// Background work without threads: it waits in a row until somebody has time for it, or needs it.

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include "core/base/background/background.hpp"

namespace kv {
namespace {

class SliceWork;

// What has begun and is not done, oldest first. There is one thread, so nobody else looks.
std::vector<SliceWork*>& waiting() {
    static std::vector<SliceWork*> row;
    return row;
}

class SliceWork final : public Background {
public:
    explicit SliceWork(std::function<void()> work) : work_(std::move(work)) {
        waiting().push_back(this);
    }
    ~SliceWork() override { leave(); }  // nobody will ask what it would have come to

    bool done_within(double seconds) override {
        if (work_ && seconds > 0) do_it();
        return !work_;
    }
    void finish() override {
        if (wrong_) std::rethrow_exception(wrong_);
    }
    // It may begin further work and wait for it, and must not be begun twice meanwhile.
    void do_it() {
        leave();
        const std::function<void()> work = std::exchange(work_, nullptr);
        try {
            work();
        } catch (...) {
            wrong_ = std::current_exception();
        }
    }

private:
    void leave() {
        auto& row = waiting();
        row.erase(std::remove(row.begin(), row.end(), this), row.end());
    }
    std::function<void()> work_;  // none once it is done
    std::exception_ptr wrong_;
};

}  // namespace

std::unique_ptr<Background> begin_background(std::function<void()> work) {
    return std::make_unique<SliceWork>(std::move(work));
}

std::uint32_t threads_here() {
    return 1;
}

bool work_between_frames(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    const bool had_some = !waiting().empty();
    while (!waiting().empty() && Clock::now() < end) waiting().front()->do_it();
    return had_some;
}

}  // namespace kv
