#include "core/lesson/exercises/answer_value.hpp"

#include <algorithm>
#include <array>

#include "core/base/letters.hpp"
#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/strict.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostExponent = 30;

struct Number {
    Decimal value;
    std::string unit;
};

// "12,345.6" -> "12345.6"; nothing when the commas do not stand between groups of three.
std::optional<std::string> without_commas(std::string_view number) {
    const std::string_view whole = number.substr(0, number.find('.'));
    if (number.find(',', whole.size()) != std::string_view::npos) return std::nullopt;
    if (whole.find(',') == std::string_view::npos) return std::string(number);
    std::string digits;
    std::size_t group = 0, groups = 0;
    for (const char c : whole) {
        if (c != ',') {
            digits += c;
            ++group;
            continue;
        }
        if (group == 0 || group > 3 || (groups > 0 && group != 3)) return std::nullopt;
        ++groups;
        group = 0;
    }
    if (group != 3) return std::nullopt;
    return digits + std::string(number.substr(whole.size()));
}

// "e11", "E+11", "e-3" at the start of `rest`, which is cut.
std::optional<int> take_exponent(std::string_view& rest) {
    if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return 0;
    const bool negative = rest.size() > 1 && rest[1] == '-';
    const std::size_t from = 1 + (rest.size() > 1 && (negative || rest[1] == '+') ? 1 : 0);
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", from), rest.size());
    std::string why;
    const auto power = parse_whole(rest.substr(from, end - from), 0, kMostExponent, why);
    if (!power) return std::nullopt;
    rest.remove_prefix(end);
    return negative ? -static_cast<int>(*power) : static_cast<int>(*power);
}

std::optional<Number> read_number(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    const auto digits = without_commas(text.substr(0, end));
    if (!digits) return std::nullopt;
    std::string why;
    std::optional<Decimal> decimal = strict_decimal(*digits, *digits, why);
    if (!decimal) return std::nullopt;
    std::string_view rest = text.substr(end);
    const std::optional<int> power = take_exponent(rest);
    if (!power) return std::nullopt;
    decimal->power += *power;
    decimal->negative = negative;
    return Number{*decimal, std::string(trimmed(rest))};
}

// The readers of rates know every prefix; a size is what a rate moves in a second.
std::optional<double> with_prefix(const Number& number, const char* base,
                                  std::optional<double> (*read)(std::string_view, std::string&)) {
    if (number.value.negative) return std::nullopt;
    if (number.value.is_zero()) return 0.0;
    std::string why;
    const std::string unit = number.unit.empty() ? base : number.unit;
    return read(plain_text(number.value) + unit + "/s", why);
}

std::optional<double> bytes_of_number(Number number) {
    const std::string unit = lower_case(number.unit);
    if (unit == "byte" || unit == "bytes") number.unit = "B";
    return with_prefix(number, "B", parse_bandwidth);
}

std::optional<double> flop_of_number(Number number) {
    std::string& unit = number.unit;
    if (unit.size() > 1 && (unit.back() == 's' || unit.back() == 'S')) unit.pop_back();
    return with_prefix(number, "FLOP", parse_flops);
}

struct TimeUnit {
    std::string_view name;
    int power;
};
constexpr std::array<TimeUnit, 10> kTimeUnits{{{"s", 0},
                                               {"sec", 0},
                                               {"second", 0},
                                               {"seconds", 0},
                                               {"ms", -3},
                                               {"us", -6},
                                               {"\u00b5s", -6},
                                               {"\u03bcs", -6},
                                               {"ns", -9},
                                               {"milliseconds", -3}}};

std::optional<double> seconds_of_number(Number number, const std::string& usual) {
    const std::string unit = number.unit.empty() ? usual : number.unit;
    for (const TimeUnit& known : kTimeUnits) {
        if (known.name != unit) continue;
        number.value.power += known.power;
        return to_double(number.value);
    }
    return std::nullopt;
}

bool is_one_of(const std::string& unit, std::initializer_list<std::string_view> known) {
    return std::find(known.begin(), known.end(), unit) != known.end();
}

std::string without_plural(std::string unit) {
    if (unit.size() > 1 && unit.back() == 's') unit.pop_back();
    return unit;
}

// "15 blocks", "1 block", and "42 idle" of what is called the idle slots.
bool is_unit_of(const ExercisePart& part, const std::string& unit) {
    if (unit.empty() || without_plural(unit) == without_plural(lower_case(part.unit))) return true;
    const std::string name = " " + lower_case(part.name) + " ";
    return name.find(" " + unit + " ") != std::string::npos;
}

std::optional<double> value_of(const ExercisePart& part, const Number& number) {
    const std::string unit = lower_case(number.unit);
    const double plain = to_double(number.value);
    bool fits = false;
    switch (part.quantity) {
        case Quantity::Bytes:
            return bytes_of_number(number);
        case Quantity::Flop:
            return flop_of_number(number);
        case Quantity::Seconds:
            return seconds_of_number(number, part.unit);
        case Quantity::Percent:
            fits = is_one_of(unit, {"", "%", "percent", "per cent"});
            break;
        case Quantity::Times:
            fits = is_one_of(unit, {"", "x", "\u00d7", "times", "-fold"});
            break;
        case Quantity::Count:
        case Quantity::Number:
            fits = is_unit_of(part, unit);
            break;
        case Quantity::Word:
            break;
    }
    return fits ? std::optional<double>(plain) : std::nullopt;
}

std::string units_advice(const ExercisePart& part, const std::string& unit) {
    switch (part.quantity) {
        case Quantity::Bytes:
            if (unit.starts_with('K')) return "write kB for 1,000 bytes or KiB for 1,024";
            return "write B, KiB, MiB, GiB, kB, MB or GB behind the number";
        case Quantity::Seconds:
            return "write s, ms or us behind the number";
        case Quantity::Flop:
            return "write FLOP or GFLOP behind the number, or nothing";
        case Quantity::Percent:
        case Quantity::Times:
        case Quantity::Count:
        case Quantity::Number:
        case Quantity::Word:
            break;
    }
    return part.unit.empty() ? "write the number alone"
                             : "write " + part.unit + " or nothing behind the number";
}

}  // namespace

std::optional<AnswerValue> read_value(const ExercisePart& part, std::string_view text,
                                      std::string& why) {
    text = trimmed(text);
    if (part.quantity == Quantity::Word) return AnswerValue{0, std::string(text), {}};
    const std::optional<Number> number = read_number(text);
    if (!number) {
        why = "\"" + shown(text) + "\" is not a number; write it as 12345, 12,345 or 1.2345e4.";
        return std::nullopt;
    }
    const std::optional<double> value = value_of(part, *number);
    if (!value) {
        why = "\"" + shown(text) + "\" has a unit that " + part.name + " does not have; " +
              units_advice(part, number->unit) + ".";
        return std::nullopt;
    }
    return AnswerValue{*value, {}, number->unit};
}

}  // namespace kv
