// What the device compiler makes of the twins. It works out elements whose index is a constant, so
// its PTX text holds their values: the device side of each KV_HD function, seen without a GPU. What
// a real GPU adds (its own rounding and memory) is twin_test.cpp's subject.

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "cuda/device/device.hpp"
#include "cuda/twins/twins.hpp"
#include "tests/places.hpp"

namespace {

using kv::kFolded;
using kv::kTwinCount;

// Signed decimal, as PTX writes 64-bit constants.
std::uint64_t bits_in(const std::string& text) {
    return text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
}

// table[twin][k], for the stores "mov.u64 %rd3, VALUE;" ... "st.global.u64 [%rd2+OFFSET], %rd3;"
std::map<unsigned, std::map<unsigned, std::uint64_t>> folded_values(std::istream& ptx) {
    std::map<unsigned, std::map<unsigned, std::uint64_t>> table;
    std::map<unsigned, std::uint64_t> registers;
    unsigned twin = 0;
    for (std::string line; std::getline(ptx, line);) {
        unsigned target = 0, base = 0, offset = 0;
        char value[32];
        if (const auto entry = line.find("folded_twinILj");
            line.find(".entry") != std::string::npos && entry != std::string::npos) {
            twin = static_cast<unsigned>(std::stoul(line.substr(entry + 14)));
            registers.clear();
        } else if (std::sscanf(line.c_str(), " mov.%*3c %%rd%u, %31[-0-9];", &target, value) == 2) {
            registers[target] = bits_in(value);
        } else if (std::sscanf(line.c_str(), " st.global.%*3c [%%rd%u+%u], %%rd%u;", &base, &offset,
                               &target) == 3 ||
                   std::sscanf(line.c_str(), " st.global.%*3c [%%rd%u], %%rd%u;", &base, &target) ==
                       2) {
            // A register that is no constant is work left for run time: that element goes missing.
            if (registers.count(target) == 1) table[twin][offset / 8] = registers[target];
        }
    }
    return table;
}

}  // namespace

TEST_CASE("the device compiler gives the CPU's bits for every twin", "[twin]") {
    if (kv::query_devices().outcome == kv::DeviceQuery::Outcome::NotBuilt) {
        SKIP("This program was built without CUDA, so there is no device code to read.");
    }
    std::ifstream ptx(kv::test::binary_dir() + "/cuda/twin_folding.ptx");
    REQUIRE(ptx.good());
    const auto table = folded_values(ptx);
    REQUIRE(table.size() == kTwinCount);
    for (const auto& [number, values] : table) {
        const kv::Twin twin = kv::kTwins[number];
        INFO("twin " << number);
        REQUIRE(values.size() == kFolded);
        unsigned wrong = 0;
        for (const auto& [k, value] : values) {
            wrong += value != kv::twin_value(twin, kv::folded_index(twin, k));
        }
        CHECK(wrong == 0);
    }
}
