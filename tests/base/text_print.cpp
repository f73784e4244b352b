#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/numbers/minifloat.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/random.hpp"

using kv::counted;
using kv::fixed;
using kv::round_trip;
using kv::significant;
using kv::with_commas;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// std::to_chars is the oracle: shortest by the standard. The library may not use it, because one of
// the supported compilers lacks it. Its exponents are spelled e+21 and e-07.
template <class Float>
std::string oracle(Float value) {
    const Float size = std::abs(value);
    const bool plain = size == 0 || (size >= Float(1e-6) && size < Float(1e21));
    char buffer[64];
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr;
    std::string text(buffer, end);
    const std::size_t exponent = text.find('e') + 2;
    if (!plain && text[exponent] == '0') text.erase(exponent, 1);
    if (!plain && text[exponent - 1] == '+') text.erase(exponent - 1, 1);
    return text;
}

template <class Float>
void require_shortest(Float value) {
    const std::string text = kv::round_trip(value);
    REQUIRE(text == oracle(value));
    Float back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    REQUIRE(back == value);
}

double double_of(std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace

TEST_CASE("thousands carry commas", "[text]") {
    CHECK(with_commas(0) == "0");
    CHECK(with_commas(999) == "999");
    CHECK(with_commas(1000) == "1,000");
    CHECK(with_commas(1234567) == "1,234,567");
    CHECK(with_commas(100000) == "100,000");
    CHECK(with_commas(18446744073709551615u) == "18,446,744,073,709,551,615");
}

TEST_CASE("fixed text has exactly the decimals asked for", "[text]") {
    CHECK(fixed(13.7, 2) == "13.70");
    CHECK(fixed(0.07, 2) == "0.07");
    CHECK(fixed(-1.005, 1) == "-1.0");
    CHECK(fixed(9.996, 2) == "10.00");
    CHECK(fixed(1234567.0, 0) == "1234567");
    CHECK(fixed(0.125, 2) == "0.12");  // a tie: exactly between, so the even one
    CHECK(fixed(0.375, 2) == "0.38");
    CHECK(fixed(0.5, 0) == "0");
    CHECK(fixed(1e22, 0) == "10000000000000000000000");
    CHECK(fixed(1e-10, 3) == "0.000");
    CHECK(fixed(5e-324, 30) == "0.000000000000000000000000000000");
    CHECK(fixed(std::numeric_limits<double>::max(), 30).size() == 309 + 1 + 30);
}

TEST_CASE("there is no negative zero in fixed text", "[text]") {
    CHECK(fixed(-0.001, 2) == "0.00");
    CHECK(fixed(-0.0, 1) == "0.0");
    CHECK(fixed(-0.005, 2) == "-0.01");  // -0.005 as a double lies just below the tie
}

TEST_CASE("significant text has so many digits and never an exponent", "[text]") {
    CHECK(significant(0.0068231, 3) == "0.00682");
    CHECK(significant(2.0, 3) == "2.00");
    CHECK(significant(9.996, 3) == "10.0");
    CHECK(significant(13480000000.0, 3) == "13500000000");
    CHECK(significant(-137.95, 2) == "-140");
    CHECK(significant(1e-9, 2) == "0.0000000010");
    CHECK(significant(0.5, 1) == "0.5");
    CHECK(significant(0.0, 3) == "0");
    CHECK(significant(-0.0, 3) == "0");
    CHECK(significant(1.0 / 3, 17) == "0.33333333333333331");
    CHECK_THROWS_AS(significant(1.0, 0), kv::BrokenAssert);
    CHECK_THROWS_AS(significant(1.0, 18), kv::BrokenAssert);
}

TEST_CASE("what is no number is spelled as a word", "[text]") {
    CHECK(fixed(kNaN, 2) == "nan");
    CHECK(significant(kInfinity, 3) == "inf");
    CHECK(round_trip(-kInfinity) == "-inf");
    CHECK(round_trip(std::numeric_limits<float>::infinity()) == "inf");
}

TEST_CASE("round trip text is the shortest, plain in the middle, with an exponent outside",
          "[text]") {
    CHECK(round_trip(0.1) == "0.1");
    CHECK(round_trip(0.1f) == "0.1");
    CHECK(round_trip(static_cast<double>(0.1f)) == "0.10000000149011612");
    CHECK(round_trip(13.7) == "13.7");
    CHECK(round_trip(1.0) == "1");
    CHECK(round_trip(-50.0) == "-50");
    CHECK(round_trip(0.0) == "0");
    CHECK(round_trip(-0.0) == "-0.0");
    CHECK(round_trip(0.000001) == "0.000001");
    CHECK(round_trip(0.00000025) == "2.5e-7");
    CHECK(round_trip(1e21) == "1e21");
    CHECK(round_trip(1e20) == "100000000000000000000");
    CHECK(round_trip(1.5e300) == "1.5e300");
    CHECK(round_trip(5e-324) == "5e-324");
    CHECK(round_trip(1.7976931348623157e308) == "1.7976931348623157e308");
    CHECK(round_trip(9007199254740993.0) == "9007199254740992");  // 2^53 + 1 is no double
    CHECK(round_trip(65504.0f) == "65504");
    CHECK(round_trip(16777216.0f) == "16777216");
    CHECK(round_trip(3.4028235e38f) == "3.4028235e38");
}

TEST_CASE("every power of two reads back from the fewest digits", "[text]") {
    for (int exponent = -1074; exponent <= 1023; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        require_shortest(power);
        require_shortest(-power);
        if (exponent > -1074) require_shortest(std::nextafter(power, 0.0));
    }
    for (int exponent = -149; exponent <= 127; ++exponent) {
        require_shortest(std::ldexp(1.0f, exponent));
    }
}

TEST_CASE("random numbers of all sizes read back from the fewest digits", "[text][heavy]") {
    const kv::Random random(11, 0);
    for (std::uint64_t n = 0; n < 20000; ++n) {
        const std::uint32_t low = random.bits(2 * n), high = random.bits(2 * n + 1);
        const double wide = double_of(std::uint64_t{high} << 32 | low);
        const float narrow = kv::float_of(low);
        if (std::isfinite(wide)) require_shortest(wide);
        if (std::isfinite(narrow)) require_shortest(narrow);
        // Most random bits are far from 1; these are numbers of everyday size.
        require_shortest(static_cast<double>(high) / (1 + low % 100000));
        require_shortest(static_cast<float>(high) / static_cast<float>(1 + low % 1000));
    }
}

TEST_CASE("one of a thing is no plural", "[text]") {
    CHECK(counted(0, "step") == "0 steps");
    CHECK(counted(1, "step") == "1 step");
    CHECK(counted(2, "step") == "2 steps");
}
