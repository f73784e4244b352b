#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/base/error.hpp"
#include "cuda/device/device.hpp"
#include "cuda/twins/twins.hpp"

namespace {

using kv::Grid;
using kv::Twin;
using TwinTable = std::vector<std::uint64_t>;

constexpr std::uint64_t kUnwritten = 0xDEADBEEFCAFEF00D;

TwinTable on_cpu(Twin twin, Grid grid) {
    TwinTable table(kv::twin_size(twin), kUnwritten);
    kv::on_host(grid, [&](kv::Lane lane) { kv::fill_twin({twin, table.data()}, lane); });
    return table;
}

// The formats through their other door: a switch on the format at run time, compiled in core/base.
std::uint64_t by_format(Twin twin, std::uint32_t i) {
    using kv::NumberFormat;
    switch (twin) {
        case Twin::DecodeBf16:
            return kv::bits_of(kv::decode(NumberFormat::Bf16, i));
        case Twin::DecodeFp16:
            return kv::bits_of(kv::decode(NumberFormat::Fp16, i));
        case Twin::DecodeE4m3:
            return kv::bits_of(kv::decode(NumberFormat::Fp8E4m3, i));
        case Twin::DecodeE5m2:
            return kv::bits_of(kv::decode(NumberFormat::Fp8E5m2, i));
        case Twin::EncodeBf16:
            return kv::encode(NumberFormat::Bf16, kv::probe_float(i));
        case Twin::EncodeFp16:
            return kv::encode(NumberFormat::Fp16, kv::probe_float(i));
        case Twin::EncodeE4m3:
            return kv::encode(NumberFormat::Fp8E4m3, kv::probe_float(i));
        case Twin::EncodeE5m2:
            return kv::encode(NumberFormat::Fp8E5m2, kv::probe_float(i));
        default:
            FAIL("not a number format");
            return 0;
    }
}

std::size_t first_difference(const TwinTable& a, const TwinTable& b) {
    REQUIRE(a.size() == b.size());
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

}  // namespace

TEST_CASE("the per-element loops give what the formats give, on every code and probe", "[twin]") {
    for (const Twin twin : kv::kTwins) {
        if (twin == Twin::Ids || twin == Twin::Philox) continue;
        const TwinTable table = on_cpu(twin, {4, 64});
        std::uint32_t wrong = 0;
        for (std::uint32_t i = 0; i < table.size(); ++i) wrong += table[i] != by_format(twin, i);
        INFO("twin " << static_cast<int>(twin));
        CHECK(wrong == 0);
    }
}

TEST_CASE("a few elements of the tables, by hand", "[twin]") {
    CHECK(kv::twin_value(Twin::DecodeBf16, 0x3F80) == 0x3F800000);  // 1.0
    CHECK(kv::twin_value(Twin::DecodeFp16, 0x0001) == 0x33800000);  // 2^-24, the smallest
    CHECK(kv::twin_value(Twin::DecodeE4m3, 0x7E) == 0x43E00000);    // 448
    CHECK(kv::twin_value(Twin::DecodeE5m2, 0x7B) == 0x47600000);    // 57,344
    // Element (upper half << 4 | index of the lower half): 0x3F808000 lies halfway between the bf16
    // codes 3F80 and 3F81 and goes to the even one; 0x3F818000 goes up.
    CHECK(kv::twin_value(Twin::EncodeBf16, 0x3F80 << 4 | 10) == 0x3F80);
    CHECK(kv::twin_value(Twin::EncodeBf16, 0x3F81 << 4 | 10) == 0x3F82);
    // Ids 65535 and 65536: not equal, less; 65,535 x 5 MiB = 343,592,140,800 bytes, + 2 + 4.
    CHECK(kv::twin_value(Twin::Ids, 3 * kv::kProbeIds + 4) == 343'592'140'806);
    CHECK(kv::twin_value(Twin::Ids, 4 * kv::kProbeIds + 4) == 343'597'383'681);
}

TEST_CASE("a grid of any shape writes each element once", "[twin]") {
    const TwinTable table = on_cpu(Twin::DecodeE4m3, {1, 1});
    for (const Grid grid : {Grid{1, 7}, Grid{3, 17}, Grid{17, 3}, Grid{5, 64}, Grid{300, 2}}) {
        CHECK(on_cpu(Twin::DecodeE4m3, grid) == table);
        std::vector<int> turns(1000);
        kv::on_host(grid, [&](kv::Lane lane) {
            for (std::size_t i = lane.first(); i < turns.size(); i += lane.stride()) ++turns[i];
        });
        CHECK(std::count(turns.begin(), turns.end(), 1) == 1000);
    }
}

TEST_CASE("a GPU computes the same bits as the CPU", "[twin]") {
    const kv::DeviceQuery query = kv::query_devices();
    if (query.outcome != kv::DeviceQuery::Outcome::Found) SKIP(query.sentence);
    for (const Twin twin : kv::kTwins) {
        const TwinTable cpu = on_cpu(twin, {1, 1});
        for (const Grid grid : {Grid{1, 1}, Grid{3, 17}, Grid{256, 256}}) {
            const TwinTable gpu = kv::twin_on_device(twin, grid);
            INFO("twin " << static_cast<int>(twin) << ", grid " << grid.n_blocks << " x "
                         << grid.n_threads);
            CHECK(first_difference(gpu, cpu) == cpu.size());
        }
    }
}

TEST_CASE("a kernel asked for where it cannot run says so", "[twin]") {
    const kv::DeviceQuery query = kv::query_devices();
    if (query.outcome == kv::DeviceQuery::Outcome::Found) SKIP("this machine has a GPU");
    const bool built = query.outcome != kv::DeviceQuery::Outcome::NotBuilt;
    try {
        kv::twin_on_device(Twin::Ids, {1, 1});
        FAIL("a kernel ran without a GPU");
    } catch (const kv::Error& error) {
        INFO(error.what());
        CHECK(error.code() == (built ? kv::ErrorCode::World : kv::ErrorCode::Missing));
        CHECK(std::string(error.what()).find("CPU engine") != std::string::npos);
    }
}
