#include "core/engine/cpu/thread_pool.hpp"

#include <algorithm>
#include <chrono>

namespace kv::cpu {
namespace {

// A pass has many short jobs: for so long a thread looks for the next one before it sleeps.
constexpr std::chrono::microseconds kSpin{20};

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Until the value is no longer `old`: spinning first, then asleep.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    constexpr int kLooksPerClock = 64;  // the clock costs as much as a few looks
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
        for (int i = 0; i < kLooksPerClock; ++i) {
            const std::uint32_t now = value.load(std::memory_order_acquire);
            if (now != old) return now;
            pause();
        }
    } while (std::chrono::steady_clock::now() < end);
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(std::size_t workers) {
    thrown_.resize(workers + 1);
    workers_.reserve(workers);
    for (std::size_t i = 0; i < workers; ++i) workers_.emplace_back([this, i] { work(i + 1); });
}

ThreadPool::~ThreadPool() {
    ending_.store(true, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_all(Call call) {
    call_ = call;
    unfinished_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    do_part(0);
    for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;)
        left = wait_for_change(unfinished_, left);
    for (std::exception_ptr& thrown : thrown_)
        if (thrown) {
            const std::exception_ptr first = thrown;
            std::fill(thrown_.begin(), thrown_.end(), nullptr);
            std::rethrow_exception(first);
        }
}

void ThreadPool::work(std::size_t part) {
    for (std::uint32_t round = 0;;) {
        // Rounds do not overlap, so the change is always to the next one.
        round = wait_for_change(round_, round);
        if (ending_.load(std::memory_order_relaxed)) return;
        do_part(part);
        if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    }
}

void ThreadPool::do_part(std::size_t part) {
    try {
        call_.function(call_.context, part);
    } catch (...) {
        thrown_[part] = std::current_exception();
    }
}

Range share_of(std::size_t n, std::size_t grain, std::size_t part, std::size_t parts) {
    const std::size_t grains = (n + grain - 1) / grain;
    return {std::min(n, grains * part / parts * grain),
            std::min(n, grains * (part + 1) / parts * grain)};
}

}  // namespace kv::cpu
