// The other side of the seam: work that is done between frames, as a page does it. This program
// takes core/base/background/slices.cpp in place of the threads.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

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

}  // namespace
}  // namespace kv
