// The rows that `kvarium bench` names and those that are measured.

#include "app/cli/bench/rows.hpp"

#include <catch2/catch_test_macros.hpp>

#include "bench/row.hpp"

TEST_CASE("the help of kvarium bench lists the rows that there are, in their order", "[bench]") {
    std::vector<std::string> listed, measured;
    for (const kv::BenchRow& row : kv::kBenchRows) listed.emplace_back(row.name);
    for (const kv::bench::Row& row : kv::bench::rows()) measured.push_back(row.name);
    CHECK(listed == measured);
}
