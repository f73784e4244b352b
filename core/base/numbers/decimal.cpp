#include "core/base/numbers/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/error.hpp"

namespace kv {
namespace {

// strtod and strtof never meet a decimal point here, so no locale can mislead them.
std::string scientific(const Decimal& number) {
    return (number.negative ? "-" : "") + number.digits + "e" + std::to_string(number.power);
}

double read_back(const Decimal& number, double) {
    return std::strtod(scientific(number).c_str(), nullptr);
}

float read_back(const Decimal& number, float) {
    return std::strtof(scientific(number).c_str(), nullptr);
}

// The decimal next to this one, away from zero.
Decimal next_decimal(Decimal number) {
    std::size_t i = number.digits.size();
    while (i > 0 && number.digits[i - 1] == '9') number.digits[--i] = '0';
    if (i > 0) {
        ++number.digits[i - 1];
    } else {
        number.digits.insert(0, 1, '1');
    }
    return number;
}

// Below a power of two floating-point numbers lie twice as dense as above it. So at a power of two
// the nearest short decimal can miss on the dense side where the next one away from zero still
// hits.
template <class Float>
Decimal shortest_of(Float value, int most_digits) {
    for (int digits = 1; digits < most_digits; ++digits) {
        const Decimal nearest = round_to_digits(static_cast<double>(value), digits);
        if (read_back(nearest, value) == value) return without_trailing_zeros(nearest);
        const Decimal next = next_decimal(nearest);
        if (read_back(next, value) == value) return without_trailing_zeros(next);
    }
    return without_trailing_zeros(round_to_digits(static_cast<double>(value), most_digits));
}

std::string only_digits(const std::string& printed) {
    std::string digits;
    for (const char c : printed) {
        if (c >= '0' && c <= '9') digits += c;
    }
    return digits;
}

}  // namespace

Decimal round_to_digits(double value, int digits) {
    KV_ASSERT(std::isfinite(value) && digits >= 1 && digits <= 17);
    char buffer[64];  // sign, 17 digits, a point of up to 16 bytes, e-308
    std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    const std::string printed = buffer;
    const std::size_t e = printed.find('e');
    const int exponent = std::atoi(printed.c_str() + e + 1);
    return {only_digits(printed.substr(0, e)), exponent - (digits - 1), std::signbit(value)};
}

Decimal round_to_decimals(double value, int decimals) {
    KV_ASSERT(std::isfinite(value) && decimals >= 0 && decimals <= 30);
    char buffer[384];  // sign, 309 digits, a point of up to 16 bytes, 30 decimals
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    return {only_digits(buffer), -decimals, std::signbit(value)};
}

Decimal shortest(double value) {
    return shortest_of(value, 17);
}

Decimal shortest(float value) {
    return shortest_of(value, 9);
}

Decimal without_trailing_zeros(Decimal number) {
    while (number.digits.size() > 1 && number.digits.back() == '0') {
        number.digits.pop_back();
        ++number.power;
    }
    if (number.digits == "0") number.power = 0;
    return number;
}

std::string plain_text(const Decimal& number) {
    const int point = number.point();
    const std::string sign = number.negative ? "-" : "";
    if (point <= 0) {
        return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + number.digits;
    }
    if (number.power >= 0) {
        return sign + number.digits + std::string(static_cast<std::size_t>(number.power), '0');
    }
    const auto whole = static_cast<std::size_t>(point);
    return sign + number.digits.substr(0, whole) + "." + number.digits.substr(whole);
}

std::string group_thousands(std::string plain) {
    const std::size_t first = plain.compare(0, 1, "-") == 0 ? 1 : 0;
    std::size_t i = std::min(plain.find('.'), plain.size());
    while (i > first + 3) {
        i -= 3;
        plain.insert(i, 1, ',');
    }
    return plain;
}

double to_double(const Decimal& number) {
    return read_back(number, 0.0);
}

}  // namespace kv
