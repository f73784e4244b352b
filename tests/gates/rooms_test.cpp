#include "tests/gates/rooms.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/places.hpp"

using namespace kv::gates;
using Findings = std::vector<std::string>;

TEST_CASE("rooms stand in an order, and includes go back in it only", "[gates]") {
    const Tree tree = read_tree(kv::test::source_dir());
    REQUIRE(tree.size() > 50);
    CHECK(check_order_of_rooms(tree) == Findings{});
}

TEST_CASE("no folder of sources is too large, without a door, or full of namesakes", "[gates]") {
    CHECK(check_size_of_rooms(read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("the table of rooms is the order that includes are held to", "[gates]") {
    Tree tree = read_tree(kv::test::source_dir());
    CHECK(check_table_of_rooms(tree) == Findings{});
    for (TextFile& file : tree) {
        if (file.path != "docs/architecture.md") continue;
        for (std::string& line : file.lines) {
            if (line.starts_with("| [core/whatif]("))
                line = "| [core/whatif]() | `replay`, the folder itself |";
            if (line.starts_with("| [app/export](")) line.clear();
        }
    }
    const Findings found = check_table_of_rooms(tree);
    REQUIRE(found.size() == 2);
    CHECK(found[0].ends_with(
        "the rooms of core/whatif are replay . here, and . record replay study in "
        "tests/gates/rooms.cpp."));
    CHECK(found[1] == "docs/architecture.md has no row for the rooms of app/export.");
}

TEST_CASE("an include against the order of the rooms is refused with its line", "[gates]") {
    const auto order_of = [](std::string path, std::string_view content) {
        return check_order_of_rooms({text_file(std::move(path), content)});
    };
    CHECK(order_of("core/engine/seam/planted.hpp",
                   "#pragma once\n#include \"core/engine/run/engine.hpp\"") ==
          Findings{"core/engine/seam/planted.hpp:2: the room seam of core/engine may not include "
                   "core/engine/run/engine.hpp, which does not stand before it."});
    CHECK(order_of("core/engine/run/a.cpp", "#include \"core/engine/seam/batch.hpp\"").empty());
    CHECK(order_of("core/engine/run/a.cpp", "#include \"core/engine/run/b.hpp\"").empty());
    CHECK(order_of("core/trace/a.cpp", "#include \"core/trace/files/json.hpp\"").size() == 1);
    CHECK(order_of("core/engine/cellar/a.cpp", "#include \"core/engine/seam/batch.hpp\"").size() ==
          1);
    CHECK(order_of("core/engine/seam/a.cpp", "#include \"core/base/ids.hpp\"").empty());
}

TEST_CASE("a crowded folder, one without a README and a prefix are refused", "[gates]") {
    Tree tree{text_file("core/new/README.md", "A room.")};
    for (std::size_t i = 0; i < kMostFiles; ++i)
        tree.push_back(text_file("core/new/" + std::string(1, char('a' + i)) + "x.cpp", ""));
    CHECK(check_size_of_rooms(tree) == Findings{});
    tree.push_back(text_file("core/new/one_more.cpp", ""));
    CHECK(check_size_of_rooms(tree) ==
          Findings{"core/new has 26 sources; more than 25 want rooms."});

    CHECK(check_size_of_rooms({text_file("app/dark/lamp.cpp", "")}) ==
          Findings{"app/dark has no README.md to enter by."});
    CHECK(check_size_of_rooms({text_file("tests/dark/lamp.cpp", "")}) == Findings{});

    Tree prefixed{text_file("core/new/README.md", "A room.")};
    for (const char* name : {"pool", "pool_a", "pool_b", "pool_c"})
        for (const char* ending : {".hpp", ".cpp"})
            prefixed.push_back(text_file("core/new/" + std::string(name) + ending, ""));
    CHECK(check_size_of_rooms(prefixed) == Findings{});
    prefixed.push_back(text_file("core/new/pool_d.cpp", ""));
    CHECK(check_size_of_rooms(prefixed) ==
          Findings{"core/new has 5 files that begin with pool; that word wants to be a folder."});
    prefixed.back().path = "core/new/pool_5.cpp";
    CHECK(check_size_of_rooms(prefixed) == Findings{});
}
