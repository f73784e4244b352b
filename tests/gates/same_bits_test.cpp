#include "tests/gates/same_bits.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/places.hpp"

using kv::gates::check_same_bits;
using kv::gates::text_file;
using Findings = std::vector<std::string>;

TEST_CASE("numbers that are shown take their functions from the project", "[gates]") {
    CHECK(check_same_bits(kv::gates::read_tree(kv::test::source_dir())) == Findings{});
}

TEST_CASE("a call of the C library's exp is refused where bits are shown", "[gates]") {
    CHECK(check_same_bits({text_file("core/cost/x.cpp", "a = std::exp(b);")}) ==
          Findings{"core/cost/x.cpp:1: calls std::exp; use math::exp of "
                   "core/base/numbers/elementary.hpp"});
    CHECK(check_same_bits({text_file("app/widgets/x.cpp", "a = std::pow(2, b);")}).size() == 1);
    CHECK(check_same_bits({text_file("core/engine/cpu/x.cpp", "a = std::exp(b);")}).empty());
    CHECK(check_same_bits({text_file("core/cost/x.cpp", "a = math::exp(b);  // not std::exp(b)")})
              .empty());
    CHECK(
        check_same_bits({text_file("core/cost/x.cpp", "std::expected(b); std::sqrt(2);")}).empty());
}
