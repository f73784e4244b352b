#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/numbers/units.hpp"
#include "core/base/random.hpp"

using kv::bytes_binary;
using kv::bytes_decimal;
using kv::bytes_exact;
using kv::flops_text;
using kv::rate_text;
using kv::seconds_text;

namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * 1024, kGiB = kMiB * 1024, kTiB = kGiB * 1024;

// A printed size taken apart again.
class Printed {
public:
    explicit Printed(std::string text) {
        text.erase(std::remove(text.begin(), text.end(), ','), text.end());
        digits_ = text.substr(0, text.find(' '));
        unit_ = text.substr(text.find(' ') + 1);
    }
    bool no_stray_zero() const {
        return digits_.find('.') == std::string::npos || digits_.back() != '0';
    }
    double number() const { return std::stod(digits_); }
    double unit() const {
        const double step = unit_.size() == 3 ? 1024 : 1000;
        return std::pow(step, std::string("BkMGT").find(unit_[0] == 'K' ? 'k' : unit_[0]));
    }
    double bytes() const { return number() * unit(); }

private:
    std::string digits_, unit_;
};

}  // namespace

TEST_CASE("binary sizes with at most three decimals are exact", "[units]") {
    CHECK(bytes_binary(0) == "0 B");
    CHECK(bytes_binary(48) == "48 B");
    CHECK(bytes_binary(1023) == "1,023 B");
    CHECK(bytes_binary(kKiB) == "1 KiB");
    CHECK(bytes_binary(512 * kKiB) == "512 KiB");
    CHECK(bytes_binary(70272) == "68.625 KiB");
    CHECK(bytes_binary(3355443200) == "3.125 GiB");
    CHECK(bytes_binary(3 * kGiB / 2) == "1.5 GiB");
    CHECK(bytes_binary(85899345920) == "80 GiB");
    CHECK(bytes_binary(1023 * kMiB + 896 * kKiB) == "1,023.875 MiB");
    CHECK(bytes_binary(2 * kTiB + kTiB / 8) == "2.125 TiB");
    CHECK(bytes_binary(999 * kTiB) == "999 TiB");
}

TEST_CASE("other binary sizes are rounded to four significant digits", "[units]") {
    CHECK(bytes_binary(137953296384) == "128.5 GiB");  // 128.479...
    CHECK(bytes_binary(30655329075) == "28.55 GiB");   // 28.550...
    CHECK(bytes_binary(1025) == "1.001 KiB");          // 1.00097...
    CHECK(bytes_binary(kMiB + 1) == "1 MiB");
    CHECK(bytes_binary(1234567) == "1.177 MiB");  // 1.17737...
    CHECK(bytes_binary(1000 * kKiB + 3) == "1,000 KiB");
    CHECK(bytes_binary(10 * kKiB + 1) == "10 KiB");
    CHECK(bytes_binary(10 * kKiB + 6) == "10.01 KiB");  // 10.0058...
    CHECK(bytes_binary(10 * kKiB - 1) == "9.999 KiB");
    CHECK(bytes_binary(100 * kMiB - 1) == "100 MiB");
}

TEST_CASE("a binary size that rounds up to the next unit is printed in it", "[units]") {
    CHECK(bytes_binary(kMiB - 1) == "1 MiB");
    CHECK(bytes_binary(kGiB - 1) == "1 GiB");
    CHECK(bytes_binary(kTiB - kGiB / 4 - 1) == "1 TiB");     // 1,023.75 GiB less one byte
    CHECK(bytes_binary(kTiB - kGiB / 4) == "1,023.75 GiB");  // and this one is exact
    CHECK(bytes_binary(kTiB - kGiB) == "1,023 GiB");
    CHECK(bytes_binary(kTiB - kGiB / 2 - 1) == "1,023 GiB");
}

TEST_CASE("the largest unit holds whatever is left", "[units]") {
    CHECK(bytes_binary(2048 * kTiB) == "2,048 TiB");
    CHECK(bytes_binary(UINT64_MAX) == "16,777,216 TiB");
    CHECK(bytes_decimal(UINT64_MAX) == "18,446,744.07 TB");
}

TEST_CASE("decimal sizes have at most two decimals", "[units]") {
    CHECK(bytes_decimal(0) == "0 B");
    CHECK(bytes_decimal(999) == "999 B");
    CHECK(bytes_decimal(1000) == "1 kB");
    CHECK(bytes_decimal(524288) == "524.29 kB");
    CHECK(bytes_decimal(3355443200) == "3.36 GB");
    CHECK(bytes_decimal(137953296384) == "137.95 GB");
    CHECK(bytes_decimal(13480000000) == "13.48 GB");
    CHECK(bytes_decimal(80000000000) == "80 GB");
    CHECK(bytes_decimal(1500) == "1.5 kB");
    CHECK(bytes_decimal(1005) == "1.01 kB");  // half up
    CHECK(bytes_decimal(1004) == "1 kB");
    CHECK(bytes_decimal(2000000000000) == "2 TB");
}

