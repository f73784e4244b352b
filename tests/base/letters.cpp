#include "core/base/letters.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace kv;

TEST_CASE("blanks and line ends go from both ends of a text", "[letters]") {
    CHECK(trimmed(" \tTwo words \r\n") == "Two words");
    CHECK(trimmed("one") == "one");
    CHECK(trimmed(" \n ").empty());
    CHECK(trimmed("").empty());
}

TEST_CASE("letters become small or large, and what is no letter stays", "[letters]") {
    CHECK(lower_case("FP8 E4M3") == "fp8 e4m3");
    CHECK(upper_case("int4:g32") == "INT4:G32");
    CHECK(upper_case("größe") == "GRößE");  // beyond ASCII nothing is known
}
