// A value from the background, where there are threads.

#include "core/base/background/later.hpp"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <thread>

namespace kv {
namespace {

TEST_CASE("what is computed in the background is computed on a thread of its own and comes once") {
    const auto here = std::this_thread::get_id();
    Later<std::thread::id> where = later([] { return std::this_thread::get_id(); });
    REQUIRE(where.valid());
    where.wait();
    CHECK(where.is_ready(0));
    CHECK(where.get() != here);
    CHECK_FALSE(where.valid());
    CHECK_FALSE(where.is_ready(0));
}

TEST_CASE("nothing is ready of nothing") {
    const Later<int> nothing;
    CHECK_FALSE(nothing.valid());
    CHECK_FALSE(nothing.is_ready(0));
}

TEST_CASE("work may own what cannot be copied, and give it back") {
    auto number = std::make_unique<int>(7);
    Later<std::unique_ptr<int>> moved =
        later([number = std::move(number)]() mutable { return std::move(number); });
    CHECK(*moved.get() == 7);
}

TEST_CASE("what goes wrong in the background is thrown where its value is taken") {
    Later<int> wrong = later([]() -> int { throw Error(ErrorCode::World, "no such thing."); });
    wrong.wait();
    CHECK_THROWS_AS(wrong.get(), Error);
    CHECK_FALSE(wrong.valid());
}

TEST_CASE("whoever lets a value go waits for the thread that makes it") {
    std::atomic<bool> done{false};
    {
        const Later<int> let_go = later([&done] {
            done = true;
            return 1;
        });
    }
    CHECK(done);
}

}  // namespace
}  // namespace kv
