// How a value is written in a lesson: the formats of value.hpp.

#include <array>
#include <cmath>
#include <cstdio>

#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/lesson/language/value.hpp"

namespace kv {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53

bool is_whole(double value) {
    return std::abs(value) < kExact && value == std::floor(value);
}

std::string signed_count(double value) {
    const std::string digits = with_commas(static_cast<std::uint64_t>(std::abs(value)));
    return value < 0 ? "-" + digits : digits;
}

// Whole numbers in full, others to four significant digits.
std::string plain_number(double value) {
    if (!std::isfinite(value)) return round_trip(value);
    if (is_whole(value)) return signed_count(value);
    return group_thousands(plain_text(without_trailing_zeros(round_to_digits(value, 4))));
}

std::string percent(double share, int decimals, bool trim) {
    Decimal number = round_to_decimals(100 * share, decimals);
    if (trim) number = without_trailing_zeros(number);
    return group_thousands(plain_text(number)) + " %";
}

std::string scientific(double value) {
    const Decimal number = round_to_digits(value, 4);
    const int power = number.point() - 1;
    Decimal mantissa = number;
    mantissa.power -= power;
    return plain_text(mantissa) + "e" + std::to_string(power);
}

std::string hex(double value) {
    std::array<char, 20> text{};
    const int n =
        std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return {text.data(), static_cast<std::size_t>(n)};
}

std::string by_unit(const Number& number) {
    const auto [value, unit] = number;
    if (unit == kBytes)
        return value >= 0 && std::isfinite(value)
                   ? bytes_binary(static_cast<std::uint64_t>(std::llround(value)))
                   : plain_number(value) + " B";
    if (unit == kSeconds) return seconds_text(value);
    if (unit == kFlops) return plain_number(value) + " FLOP";
    if (unit == kByteRate) return rate_text(value);
    if (unit == kFlopRate) return flops_text(value);
    if (unit == kIntensity) return plain_number(value) + " FLOP/B";
    if (unit == kPerSecond) return plain_number(value) + " a second";
    return plain_number(value);
}

std::optional<std::string> of_bytes(double bytes, std::string_view format) {
    const auto in = [&](double size) { return plain_number(bytes / size); };
    const auto whole = static_cast<std::uint64_t>(std::llround(bytes));
    if (format == "B") return bytes_exact(whole);
    if (format == "GB") return bytes_decimal(whole);
    if (format == "KiB") return in(1024) + " KiB";
    if (format == "MiB") return in(1024.0 * 1024) + " MiB";
    if (format == "GiB") return in(1024.0 * 1024 * 1024) + " GiB";
    return std::nullopt;
}

std::optional<std::string> number_shown(const Number& number, std::string_view format) {
    const double value = number.value;
    if (format.empty()) return by_unit(number);
    if (number.unit == kBytes)
        if (auto text = of_bytes(value, format)) return text;
    if (format == "raw") return round_trip(value);
    if (format == "sci") return scientific(value);
    if (format == "hex") return hex(value);
    if (format == "x") return plain_text(without_trailing_zeros(round_to_digits(value, 4))) + "x";
    if (format == "%") return percent(value, 1, true);
    if (format.size() == 2 && format[0] == '%') return percent(value, format[1] - '0', false);
    if (format.size() == 1 && format[0] >= '0' && format[0] <= '6')
        return group_thousands(fixed(value, format[0] - '0'));
    return std::nullopt;
}

std::optional<std::string> list_shown(const LessonList& list, std::string_view format) {
    std::string text;
    for (const LessonValue& value : list) {
        const auto one = value_shown(value, format);
        if (!one) return std::nullopt;
        text += (text.empty() ? "" : ", ") + *one;
    }
    return text.empty() ? "none" : text;
}

}  // namespace

bool is_format(std::string_view format) {
    constexpr std::array<std::string_view, 22> kFormats{
        "",   "0",  "1", "2", "3",  "4",   "5",   "6",   "%",   "%0",  "%1",
        "%2", "%3", "x", "B", "GB", "KiB", "MiB", "GiB", "raw", "hex", "sci"};
    for (const std::string_view known : kFormats)
        if (format == known) return true;
    return false;
}

std::optional<std::string> value_shown(const LessonValue& value, std::string_view format) {
    if (const auto* number = value.plain<Number>()) return number_shown(*number, format);
    if (const auto* list = value.shared<LessonList>()) return list_shown(*list, format);
    if (!format.empty()) return std::nullopt;
    if (const auto* yes = value.plain<bool>()) return *yes ? "yes" : "no";
    if (const auto* text = value.plain<std::string>()) return *text;
    if (const auto* figure = value.shared<QuotedFigure>()) return figure->text;
    if (const auto* shape = value.shared<ModelShape>()) return shape->title;
    return std::nullopt;
}

}  // namespace kv
