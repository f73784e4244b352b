#include <catch2/catch_test_macros.hpp>

#include "core/base/numbers/units.hpp"
#include "core/base/random.hpp"

using kv::parse_bandwidth;
using kv::parse_bytes;
using kv::parse_flops;
using kv::UnitSystem;

namespace {

std::uint64_t bytes_of(std::string_view text) {
    std::string why = "left over from an earlier call";
    const auto size = parse_bytes(text, why);
    INFO(text << " " << why);
    REQUIRE(size);
    CHECK(why.empty());
    return size->bytes;
}

std::string refusal(std::string_view text) {
    std::string why;
    CHECK_FALSE(parse_bytes(text, why));
    return why;
}

}  // namespace

TEST_CASE("sizes are read in both unit systems to the byte", "[units]") {
    CHECK(bytes_of("1.5GiB") == 1610612736);
    CHECK(bytes_of("1GiB") == 1073741824);
    CHECK(bytes_of("1GB") == 1000000000);
    CHECK(bytes_of("384KiB") == 393216);
    CHECK(bytes_of("80GB") == 80000000000);
    CHECK(bytes_of("13.48GB") == 13480000000);
    CHECK(bytes_of("4096B") == 4096);
    CHECK(bytes_of("0B") == 0);
    CHECK(bytes_of("1B") == 1);
    CHECK(bytes_of("999TiB") == 1098412116148224);
    CHECK(bytes_of("2kB") == 2000);
    CHECK(bytes_of("3MB") == 3000000);
    CHECK(bytes_of("3MiB") == 3145728);
    CHECK(bytes_of("4TB") == 4000000000000);
    CHECK(bytes_of("1PB") == 1000000000000000);
    CHECK(bytes_of("007B") == 7);
}

TEST_CASE("the size says which unit was understood", "[units]") {
    std::string why;
    const auto binary = parse_bytes("1.5GiB", why);
    REQUIRE(binary);
    CHECK(binary->unit == UnitSystem::Binary);
    CHECK(binary->spelled == "1.5 GiB");
    const auto decimal = parse_bytes("80GB", why);
    REQUIRE(decimal);
    CHECK(decimal->unit == UnitSystem::Decimal);
    CHECK(decimal->spelled == "80 GB");
    CHECK(parse_bytes("4096B", why)->unit == UnitSystem::Binary);
}

TEST_CASE("a fraction must come out as whole bytes", "[units]") {
    CHECK(bytes_of("0.5KiB") == 512);
    CHECK(bytes_of("0.0009765625KiB") == 1);
    CHECK(bytes_of("0.001kB") == 1);
    CHECK(bytes_of("1.0B") == 1);
    CHECK(bytes_of("1.500kB") == 1500);
}

TEST_CASE("every refused spelling of a size is named by its rule", "[units]") {
    const std::string units = "B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB";
    CHECK(refusal("") == "is empty");
    CHECK(refusal("0") == "has no unit; write one of " + units);
    CHECK(refusal("16") == "has no unit; write one of " + units);
    CHECK(refusal("-1GB") == "has a sign");
    CHECK(refusal(" 16GiB") == "has a blank in it");
    CHECK(refusal("16 GiB") == "has a blank in it");
    CHECK(refusal("16GiB\n") == "has a blank in it");
    CHECK(refusal("1e9B") == "has an exponent; write all digits");
    CHECK(refusal("0x10B") == "is hexadecimal; write it in decimal digits");
    CHECK(refusal("1,5GB") ==
          "has a comma in it; a decimal point is \".\", and thousands are not separated");
    CHECK(refusal(".5GiB") == "has no digit before the point");
    CHECK(refusal("5.GiB") == "has no digit after the point");
    CHECK(refusal("1.2.3GiB") == "is not a number");
    CHECK(refusal("GiB") == "is not a number");
    CHECK(refusal("nanB") == "is not a number");
    CHECK(refusal("5KB") == "has a unit with two meanings; write k for 1,000 or Ki for 1,024");
    for (const char* text : {"5gb", "5GIB", "5kiB", "5Gib", "5G", "5Gi", "5b", "5EB", "5GBs",
                             "5GB/s", "5GiBGiB", "5blocks"}) {
        CHECK(refusal(text) == "has an unknown unit; write one of " + units);
    }
    CHECK(refusal(std::string_view("5B\0", 3)) == "has an unknown unit; write one of " + units);
    CHECK(refusal("0.1GiB") == "is not a whole number of bytes");  // 107,374,182.4
    CHECK(refusal("0.3B") == "is not a whole number of bytes");
    CHECK(refusal("1.0001kB") == "is not a whole number of bytes");
}

