#pragma once
// Threads that wait for work: run(job) calls job(0) on the caller and job(1), job(2), ... on one
// thread each, and returns when all have ended. Who computes what is up to the job, from the number
// alone, so results cannot depend on which thread was quick. A thread without work spins for about
// 20 us, since the next region of a forward pass is that near, and then sleeps. With no workers the
// caller does everything, gives way after each region, and no thread is ever started: that is the
// build for the web.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/background/give_way.hpp"

namespace kv::cpu {

class ThreadPool {
public:
    explicit ThreadPool(std::size_t workers);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    std::size_t size() const { return workers_.size() + 1; }

    // One caller at a time. What a job throws is thrown here, the lowest number's if several do.
    template <class Job>
    void run(const Job& job) {
        if (workers_.empty()) {
            job(std::size_t{0});
            return give_way();
        }
        run_all({[](const void* context, std::size_t part) {
                     (*static_cast<const Job*>(context))(part);
                 },
                 &job});
    }

private:
    struct Call {
        void (*function)(const void* context, std::size_t part) = nullptr;
        const void* context = nullptr;
    };
    void run_all(Call call);
    void work(std::size_t part);
    void do_part(std::size_t part);

    Call call_;  // written before round_ moves on, read after
    std::atomic<std::uint32_t> round_{0}, unfinished_{0};
    std::atomic<bool> ending_{false};
    std::vector<std::exception_ptr> thrown_;  // one place for each part
    std::vector<std::thread> workers_;
};

// The part-th of `parts` nearly equal runs of 0 .. n, cut at multiples of `grain`.
struct Range {
    std::size_t begin, end;
};
Range share_of(std::size_t n, std::size_t grain, std::size_t part, std::size_t parts);

}  // namespace kv::cpu
