#include "core/sim/traces/row.hpp"

#include <array>
#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr double kLongestSeconds = 1e10;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes exactly `digits` digits from the front.
std::optional<u64> take_number(std::string_view& text, std::size_t digits, u64 min, u64 max) {
    if (text.size() < digits) return std::nullopt;
    u64 value = 0;
    for (const char c : text.substr(0, digits)) {
        if (!is_digit(c)) return std::nullopt;
        value = 10 * value + static_cast<u64>(c - '0');
    }
    text.remove_prefix(digits);
    if (value < min || value > max) return std::nullopt;
    return value;
}

bool take(std::string_view& text, char wanted) {
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
}

bool is_leap(u64 year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

u64 days_in(u64 year, u64 month) {
    constexpr std::array<u64, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : kDays.at(month - 1);
}

struct Day {
    u64 year, month, day;
};

u64 days_since_2000(const Day& date) {
    u64 days = date.day - 1;
    for (u64 year = 2000; year < date.year; ++year) days += is_leap(year) ? 366 : 365;
    for (u64 month = 1; month < date.month; ++month) days += days_in(date.year, month);
    return days;
}

std::optional<u64> take_day(std::string_view& text) {
    const auto year = take_number(text, 4, 2000, 2199);
    if (!year || !take(text, '-')) return std::nullopt;
    const auto month = take_number(text, 2, 1, 12);
    if (!month || !take(text, '-')) return std::nullopt;
    const auto day = take_number(text, 2, 1, days_in(*year, *month));
    if (!day) return std::nullopt;
    return days_since_2000({*year, *month, *day});
}

// ".6805900" in nanoseconds; no fraction is 0.
std::optional<u64> take_fraction(std::string_view& text) {
    if (!take(text, '.')) return 0;
    u64 ns = 0, unit = kNsPerSecond;
    while (!text.empty() && is_digit(text.front())) {
        if (unit == 1) return std::nullopt;  // more than nine digits
        unit /= 10;
        ns += unit * static_cast<u64>(text.front() - '0');
        text.remove_prefix(1);
    }
    if (unit == kNsPerSecond) return std::nullopt;
    return ns;
}

std::optional<u64> take_date(std::string_view text) {
    const auto days = take_day(text);
    if (!days || !(take(text, ' ') || take(text, 'T'))) return std::nullopt;
    const auto hours = take_number(text, 2, 0, 23);
    if (!hours || !take(text, ':')) return std::nullopt;
    const auto minutes = take_number(text, 2, 0, 59);
    if (!minutes || !take(text, ':')) return std::nullopt;
    const auto seconds = take_number(text, 2, 0, 59);
    if (!seconds) return std::nullopt;
    const auto ns = take_fraction(text);
    if (!ns || !(text.empty() || text == "Z" || text == "+00:00")) return std::nullopt;
    return (((*days * 24 + *hours) * 60 + *minutes) * 60 + *seconds) * kNsPerSecond + *ns;
}

// "1e-05" is 1 and -5: what a data frame writes for a small number.
std::optional<int> take_exponent(std::string_view& text) {
    const std::size_t at = text.find_first_of("eE");
    if (at == std::string_view::npos) return 0;
    std::string_view digits = text.substr(at + 1);
    text = text.substr(0, at);
    const bool negative = take(digits, '-');
    if (!negative) take(digits, '+');
    if (digits.empty() || digits.size() > 3) return std::nullopt;
    const auto value = take_number(digits, digits.size(), 0, 400);
    if (!value) return std::nullopt;
    return negative ? -static_cast<int>(*value) : static_cast<int>(*value);
}

}  // namespace

std::string_view name_of(TraceFormat format) {
    switch (format) {
        case TraceFormat::Azure:
            return "azure";
        case TraceFormat::BurstGpt:
            return "burstgpt";
        case TraceFormat::Vidur:
            return "vidur";
        case TraceFormat::Mooncake:
            return "mooncake";
        case TraceFormat::QwenBailian:
            return "qwen-bailian";
    }
    return {};
}

std::optional<u64> tokens_per_hash(TraceFormat format) {
    if (format == TraceFormat::Mooncake) return 512;
    if (format == TraceFormat::QwenBailian) return 16;
    return std::nullopt;
}

std::optional<u64> parse_length(std::string_view text, std::string& why) {
    auto length = parse_whole(text, 0, kLongestRequest, why);
    if (!length) why = "\"" + shown(text) + "\" " + why;
    return length;
}

std::optional<u64> seconds_to_ns(double seconds) {
    if (!(seconds >= 0 && seconds <= kLongestSeconds)) return std::nullopt;
    return static_cast<u64>(std::llround(seconds * static_cast<double>(kNsPerSecond)));
}

std::optional<u64> parse_seconds_ns(std::string_view text, std::string& why) {
    std::string_view mantissa = text;
    const auto exponent = take_exponent(mantissa);
    std::optional<double> value;
    if (exponent) value = parse_decimal(mantissa, why);
    std::optional<u64> ns;
    if (value) ns = seconds_to_ns(*value * math::pow(10.0, *exponent));
    if (!ns) why = "\"" + shown(text) + "\" is no time in seconds from 0 to 10,000,000,000";
    return ns;
}

std::optional<u64> parse_date_ns(std::string_view text, std::string& why) {
    auto ns = take_date(text);
    if (!ns) why = "\"" + shown(text) + "\" is no time such as 2023-11-16 18:15:46.6805900";
    return ns;
}

}  // namespace kv
