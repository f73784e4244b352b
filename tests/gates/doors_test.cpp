#include "tests/gates/doors.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/places.hpp"

using namespace kv::gates;
using Findings = std::vector<std::string>;

TEST_CASE("a README says where it stands and names its files", "[gates]") {
    const Tree tree = read_tree(kv::test::source_dir());
    REQUIRE(tree.size() > 50);
    CHECK(check_doors(tree) == Findings{});
}

TEST_CASE("a mangled heading and a file that no README names are refused", "[gates]") {
    const auto found = [](std::string_view readme) {
        return check_doors({text_file("core/new/README.md", readme),
                            text_file("core/new/pool.hpp", ""), text_file("core/new/pool.cpp", ""),
                            text_file("core/new/tier.cpp", "")});
    };
    CHECK(found("# core/new\n| `pool`, `tier.cpp` | both |") == Findings{});
    CHECK(found("#core / new\n| `pool`, `tier` | both |") ==
          Findings{"core/new/README.md:1: the first line is not \"# core/new\"."});
    CHECK(found("# core/new\n| `pool.hpp` | a tier is not quoted |") ==
          Findings{"core/new/README.md does not name the file tier."});
    CHECK(check_doors({text_file("tests/new/README.md", "Tests."),
                       text_file("tests/new/a.cpp", "")}) == Findings{});
}
