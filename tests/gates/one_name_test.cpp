#include "tests/gates/one_name.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/places.hpp"

using kv::gates::check_one_name;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

TEST_CASE("no name stands for two types", "[gates]") {
    CHECK(check_one_name(kv::gates::read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a second type of a name is refused", "[gates]") {
    const auto a =
        text_file("app/a.hpp", "namespace kv {\nstruct Segment {\n};\n}  // namespace kv");
    const auto b = text_file("app/b.cpp",
                             "namespace kv {\nenum class Segment : int { A };\n}  // namespace kv");
    CHECK(check_one_name({a, b}) ==
          Findings{"app/b.cpp:2: kv::Segment is another type in app/a.hpp."});
}

TEST_CASE("types that nobody else can name may share a name", "[gates]") {
    const std::string hidden =
        "namespace kv {\nnamespace {\nstruct Row {\n};\n}  // namespace\n}  // namespace kv";
    CHECK(check_one_name({text_file("app/a.cpp", hidden), text_file("app/b.cpp", hidden)}).empty());
    const auto in = [](const char* space) {
        return text_file(std::string("core/") + space + ".hpp",
                         "namespace " + std::string(space) +
                             " {\nclass Pool final {\n};\n}  // "
                             "namespace");
    };
    CHECK(check_one_name({in("kv"), in("kv::cpu")}).empty());
    const auto told = text_file("core/told.hpp", "namespace kv {\nclass Pool;\n}  // namespace kv");
    CHECK(check_one_name({in("kv"), told}).empty());
}
