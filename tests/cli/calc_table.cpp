// What a person sees.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "tests/cli/run_cli.hpp"

using namespace kv::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the option --help and --version answer on standard output", "[help]") {
    const Ran help = run_cli({"--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    CHECK_THAT(help.out, ContainsSubstring("calc"));
    const Ran calc = run_cli({"calc", "--help"});
    CHECK(calc.code == 0);
    for (const char* option :
         {"--preset", "--config", "--kv-heads", "--device-memory", "--json", "--seed"}) {
        CHECK_THAT(calc.out, ContainsSubstring(option));
    }
    const Ran version = run_cli({"--version"});
    CHECK(version.code == 0);
    CHECK_THAT(version.out, ContainsSubstring("0.1.0"));
    CHECK(run_cli({"calc", "--tokens", "x", "--help"}).out == calc.out);
}

TEST_CASE("the table gives the size, the exact bytes and the formula", "[table]") {
    const Ran ran = run_cli({"calc", "--preset", "llama-2-7b", "--tokens", "4096", "--pool", "40GB",
                             "--bandwidth", "2TB/s"});
    REQUIRE(ran.code == 0);
    for (const char* part : {"Llama 2 7B", "512 KiB", "524,288 B", "= 2 * 32 * 32 * 128 * 2",
                             "2 GiB", "2,147,483,648 B", "7.81 ms", "13.7 %",
                             "40 GB = 40,000,000,000 B (powers of 1,000)", "6,738,415,616"}) {
        CHECK_THAT(ran.out, ContainsSubstring(part));
    }
}

TEST_CASE("no line is wider than 96 columns, and --quiet leaves the formulas out", "[table]") {
    for (const char* preset : {"llama-2-7b", "deepseek-v3", "qwen3-0.6b", "gpt-3"}) {
        for (const char* codec : {"bf16", "int2:kivi", "int4:g32"}) {
            const Ran ran = run_cli({"calc", "--preset", preset, "--tokens", "4000", "--batch", "3",
                                     "--pool", "1TiB", "--codec", codec, "--bandwidth", "3.35TB/s",
                                     "--flops", "989TFLOP/s"});
            REQUIRE(ran.code == 0);
            std::istringstream lines(ran.out);
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                CHECK(line.size() <= 96);
                CHECK((line.empty() || line.back() != ' '));
            }
            const Ran quiet = run_cli({"calc", "--preset", preset, "--tokens", "4000", "--quiet"});
            CHECK(quiet.out.find(" * ") == std::string::npos);
        }
    }
}

TEST_CASE("the option --option value and --option=value are the same", "[table]") {
    CHECK(run_cli({"calc", "--preset=llama-2-7b", "--tokens=100"}).out ==
          run_cli({"calc", "--preset", "llama-2-7b", "--tokens", "100"}).out);
}
