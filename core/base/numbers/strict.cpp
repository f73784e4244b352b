#include "core/base/numbers/strict.hpp"

namespace kv {
namespace {

// No number that a person types is longer, and the power of ten has to fit an int.
constexpr std::size_t kLongestNumber = 1000;

std::size_t count_digits(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    return n;
}

// Digits, perhaps a point and digits, then e or E and a digit or a sign: "1e9", "1.5E+3".
bool has_exponent(std::string_view text) {
    const std::size_t e = text.find_first_not_of("0123456789.");
    if (e == 0 || e == std::string_view::npos || e + 1 == text.size()) return false;
    if (text[e] != 'e' && text[e] != 'E') return false;
    return std::string_view("0123456789+-").find(text[e + 1]) != std::string_view::npos;
}

}  // namespace

bool all_digits(std::string_view text) {
    return !text.empty() && count_digits(text) == text.size();
}

std::string broken_rule(std::string_view text) {
    if (text.empty()) return "is empty";
    if (text.find_first_of(" \t\r\n\v\f") != std::string_view::npos) return "has a blank in it";
    if (text[0] == '-' || text[0] == '+') return "has a sign";
    if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
        return "is hexadecimal; write it in decimal digits";
    }
    if (has_exponent(text)) return "has an exponent; write all digits";
    if (text.find(',') != std::string_view::npos) {
        return "has a comma in it; a decimal point is \".\", and thousands are not separated";
    }
    if (text[0] == '.') return "has no digit before the point";
    return "";
}

std::optional<Decimal> strict_decimal(std::string_view number, std::string_view whole,
                                      std::string& why) {
    why = broken_rule(whole);
    if (why.empty() && whole.size() > kLongestNumber) why = "is longer than 1,000 characters";
    if (!why.empty()) return std::nullopt;

    const std::size_t point = count_digits(number);
    const bool has_point = point < number.size();
    const std::string_view fraction = has_point ? number.substr(point + 1) : std::string_view();
    const bool fraction_is_good = !has_point || (number[point] == '.' && all_digits(fraction));
    if (point > 0 && has_point && number[point] == '.' && fraction.empty()) {
        why = "has no digit after the point";
    } else if (point == 0 || !fraction_is_good) {
        why = "is not a number";
    }
    if (!why.empty()) return std::nullopt;

    Decimal decimal;
    decimal.digits = std::string(number.substr(0, point)) + std::string(fraction);
    decimal.power = -static_cast<int>(fraction.size());
    return decimal;
}

}  // namespace kv