TEST_CASE("a size past 64 bits is refused, the last one before it is not", "[units]") {
    const std::string past = "is larger than 18,446,744,073,709,551,615 B";
    CHECK(bytes_of("18446744073709551615B") == UINT64_MAX);
    CHECK(refusal("18446744073709551616B") == past);
    CHECK(bytes_of("16777215.5TiB") == 18446743523953737728u);
    CHECK(refusal("16777216TiB") == past);
    CHECK(refusal("18446744073.709551616GB") == past);
    CHECK(bytes_of("18446744073.709551615GB") == UINT64_MAX);
    CHECK(refusal("99999999999999999999TiB") == past);
    CHECK(refusal(std::string(2000, '9') + "GB") == "is longer than 1,000 characters");
}

TEST_CASE("every whole number of bytes reads back from its binary decimals", "[units]") {
    // bytes / 2^10 has ten binary places, so ten decimals spell it exactly: n x 0.0009765625.
    const kv::Random random(9, 0);
    for (std::uint64_t n = 0; n < 2000; ++n) {
        const std::uint64_t bytes = random.bits(n);
        std::string decimals = std::to_string(bytes % 1024 * 9765625);
        decimals.insert(0, 10 - decimals.size(), '0');
        REQUIRE(bytes_of(std::to_string(bytes / 1024) + "." + decimals + "KiB") == bytes);
    }
}

TEST_CASE("bandwidths are read to the nearest double", "[units]") {
    std::string why;
    CHECK(parse_bandwidth("2TB/s", why) == 2e12);
    CHECK(parse_bandwidth("3.35TB/s", why) == 3350000000000.0);
    CHECK(parse_bandwidth("25GB/s", why) == 25e9);
    CHECK(parse_bandwidth("936.2GB/s", why) == 936200000000.0);
    CHECK(parse_bandwidth("1.5GiB/s", why) == 1610612736.0);
    CHECK(parse_bandwidth("1B/s", why) == 1.0);
    CHECK(parse_bandwidth("0.1kB/s", why) == 100.0);
}

TEST_CASE("a rate is rounded once, not again when its unit is put in", "[units]") {
    // 2.01 TB/s is 201 x 10^10, a whole number that a double holds; 2.01 alone is not.
    std::string why;
    for (int hundredths = 100; hundredths < 1000; ++hundredths) {
        const std::string digits = std::to_string(hundredths);
        const std::string text = digits.substr(0, 1) + "." + digits.substr(1) + "TB/s";
        REQUIRE(parse_bandwidth(text, why) == hundredths * 1e10);
    }
}

TEST_CASE("arithmetic rates are read in both common spellings", "[units]") {
    std::string why;
    CHECK(parse_flops("989TFLOP/s", why) == 989e12);
    CHECK(parse_flops("312TFLOPS", why) == 312e12);
    CHECK(parse_flops("520GFLOP/s", why) == 520e9);
    CHECK(parse_flops("1.979PFLOP/s", why) == 1979000000000000.0);
    CHECK(parse_flops("1FLOP/s", why) == 1.0);
}

TEST_CASE("refused rates are named by their rule", "[units]") {
    std::string why;
    const auto bandwidth = [&](std::string_view text) {
        CHECK_FALSE(parse_bandwidth(text, why));
        return why;
    };
    const auto flops = [&](std::string_view text) {
        CHECK_FALSE(parse_flops(text, why));
        return why;
    };
    CHECK(bandwidth("") == "is empty");
    CHECK(bandwidth("-2TB/s") == "has a sign");
    CHECK(bandwidth("2 TB/s") == "has a blank in it");
    CHECK(bandwidth("0GB/s") == "is not larger than zero");
    CHECK(bandwidth("0.0GB/s") == "is not larger than zero");
    CHECK(bandwidth(std::string(400, '9') + "B/s") == "is too large");
    CHECK(bandwidth("1e3GB/s") == "has an exponent; write all digits");
    CHECK(bandwidth("2KB/s") == "has a unit with two meanings; write k for 1,000 or Ki for 1,024");
    CHECK(
        bandwidth("2") ==
        "has no unit; write one of B/s, kB/s, MB/s, GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s");
    CHECK(bandwidth("2TB").substr(0, 19) == "has an unknown unit");
    CHECK(bandwidth("2Tb/s").substr(0, 19) == "has an unknown unit");
    CHECK(flops("0TFLOP/s") == "is not larger than zero");
    CHECK(flops("989") ==
          "has no unit; write one of FLOP/s, kFLOP/s, MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s");
    CHECK(flops("989T").substr(0, 19) == "has an unknown unit");
    CHECK(flops("989tflops").substr(0, 19) == "has an unknown unit");
    CHECK(flops("989TiFLOP/s").substr(0, 19) == "has an unknown unit");
    CHECK(flops("989TFLOPS/s").substr(0, 19) == "has an unknown unit");
}
