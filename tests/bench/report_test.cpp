#include "bench/report.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"

using namespace kv::bench;

namespace {

const Environment kMachine{.date = "2026-01-31",
                           .cpu = "Example 9000",
                           .instruction_sets = "avx2 fma",
                           .threads = 2,
                           .load = "0.10",
                           .program = "kvarium 0.1.0"};

Result example(double ratio) {
    return {.row = "startup",
            .what = "what it is",
            .figures = {{"ours", "ms", spread_of({3, 1, 2})}, {"theirs", "ms", spread_of({2, 2})}},
            .ratio = ratio,
            .goal = 1.15,
            .noise = 1.01,
            .done_by = "a renderer",
            .skipped = {}};
}

}  // namespace

TEST_CASE("the median is the middle, or the mean of the two in the middle", "[bench]") {
    const Spread odd = spread_of({9, 1, 5});
    CHECK(odd.median == 5);
    CHECK(odd.min == 1);
    CHECK(odd.max == 9);
    CHECK(odd.samples == std::vector<double>{9, 1, 5});
    CHECK(spread_of({4, 1, 2, 9}).median == 3);
    CHECK(spread_of({7}).median == 7);
    CHECK_THROWS_AS(spread_of({}), kv::BrokenAssert);
}

TEST_CASE("a row meets its goal up to and including it, and without one always", "[bench]") {
    CHECK(example(1.15).met());
    CHECK_FALSE(example(1.1501).met());
    Result free = example(99);
    free.goal.reset();
    CHECK(free.met());
}

TEST_CASE("the table names machine, figures, ratio and verdict", "[bench]") {
    CHECK(as_table(kMachine, {example(1.2)}) ==
          "2026-01-31, kvarium 0.1.0\n"
          "Example 9000, 2 threads, avx2 fma, load 0.10\n"
          "\n"
          "startup: what it is\n"
          "  ours                median 2.00 ms  (1.00 to 3.00, 3 samples)\n"
          "  theirs              median 2.00 ms  (2.00 to 2.00, 2 samples)\n"
          "  ratio 1.200, goal at most 1.15: missed; the same program twice: 1.010\n"
          "  a renderer\n");
}

TEST_CASE("the JSON has the same numbers, and null where there is none", "[bench]") {
    Result bare = example(1.0);
    bare.ratio.reset();
    const auto all = nlohmann::json::parse(as_json(kMachine, {example(1.0), bare}));
    CHECK(all["environment"]["threads"] == 2);
    REQUIRE(all["rows"].size() == 2);
    const auto& row = all["rows"][0];
    CHECK(row["row"] == "startup");
    CHECK(row["ratio"] == 1.0);
    CHECK(row["goal"] == 1.15);
    CHECK(row["met"] == true);
    CHECK(row["figures"][0]["samples"] == std::vector<double>{3, 1, 2});
    CHECK(row["figures"][0]["median"] == 2.0);
    CHECK(all["rows"][1]["ratio"].is_null());
    CHECK(all["rows"][1]["met"].is_null());
}

TEST_CASE("a row that this machine cannot measure says why", "[bench]") {
    Result result;
    result.row = "idle";
    result.skipped = "no display";
    const std::string table = as_table(kMachine, {result});
    CHECK(table.substr(table.rfind("idle")) == "idle: not measured, no display\n");
    const auto all = nlohmann::json::parse(as_json(kMachine, {result, example(1.0)}));
    CHECK(all["rows"][0]["skipped"] == "no display");
    CHECK(all["rows"][0]["figures"].empty());
    CHECK(all["rows"][1]["skipped"].is_null());
}

TEST_CASE("the processor is read out of its description", "[bench]") {
    const std::string text =
        "processor\t: 0\nmodel name\t: Example 9000 v2\nflags\t\t: fpu avx avx2 avx512_vnni fma\n"
        "processor\t: 1\nmodel name\t: another\n";
    CHECK(cpu_name(text) == "Example 9000 v2");
    CHECK(instruction_sets(text) == "avx avx2 fma");  // avx512_vnni is not avx512f
    CHECK(cpu_name("") == "unknown");
    CHECK(instruction_sets("").empty());
}
