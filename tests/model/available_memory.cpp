// How much memory can be had.
#include "core/model/available_memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "tests/scratch.hpp"

using namespace kv;
using test::ScratchFolder;

namespace {

std::optional<u64> system_says(const ScratchFolder& scratch, const std::string& text) {
    scratch.write("m", text);
    return available_memory({scratch.file("m"), scratch.file("gone"), scratch.file("gone")});
}

void write_group(const ScratchFolder& scratch, const std::string& group, const std::string& limit,
                 const std::string& used, const std::string& stat) {
    std::filesystem::create_directories(scratch.file(group));
    scratch.write(group + "/memory.max", limit);
    scratch.write(group + "/memory.current", used);
    scratch.write(group + "/memory.stat", stat);
}

}  // namespace

// 15/16 of 2,048 x 1,024 bytes.
TEST_CASE("available memory is read from the system's own line", "[memory]") {
    const ScratchFolder scratch;
    CHECK(system_says(scratch,
                      "MemTotal:       24666368 kB\nMemFree:          100 kB\n"
                      "HugePages_Total:       0\nMemAvailable:      2048 kB\nBuffers: 7 kB\n") ==
          u64{1'966'080});
    CHECK_FALSE(system_says(scratch, "MemTotal: 5 kB\n"));
    CHECK_FALSE(system_says(scratch, "MemAvailable: many kB\n"));
    CHECK_FALSE(system_says(scratch, "MemAvailable: 18446744073709551615 kB\n"));
    const std::string gone = scratch.file("gone");
    CHECK_FALSE(available_memory({gone, gone, gone}));
}

// 5,200 - (3,000 - 1,000) = 3,200 in the inner group, 9,000 - 8,520 = 480 in the outer one; of each
// a sixteenth is left alone.
TEST_CASE("the tightest control group around the program counts", "[memory]") {
    const ScratchFolder scratch;
    scratch.write("m", "MemAvailable: 2 kB\n");
    scratch.write("own", "4:cpu:/other\n0::/outer/inner\n");
    const MemoryPlaces places{scratch.file("m"), scratch.file("own"), scratch.file("groups")};
    CHECK(available_memory(places) == u64{1920});
    write_group(scratch, "groups/outer/inner", "max\n", "3000\n", "");
    CHECK(available_memory(places) == u64{1920});
    write_group(scratch, "groups/outer/inner", "5200\n", "3000\n",
                "anon 2000\ninactive_file 1000\n");
    CHECK(available_memory(places) == u64{1920});
    scratch.write("m", "MemAvailable: 4 kB\n");
    CHECK(available_memory(places) == u64{3000});
    write_group(scratch, "groups/outer", "9000\n", "8520\n", "");
    CHECK(available_memory(places) == u64{450});
    write_group(scratch, "groups", "100\n", "8520\n", "");
    CHECK(available_memory(places) == u64{0});
    write_group(scratch, "groups/other", "1\n", "1\n", "");
    scratch.write("own", "0::/\n");
    CHECK(available_memory(places) == u64{0});
    scratch.write("own", "");
    CHECK(available_memory(places) == u64{3840});
}
