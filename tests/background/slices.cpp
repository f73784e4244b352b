// The other side of the seam: work that is done between frames, as a page does it. This program
// takes core/base/background/slices.cpp in place of the threads, and own_stack.cpp beside this file
// in place of a browser's.

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/base/background/give_way.hpp"
#include "core/base/background/later.hpp"

namespace kv {
namespace {

constexpr double kLong = 60;  // seconds: more than these tests take

TEST_CASE("without threads work waits until somebody has time for it") {
    int done = 0;
    Later<int> one = later([&done] { return ++done; });
    Later<int> two = later([&done] { return ++done; });
    CHECK_FALSE(one.is_ready(0));
    CHECK(done == 0);
    CHECK(threads_here() == 1);

    CHECK(work_between_frames(kLong));
    CHECK(done == 2);
    CHECK(one.is_ready(0));
    CHECK(one.get() == 1);
    CHECK(two.get() == 2);
    CHECK_FALSE(work_between_frames(kLong));
}

TEST_CASE("once the time is over no further piece begins") {
    int done = 0;
    const Later<int> one = later([&done] { return ++done; });
    CHECK(work_between_frames(0));
    CHECK(done == 0);
    CHECK(work_between_frames(kLong));
    CHECK(done == 1);
}

TEST_CASE("who waits does the work at once, and only that work") {
    std::vector<std::string> order;
    Later<int> first = later([&order] { return order.push_back("first"), 1; });
    Later<int> second = later([&order] { return order.push_back("second"), 2; });
    CHECK(second.is_ready(0.001));
    CHECK(order == std::vector<std::string>{"second"});
    CHECK(second.get() == 2);
    CHECK(first.get() == 1);
    CHECK(order == std::vector<std::string>{"second", "first"});
    CHECK_FALSE(work_between_frames(kLong));
}

TEST_CASE("work that was let go before its turn is never done") {
    bool done = false;
    {
        const Later<bool> let_go = later([&done] { return done = true; });
    }
    CHECK_FALSE(work_between_frames(kLong));
    CHECK_FALSE(done);
}

TEST_CASE("work may begin further work and wait for it") {
    Later<int> whole = later([] { return 1 + later([] { return 2; }).get(); });
    CHECK(work_between_frames(kLong));
    CHECK(whole.get() == 3);
}

TEST_CASE("what goes wrong between frames is thrown where the value is taken") {
    Later<int> wrong = later([]() -> int { throw Error(ErrorCode::World, "no such thing."); });
    CHECK(work_between_frames(kLong));
    CHECK(wrong.is_ready(0));
    CHECK_THROWS_AS(wrong.get(), Error);
}

constexpr double kShort = 1e-4;  // seconds: less than a step of these takes

void take_a_moment() {
    std::this_thread::sleep_for(std::chrono::duration<double>(3 * kShort));
}

// Work of so many steps, each longer than a short slice.
Later<int> steps(std::string name, int n, std::vector<std::string>& order) {
    return later([name = std::move(name), n, &order] {
        int sum = 0;
        for (int step = 1; step <= n; ++step) {
            order.push_back(name + std::to_string(step));
            take_a_moment();
            give_way();
            sum += step;
        }
        return sum;
    });
}

TEST_CASE("long work goes on in slices, and goes on where it gave way") {
    std::vector<std::string> order;
    Later<int> work = steps("a", 4, order);
    for (std::size_t slice = 1; slice <= 4; ++slice) {
        CHECK_FALSE(work.is_ready(0));
        CHECK(work_between_frames(kShort));
        CHECK(order.size() == slice);
    }
    CHECK(work_between_frames(kShort));  // behind the last one it gave way once more
    CHECK(work.is_ready(0));
    CHECK(work.get() == 10);
    CHECK_FALSE(work_between_frames(kShort));
}

TEST_CASE("a slice is no shorter than its time") {
    std::vector<std::string> order;
    Later<int> work = steps("a", 4, order);
    CHECK(work_between_frames(kLong));
    CHECK(order == std::vector<std::string>{"a1", "a2", "a3", "a4"});
    CHECK(work.get() == 10);
}

TEST_CASE("all that has begun goes on in turns, so that short work does not wait for long work") {
    std::vector<std::string> order;
    const Later<int> long_one = steps("a", 5, order), short_one = steps("b", 1, order);
    for (int slice = 0; slice < 3; ++slice) work_between_frames(kShort);
    CHECK(order == std::vector<std::string>{"a1", "b1", "a2"});
    work_between_frames(kShort);  // the short one comes back from giving way, and is done
    CHECK(short_one.is_ready(0));
    CHECK_FALSE(long_one.is_ready(0));
}

TEST_CASE("who waits a little does a slice of the work, who waits for long all that is left") {
    std::vector<std::string> order;
    Later<int> work = steps("a", 3, order);
    CHECK_FALSE(work.is_ready(kShort));
    CHECK(order == std::vector<std::string>{"a1"});
    CHECK(work.get() == 6);
    CHECK(order == std::vector<std::string>{"a1", "a2", "a3"});
}

TEST_CASE("work that waits for other work gives way again afterwards") {
    std::vector<std::string> order;
    Later<int> whole = later([&order] {
        const int of_other = steps("b", 2, order).get();
        take_a_moment();
        give_way();
        order.push_back("a");
        return of_other;
    });
    CHECK(work_between_frames(kShort));
    CHECK(order == std::vector<std::string>{"b1", "b2"});
    CHECK_FALSE(whole.is_ready(0));
    CHECK(work_between_frames(kLong));
    CHECK(order.back() == "a");
    CHECK(whole.get() == 3);
}

TEST_CASE("what goes wrong in a later slice is thrown where the value is taken") {
    Later<int> wrong = later([]() -> int {
        try {
            take_a_moment();
            give_way();
            throw Error(ErrorCode::World, "no such thing.");
        } catch (const Error&) {
            throw;
        }
    });
    CHECK(work_between_frames(kShort));
    CHECK_FALSE(wrong.is_ready(0));
    CHECK(work_between_frames(kLong));
    CHECK_THROWS_AS(wrong.get(), Error);
}

TEST_CASE("work that has begun is waited for where it is let go") {
    std::vector<std::string> order;
    {
        const Later<int> let_go = steps("a", 3, order);
        work_between_frames(kShort);
        CHECK(order.size() == 1);
    }
    CHECK(order.size() == 3);
    CHECK_FALSE(work_between_frames(kShort));
}

TEST_CASE("the clock of work stands still while it has given way") {
    constexpr double kAway = 0.2;  // seconds
    Later<double> took = later([] {
        const double begun = seconds_at_work();
        take_a_moment();
        give_way();
        return seconds_at_work() - begun;
    });
    CHECK(work_between_frames(kShort));
    std::this_thread::sleep_for(std::chrono::duration<double>(kAway));
    CHECK(work_between_frames(kLong));
    const double seconds = took.get();
    CHECK(seconds >= 3 * kShort);
    CHECK(seconds < kAway);
}

TEST_CASE("outside of background work giving way is nothing") {
    std::vector<std::string> order;
    Later<int> work = steps("a", 1, order);
    give_way();
    CHECK(order.empty());
    CHECK(work.get() == 1);
}

}  // namespace
}  // namespace kv
