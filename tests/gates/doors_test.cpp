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

TEST_CASE("what a README names is there", "[gates]") {
    CHECK(check_names(read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a function that was renamed is missed in the README that named it", "[gates]") {
    const auto found = [](std::string_view readme) {
        return check_names({text_file("core/new/README.md", readme),
                            text_file("core/new/pool.cpp", "void Pool::take(u32 n) {}"),
                            text_file("docs/old.md", "`Pool::grab` was its name.")});
    };
    CHECK(found("`Pool::take(n)` of `pool.cpp`, and words: grab.") == Findings{});
    CHECK(found("One\n`Pool::grab`") == Findings{"core/new/README.md:2: nothing is called grab."});
}

TEST_CASE("each table of places to look at stands in the list of them all", "[gates]") {
    CHECK(check_index(read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a table that the list does not lead to is missed", "[gates]") {
    const auto found = [](std::string_view index) {
        return check_index(
            {text_file("app/a/README.md", "# app/a\n| where to look for | in order |"),
             text_file("app/b/README.md", "# app/b"), text_file("docs/where-to-look.md", index)});
    };
    CHECK(found("| a thing | [app/a](../app/a/README.md) |") == Findings{});
    CHECK(found("| a thing | app/a |") ==
          Findings{"docs/where-to-look.md does not lead to app/a/README.md."});
    CHECK(check_index({}) == Findings{"docs/where-to-look.md is not there."});
}
