#include "core/base/numbers/text.hpp"

#include <cmath>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/strict.hpp"

namespace kv {
namespace {

std::string not_finite_text(double value) {
    if (std::isnan(value)) return "nan";
    return value < 0 ? "-inf" : "inf";
}

std::string unsigned_zero(Decimal number) {
    if (number.is_zero()) number.negative = false;
    return plain_text(number);
}

// The rule of JavaScript, whose numbers are JSON's: an exponent only where plain digits get long.
std::string shortest_text(const Decimal& number, double value) {
    if (number.is_zero()) return number.negative ? "-0.0" : "0";
    const int point = number.point();
    // Where zeros would fill up a whole number, its own digits are no longer and are exact.
    if (number.power > 0 && point <= 21) return plain_text(round_to_decimals(value, 0));
    if (point > -6 && point <= 21) return plain_text(number);
    Decimal leading = number;
    leading.power = 1 - static_cast<int>(number.digits.size());
    return plain_text(leading) + "e" + std::to_string(point - 1);
}

template <class Float>
std::string round_trip_text(Float value) {
    const auto wide = static_cast<double>(value);
    return std::isfinite(wide) ? shortest_text(shortest(value), wide) : not_finite_text(wide);
}

}  // namespace

std::string counted(std::uint64_t n, std::string_view noun) {
    return with_commas(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::string with_commas(std::uint64_t value) {
    return group_thousands(std::to_string(value));
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return not_finite_text(value);
    return unsigned_zero(round_to_decimals(value, decimals));
}

std::string significant(double value, int digits) {
    if (!std::isfinite(value)) return not_finite_text(value);
    if (value == 0) return "0";
    return plain_text(round_to_digits(value, digits));
}

std::string round_trip(double value) {
    return round_trip_text(value);
}

std::string round_trip(float value) {
    return round_trip_text(value);
}

std::optional<std::uint64_t> parse_whole(std::string_view text, std::uint64_t min,
                                         std::uint64_t max, std::string& why) {
    why = broken_rule(text);
    if (why.empty() && !all_digits(text)) why = "is not a whole number";
    if (!why.empty()) return std::nullopt;

    std::optional<u64> value = 0;
    for (const char c : text) {
        value = checked_mul(*value, 10);
        if (value) value = checked_add(*value, static_cast<u64>(c - '0'));
        if (!value) break;
    }
    if (!value || *value > max) {
        why = "is larger than " + with_commas(max);
    } else if (*value < min) {
        why = "is smaller than " + with_commas(min);
    }
    return why.empty() ? value : std::nullopt;
}

std::optional<double> parse_decimal(std::string_view text, std::string& why) {
    const std::optional<Decimal> decimal = strict_decimal(text, text, why);
    if (!decimal) return std::nullopt;
    const double value = to_double(*decimal);
    if (std::isinf(value)) why = "is too large";
    return why.empty() ? std::optional<double>(value) : std::nullopt;
}

}  // namespace kv
