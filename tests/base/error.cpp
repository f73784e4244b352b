#include "core/base/error.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <type_traits>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using kv::Error;
using kv::ErrorCode;

TEST_CASE("an error carries its code, its sentence and the place that threw it", "[error]") {
    const int line = __LINE__ + 1;
    const Error error{ErrorCode::Missing, "This build has no CUDA. Use --backend cpu."};
    CHECK(error.code() == ErrorCode::Missing);
    CHECK(std::string(error.what()) == "This build has no CUDA. Use --backend cpu.");
    CHECK(error.where().line == line);
    CHECK_THAT(error.where().file, EndsWith("tests/base/error.cpp"));
}

TEST_CASE("the codes of an error are the exit codes of the program", "[error]") {
    CHECK(Error(ErrorCode::World, "").exit_code() == 1);
    CHECK(Error(ErrorCode::Usage, "").exit_code() == 2);
    CHECK(Error(ErrorCode::Check, "").exit_code() == 3);
    CHECK(Error(ErrorCode::Missing, "").exit_code() == 4);
}

TEST_CASE("a broken assert names its expression and place, and is no kv::Error", "[error]") {
    static_assert(!std::is_base_of_v<Error, kv::BrokenAssert>);
    const int blocks = 3;
    KV_ASSERT(blocks == 3);
    CHECK_THROWS_AS(KV_ASSERT(blocks == 4), kv::BrokenAssert);
    const int line = __LINE__ + 2;
    try {
        KV_ASSERT(blocks == 5);
    } catch (const kv::BrokenAssert& broken) {
        CHECK_THAT(broken.what(), ContainsSubstring("\"blocks == 5\""));
        CHECK_THAT(broken.what(), ContainsSubstring("error.cpp:" + std::to_string(line)));
    }
}

TEST_CASE("an assert evaluates its condition exactly once", "[error]") {
    int evaluations = 0;
    KV_ASSERT(++evaluations == 1);
    CHECK(evaluations == 1);
}
