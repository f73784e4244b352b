#include "bench/child.hpp"

#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "core/base/error.hpp"

using kv::bench::Child;
using kv::bench::Clock;
using std::chrono::seconds;

TEST_CASE("a started program is heard line by line and its exit code is kept", "[bench]") {
    Child child({"sh", "-c", "echo one; echo two; exit 7"});
    CHECK(child.line(seconds(10)) == "one");
    CHECK(child.line(seconds(10)) == "two");
    CHECK_FALSE(child.line(seconds(10)));
    CHECK(child.wait(seconds(10)) == 7);
    CHECK_FALSE(child.running());
    CHECK(child.wait(seconds(10)) == 7);
}

TEST_CASE("a signal that ends a program is told apart from an exit code", "[bench]") {
    Child child({"sh", "-c", "kill -9 $$"});
    CHECK(child.wait(seconds(10)) == 128 + SIGKILL);
}

TEST_CASE("a started program sees the added variables in place of the old ones", "[bench]") {
    Child child({"sh", "-c", "echo $KVARIUM_BENCH_TEST; echo $HOME"},
                {{"KVARIUM_BENCH_TEST", "set"}, {"HOME", "/nowhere"}});
    CHECK(child.line(seconds(10)) == "set");
    CHECK(child.line(seconds(10)) == "/nowhere");
}

TEST_CASE("a silent program is waited for only so long, and ended", "[bench]") {
    pid_t id = 0;
    const auto start = Clock::now();
    {
        Child child({"sleep", "60"});
        id = child.id();
        CHECK(child.running());
        CHECK_FALSE(child.line(seconds(0)));
        CHECK_FALSE(child.wait(seconds(0)));
    }
    CHECK(::kill(id, 0) != 0);
    CHECK(Clock::now() - start < seconds(30));
}

TEST_CASE("a program that is not there is missing, by name", "[bench]") {
    try {
        Child child({"/nowhere/kvarium"});
        FAIL("a program that does not exist was started");
    } catch (const kv::Error& error) {
        CHECK(error.code() == kv::ErrorCode::Missing);
        CHECK(std::string(error.what()).find("/nowhere/kvarium") != std::string::npos);
    }
}