TEST_CASE("a decimal size that rounds up to the next unit is printed in it", "[units]") {
    CHECK(bytes_decimal(999994) == "999.99 kB");
    CHECK(bytes_decimal(999995) == "1 MB");
    CHECK(bytes_decimal(999999999) == "1 GB");
    CHECK(bytes_decimal(999999999999) == "1 TB");
}

TEST_CASE("a printed size is within half of its last digit and has no stray zero", "[units]") {
    // Near a power the number has to decide between units; the others have all lengths of digits.
    const kv::Random random(4, 0);
    for (std::uint64_t n = 0; n < 20000; ++n) {
        const std::uint64_t power = n % 2 == 0 ? std::uint64_t{1} << 10 * (1 + n % 4)
                                               : std::uint64_t(std::pow(1000, 1 + n % 4));
        const std::uint64_t anything = std::uint64_t{random.bits(n)} << 16 >> n % 48;
        const std::uint64_t bytes = n % 3 == 0 ? anything : power - 500 + random.bits(n) % 1000;

        const std::string binary = bytes_binary(bytes), decimal = bytes_decimal(bytes);
        INFO(bytes << " prints as " << binary << " and " << decimal);
        CHECK(Printed(binary).no_stray_zero());
        CHECK(Printed(decimal).no_stray_zero());
        const double exact = static_cast<double>(bytes);
        REQUIRE(std::abs(Printed(binary).bytes() - exact) <= 0.000501 * exact);
        REQUIRE(std::abs(Printed(decimal).bytes() - exact) <= 0.00501 * Printed(decimal).unit());
        REQUIRE(Printed(binary).number() < 1024);
        REQUIRE(Printed(decimal).number() < 1000);
    }
}

TEST_CASE("exact bytes carry commas, and the unit system picks the printer", "[units]") {
    CHECK(bytes_exact(3355443200) == "3,355,443,200 B");
    CHECK(bytes_exact(0) == "0 B");
    CHECK(kv::bytes_in(kv::UnitSystem::Binary, 1000000) == "976.6 KiB");
    CHECK(kv::bytes_in(kv::UnitSystem::Decimal, 1000000) == "1 MB");
}

TEST_CASE("rates use the largest unit that leaves at least one of it", "[units]") {
    CHECK(rate_text(2e12) == "2 TB/s");
    CHECK(rate_text(3.35e12) == "3.35 TB/s");
    CHECK(rate_text(936.2e9) == "936.2 GB/s");
    CHECK(rate_text(25e9) == "25 GB/s");
    CHECK(rate_text(999.97e9) == "1 TB/s");
    CHECK(rate_text(999.94e9) == "999.9 GB/s");
    CHECK(rate_text(1) == "1 B/s");
    CHECK(rate_text(0.25) == "0.25 B/s");
    CHECK(rate_text(0) == "0 B/s");
    CHECK(rate_text(12345.6e12) == "12,346 TB/s");
    CHECK(flops_text(989e12) == "989 TFLOP/s");
    CHECK(flops_text(1.979e15) == "1.979 PFLOP/s");
    CHECK(flops_text(312e12) == "312 TFLOP/s");
    CHECK(flops_text(520e9) == "520 GFLOP/s");
    CHECK(flops_text(1500) == "1.5 kFLOP/s");
}

TEST_CASE("times have three significant digits in the unit that reads best", "[units]") {
    CHECK(seconds_text(0.00781) == "7.81 ms");
    CHECK(seconds_text(0.000157) == "0.157 ms");
    CHECK(seconds_text(1.2) == "1.2 s");
    CHECK(seconds_text(12e-6) == "12 us");
    CHECK(seconds_text(0.0001) == "0.1 ms");
    CHECK(seconds_text(99.94e-6) == "99.9 us");
    CHECK(seconds_text(99.97e-6) == "0.1 ms");
    CHECK(seconds_text(0.25e-6) == "0.25 us");
    CHECK(seconds_text(50e-9) == "50 ns");
    CHECK(seconds_text(0.9996) == "1 s");
    CHECK(seconds_text(0.9994) == "999 ms");
    CHECK(seconds_text(59.96) == "60 s");
    CHECK(seconds_text(1234.5) == "1,234 s");  // a tie, to even; all whole digits are kept
    CHECK(seconds_text(86400) == "86,400 s");
    CHECK(seconds_text(0) == "0 s");
    CHECK(seconds_text(-0.002) == "-2 ms");
    CHECK(seconds_text(std::numeric_limits<double>::infinity()) == "inf s");
}
