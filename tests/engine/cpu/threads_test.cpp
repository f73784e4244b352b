// The thread pool: every part runs once, nothing is left behind, an exception arrives.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/cpu/thread_pool.hpp"

using namespace kv::cpu;

TEST_CASE("every part of a job runs exactly once, round after round", "[cpu][threads]") {
    for (const std::size_t workers : {0u, 1u, 3u}) {
        ThreadPool pool(workers);
        CHECK(pool.size() == workers + 1);
        std::vector<int> runs(pool.size());
        for (int round = 0; round < 300; ++round) {
            pool.run([&](std::size_t part) { ++runs[part]; });
            // Long enough for the workers to fall asleep now and then.
            if (round % 100 == 50) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        CHECK(runs == std::vector<int>(pool.size(), 300));
    }
}

TEST_CASE("what parts write is seen by the caller and by the next round", "[cpu][threads]") {
    ThreadPool pool(2);
    std::vector<int> values(3, 1);
    for (int round = 0; round < 50; ++round) {
        std::vector<int> next(3);
        pool.run([&](std::size_t part) { next[part] = values[(part + 1) % 3] + 1; });
        values = next;
    }
    CHECK(values == std::vector<int>(3, 51));
}

TEST_CASE("a pool without work ends at once", "[cpu][threads]") {
    for (int i = 0; i < 20; ++i) const ThreadPool pool(2);
    ThreadPool asleep(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    SUCCEED();
}

TEST_CASE("the first exception of a job arrives and the pool goes on", "[cpu][threads]") {
    for (const std::size_t workers : {0u, 2u}) {
        ThreadPool pool(workers);
        CHECK_THROWS_WITH(pool.run([](std::size_t part) {
            throw std::runtime_error("part " + std::to_string(part));
        }),
                          "part 0");
        int runs = 0;
        pool.run([&](std::size_t part) {
            if (part == 0) ++runs;  // the other parts do not so much as look at it
        });
        CHECK(runs == 1);
    }
}

TEST_CASE("shares cover everything once, cut at grains", "[cpu][threads]") {
    CHECK(share_of(40, 16, 0, 2).end == 16);  // 3 grains: 1 and 2
    CHECK(share_of(40, 16, 1, 2).begin == 16);
    CHECK(share_of(40, 16, 1, 2).end == 40);
    for (const std::size_t n : {0u, 1u, 15u, 16u, 100u})
        for (const std::size_t parts : {1u, 2u, 3u, 7u}) {
            std::size_t at = 0;
            for (std::size_t p = 0; p < parts; ++p) {
                CHECK(share_of(n, 16, p, parts).begin == at);
                at = share_of(n, 16, p, parts).end;
            }
            CHECK(at == n);
        }
}
