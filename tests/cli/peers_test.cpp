// vLLM and SGLang themselves, their Python files out of the wheels, beside the built program: what
// is recorded is what they published, and the books are those of their pools and trees.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;

namespace {

void drive(const std::string& what, const std::string& seeds) {
    const Ran ran = run_shell(source_dir() + "/scripts/peers " + what + " \"$KV\" " + seeds);
    if (ran.err.find("the peers are not there") != std::string::npos)
        SKIP("vLLM and SGLang are not there; scripts/peers fetches them.");
    CAPTURE(ran.out, ran.err);
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, Catch::Matchers::ContainsSubstring("no difference"));
}

}  // namespace

TEST_CASE("vLLM's scheduler is followed live, batch by batch", "[attach][slow][peers]") {
    drive("vllm", "1");
}

TEST_CASE("SGLang's trees are followed live, batch by batch", "[attach][slow][peers]") {
    drive("sglang", "1");
}

TEST_CASE("a scene has the blocks, hits and preemptions of vLLM's scheduler", "[slow][peers]") {
    drive("books", "40");
}

TEST_CASE("what if finds what vLLM's scheduler counted", "[whatif][slow][peers]") {
    drive("whatif", "1");
}
