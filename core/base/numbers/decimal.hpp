#pragma once
// A number as decimal digits and a power of ten. There is no decimal point in it, so the C library
// writes and reads it alike under every locale; text.cpp and units.cpp put the point in themselves.
// This is the only place that calls printf and strtod for floating-point numbers.

#include <string>
#include <string_view>

namespace kv {

// The value is digits x 10^power, digits taken as a whole number: 1.50 is {"150", -2}.
struct Decimal {
    std::string digits;  // at least one
    int power = 0;
    bool negative = false;

    // Where the point stands, counted from the left end of the digits: 1 for 1.50, -1 for 0.0068.
    int point() const { return static_cast<int>(digits.size()) + power; }
    bool is_zero() const { return digits.find_first_not_of('0') == std::string::npos; }
};

// A finite value, correctly rounded to so many significant digits (1 to 17) or decimals (0 to 30).
Decimal round_to_digits(double value, int digits);
Decimal round_to_decimals(double value, int decimals);
Decimal shortest(double value);  // as few digits as read back to the same number
Decimal shortest(float value);

Decimal without_trailing_zeros(Decimal number);  // {"150", -2} -> {"15", -1}
std::string plain_text(const Decimal& number);   // "1.50", "0.0068", "13500": never an exponent
std::string group_thousands(std::string plain);  // "12345.678" -> "12,345.678"

double to_double(const Decimal& number);  // correctly rounded; too large gives infinity

}  // namespace kv
