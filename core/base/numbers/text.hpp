#pragma once
// Numbers as text and back, the same under every locale: no printf("%f") and no strtod anywhere
// else (both live in decimal.cpp). Parsing is strict: the whole string or nothing, and a refusal is
// a sentence fragment in `why` that names the broken rule ("is empty", "has a sign", "is not a
// whole number", "is larger than 4,096"), to stand after the option and the text as typed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

// Every one of these writes "nan", "inf" and "-inf" for what is not a number. JSON has no word for
// those, so a JSON writer looks at std::isfinite first and writes null.
std::string with_commas(std::uint64_t value);                 // 1234567 -> "1,234,567"
std::string counted(std::uint64_t n, std::string_view noun);  // "1 block", "2 blocks"
std::string fixed(double value, int decimals);  // 13.7 -> "13.70" with decimals = 2; never "-0.00"
std::string significant(double value, int digits);  // 0.0068231, 3 -> "0.00682"; never an exponent

// The shortest text that reads back to the same number, whole numbers exactly: "0.1", "13.7",
// "-0.0", "179662816". From 1e21 up and below 1e-6 with an exponent: "1e21", "2.5e-7". Valid JSON
// as long as the value is finite.
std::string round_trip(double value);
std::string round_trip(float value);

// Decimal digits only: no sign, blank, "0x", exponent or underscore. min and max are allowed.
std::optional<std::uint64_t> parse_whole(std::string_view text, std::uint64_t min,
                                         std::uint64_t max, std::string& why);
// Digits with an optional "." and digits: "1.5", ".5" is refused, no exponent, no inf or nan.
std::optional<double> parse_decimal(std::string_view text, std::string& why);

}  // namespace kv
