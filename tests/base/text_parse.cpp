#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cstdint>

#include "core/base/numbers/text.hpp"
#include "core/base/random.hpp"

using kv::parse_decimal;
using kv::parse_whole;

namespace {

constexpr std::uint64_t kMaxInt = 2147483647;

// The refusal, or "" and a failed check when the text was taken.
std::string whole_refusal(std::string_view text, std::uint64_t min = 1,
                          std::uint64_t max = kMaxInt) {
    std::string why = "left over from an earlier call";
    CHECK_FALSE(parse_whole(text, min, max, why));
    return why;
}

std::string decimal_refusal(std::string_view text) {
    std::string why;
    CHECK_FALSE(parse_decimal(text, why));
    return why;
}

}  // namespace

TEST_CASE("whole numbers are read from digits alone, bounds included", "[text]") {
    std::string why = "left over from an earlier call";
    CHECK(parse_whole("16", 1, 1024, why) == std::uint64_t{16});
    CHECK(why.empty());
    CHECK(parse_whole("1", 1, 1024, why) == std::uint64_t{1});
    CHECK(parse_whole("1024", 1, 1024, why) == std::uint64_t{1024});
    CHECK(parse_whole("0", 0, 0, why) == std::uint64_t{0});
    CHECK(parse_whole("007", 0, 9, why) == std::uint64_t{7});
    CHECK(parse_whole("18446744073709551615", 0, UINT64_MAX, why) == UINT64_MAX);
}

TEST_CASE("every refused spelling of a block size is named by its rule", "[text]") {
    CHECK(whole_refusal("") == "is empty");
    CHECK(whole_refusal("0") == "is smaller than 1");
    CHECK(whole_refusal("-1") == "has a sign");
    CHECK(whole_refusal("+16") == "has a sign");
    CHECK(whole_refusal("2147483648") == "is larger than 2,147,483,647");
    CHECK(whole_refusal("1025", 1, 1024) == "is larger than 1,024");
    CHECK(whole_refusal("1e9") == "has an exponent; write all digits");
    CHECK(whole_refusal("1E9") == "has an exponent; write all digits");
    CHECK(whole_refusal("0x10") == "is hexadecimal; write it in decimal digits");
    CHECK(whole_refusal("0X10") == "is hexadecimal; write it in decimal digits");
    CHECK(whole_refusal(" 16") == "has a blank in it");
    CHECK(whole_refusal("16 ") == "has a blank in it");
    CHECK(whole_refusal("1 6") == "has a blank in it");
    CHECK(whole_refusal("\t16") == "has a blank in it");
    CHECK(whole_refusal("16\n") == "has a blank in it");
    CHECK(whole_refusal("16.5") == "is not a whole number");
    CHECK(whole_refusal("16.") == "is not a whole number");
    CHECK(whole_refusal("1_000") == "is not a whole number");
    CHECK(whole_refusal("16x") == "is not a whole number");
    CHECK(whole_refusal("e9") == "is not a whole number");
    CHECK(whole_refusal("nan") == "is not a whole number");
    CHECK(whole_refusal("inf") == "is not a whole number");
    CHECK(whole_refusal("\xD9\xA1\xD9\xA6") == "is not a whole number");  // Arabic-Indic digits
    CHECK(whole_refusal(std::string_view("16\0", 3)) == "is not a whole number");
    CHECK(whole_refusal("1,000") ==
          "has a comma in it; a decimal point is \".\", and thousands are not separated");
}

TEST_CASE("a whole number past 64 bits is too large, never wrapped round", "[text]") {
    CHECK(whole_refusal("18446744073709551616", 0, UINT64_MAX) ==
          "is larger than 18,446,744,073,709,551,615");
    CHECK(whole_refusal("18446744073709551617") == "is larger than 2,147,483,647");
    CHECK(whole_refusal("99999999999999999999999999999999") == "is larger than 2,147,483,647");
    CHECK(whole_refusal(std::string(100000, '9')) == "is larger than 2,147,483,647");
}

TEST_CASE("whole numbers print and read back", "[text]") {
    const kv::Random random(5, 0);
    std::string why;
    for (std::uint64_t n = 0; n < 10000; ++n) {
        const std::uint64_t value =
            (std::uint64_t{random.bits(3 * n)} << 32 | random.bits(3 * n + 1)) >>
            random.below(3 * n + 2, 64);
        REQUIRE(parse_whole(std::to_string(value), 0, UINT64_MAX, why) == value);
    }
}

TEST_CASE("decimal numbers have digits on both sides of a point", "[text]") {
    std::string why = "left over from an earlier call";
    CHECK(parse_decimal("1.5", why) == 1.5);
    CHECK(why.empty());
    CHECK(parse_decimal("0", why) == 0.0);
    CHECK(parse_decimal("0.1", why) == 0.1);
    CHECK(parse_decimal("3.350", why) == 3.35);
    CHECK(parse_decimal("0.0000000000000000000001", why) == 1e-22);
    CHECK(parse_decimal("9007199254740993", why) == 9007199254740992.0);  // tie, to even
    CHECK(parse_decimal("9007199254740993.0000000001", why) == 9007199254740994.0);
    CHECK(parse_decimal("0." + std::string(700, '0') + "1", why) == 0.0);
}

TEST_CASE("every refused spelling of a decimal number is named by its rule", "[text]") {
    CHECK(decimal_refusal("") == "is empty");
    CHECK(decimal_refusal(".5") == "has no digit before the point");
    CHECK(decimal_refusal("5.") == "has no digit after the point");
    CHECK(decimal_refusal(".") == "has no digit before the point");
    CHECK(decimal_refusal("-1.5") == "has a sign");
    CHECK(decimal_refusal("+1.5") == "has a sign");
    CHECK(decimal_refusal("1e5") == "has an exponent; write all digits");
    CHECK(decimal_refusal("1.5e-5") == "has an exponent; write all digits");
    CHECK(decimal_refusal("1e999") == "has an exponent; write all digits");
    CHECK(decimal_refusal("0x1p3") == "is hexadecimal; write it in decimal digits");
    CHECK(decimal_refusal(" 1.5") == "has a blank in it");
    CHECK(decimal_refusal("1. 5") == "has a blank in it");
    CHECK(decimal_refusal("1.2.3") == "is not a number");
    CHECK(decimal_refusal("nan") == "is not a number");
    CHECK(decimal_refusal("inf") == "is not a number");
    CHECK(decimal_refusal("infinity") == "is not a number");
    CHECK(decimal_refusal("1.5f") == "is not a number");
    CHECK(decimal_refusal("1x5") == "is not a number");
    CHECK(decimal_refusal("1,5") ==
          "has a comma in it; a decimal point is \".\", and thousands are not separated");
    CHECK(decimal_refusal(std::string(400, '9')) == "is too large");
    CHECK(decimal_refusal(std::string(1001, '1')) == "is longer than 1,000 characters");
}

TEST_CASE("decimal numbers are read to the nearest double", "[text]") {
    // std::from_chars is the oracle.
    const kv::Random random(6, 0);
    std::string why;
    for (std::uint64_t n = 0; n < 20000; ++n) {
        std::string text = std::to_string(random.bits(3 * n)) + "." +
                           std::to_string(random.bits(3 * n + 1)) +
                           std::to_string(random.bits(3 * n + 2));
        double expected = 0;
        std::from_chars(text.data(), text.data() + text.size(), expected);
        REQUIRE(parse_decimal(text, why) == expected);
    }
}
