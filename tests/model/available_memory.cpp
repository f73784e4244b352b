// How much memory can be had.
#include "core/model/available_memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/model/scratch.hpp"

using namespace kv;
using test::Scratch;

TEST_CASE("available memory is read from the system's own line", "[memory]") {
    const Scratch scratch;
    test::write(scratch.file("m"),
                "MemTotal:       24666368 kB\nMemFree:          100 kB\n"
                "HugePages_Total:       0\nMemAvailable:      2048 kB\nBuffers: 7 kB\n");
    CHECK(available_memory(scratch.file("m")) == u64{2'097'152});
    test::write(scratch.file("none"), "MemTotal: 5 kB\n");
    CHECK_FALSE(available_memory(scratch.file("none")));
    test::write(scratch.file("junk"), "MemAvailable: many kB\n");
    CHECK_FALSE(available_memory(scratch.file("junk")));
    test::write(scratch.file("huge"), "MemAvailable: 18446744073709551615 kB\n");
    CHECK_FALSE(available_memory(scratch.file("huge")));
    CHECK_FALSE(available_memory(scratch.file("gone")));
}
