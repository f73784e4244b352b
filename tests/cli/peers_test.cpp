// The publishers of vLLM and SGLang themselves, their Python files out of the wheels, drive the
// built program: what is recorded is what they published, what is cached is what their pool holds.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;

TEST_CASE("the servers' own publishers are followed live", "[attach][slow]") {
    const Ran ran = run_shell(source_dir() + "/scripts/peers drive \"$KV\" 2");
    if (ran.err.find("the peers are not there") != std::string::npos)
        SKIP("vLLM's and SGLang's publishers are not there; scripts/peers fetches them.");
    CAPTURE(ran.out, ran.err);
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, Catch::Matchers::ContainsSubstring("no difference"));
}
