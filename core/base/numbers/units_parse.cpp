#include <algorithm>
#include <cmath>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/strict.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

struct Prefix {
    std::string_view name;
    int tens;  // the prefix means 10^tens x 2^twos
    int twos;
};
constexpr Prefix kPrefixes[] = {{"", 0, 0},    {"k", 3, 0},  {"M", 6, 0},   {"G", 9, 0},
                                {"T", 12, 0},  {"P", 15, 0}, {"Ki", 0, 10}, {"Mi", 0, 20},
                                {"Gi", 0, 30}, {"Ti", 0, 40}};

struct Quantity {
    std::string_view number, unit;
};

Quantity split(std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    return {text.substr(0, end), text.substr(end)};
}

// The prefix in front of `base`, as "G" in "GB/s"; none if the unit is not made of the two.
std::optional<Prefix> prefix_of(std::string_view unit, std::string_view base) {
    if (unit.size() < base.size()) return std::nullopt;
    const std::size_t length = unit.size() - base.size();
    if (unit.substr(length) != base) return std::nullopt;
    for (const Prefix& prefix : kPrefixes) {
        if (prefix.name == unit.substr(0, length)) return prefix;
    }
    return std::nullopt;
}

std::string unknown_unit(std::string_view unit, std::string_view base, const char* known) {
    if (unit.empty()) return std::string("has no unit; write one of ") + known;
    if (unit.substr(0, 1) == "K" && unit.substr(1) == base) {
        return "has a unit with two meanings; write k for 1,000 or Ki for 1,024";
    }
    return std::string("has an unknown unit; write one of ") + known;
}

// decimal x unit as whole bytes. The fraction is worked off from its last digit: what is left over
// must divide by ten at every step, or the product is not whole.
std::optional<u64> whole_bytes(const Decimal& decimal, u64 unit, std::string& why) {
    const auto whole_digits = static_cast<std::size_t>(decimal.point());
    u64 rest = 0;
    for (std::size_t i = decimal.digits.size(); i > whole_digits; --i) {
        rest += static_cast<u64>(decimal.digits[i - 1] - '0') * unit;
        if (rest % 10 != 0) {
            why = "is not a whole number of bytes";
            return std::nullopt;
        }
        rest /= 10;
    }
    std::optional<u64> bytes =
        parse_whole(decimal.digits.substr(0, whole_digits), 0, UINT64_MAX, why);
    if (bytes) bytes = checked_mul(*bytes, unit);
    if (bytes) bytes = checked_add(*bytes, rest);
    if (!bytes) why = "is larger than " + bytes_exact(UINT64_MAX);
    return bytes;
}

std::optional<double> rate(const Decimal& decimal, const Prefix& prefix, std::string& why) {
    // The power of ten joins the digits before they are rounded to a double, the power of two is
    // exact.
    Decimal scaled = decimal;
    scaled.power += prefix.tens;
    const double value = std::ldexp(to_double(scaled), prefix.twos);
    if (std::isinf(value)) why = "is too large";
    if (value <= 0) why = "is not larger than zero";
    return why.empty() ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

std::optional<ByteSize> parse_bytes(std::string_view text, std::string& why) {
    const auto [number, unit] = split(text);
    const std::optional<Decimal> decimal = strict_decimal(number, text, why);
    if (!decimal) return std::nullopt;
    const std::optional<Prefix> prefix = prefix_of(unit, "B");
    if (!prefix) {
        why = unknown_unit(unit, "B", "B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB");
        return std::nullopt;
    }
    u64 bytes_per_unit = u64{1} << prefix->twos;
    for (int i = 0; i < prefix->tens; ++i) bytes_per_unit *= 10;
    const std::optional<u64> bytes = whole_bytes(*decimal, bytes_per_unit, why);
    if (!bytes) return std::nullopt;
    const UnitSystem system = prefix->tens > 0 ? UnitSystem::Decimal : UnitSystem::Binary;
    return ByteSize{*bytes, system, std::string(number) + " " + std::string(unit)};
}

std::optional<double> parse_bandwidth(std::string_view text, std::string& why) {
    const auto [number, unit] = split(text);
    const std::optional<Decimal> decimal = strict_decimal(number, text, why);
    if (!decimal) return std::nullopt;
    const std::optional<Prefix> prefix = prefix_of(unit, "B/s");
    if (!prefix) {
        why = unknown_unit(unit, "B/s",
                           "B/s, kB/s, MB/s, GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s");
        return std::nullopt;
    }
    return rate(*decimal, *prefix, why);
}

std::optional<double> parse_flops(std::string_view text, std::string& why) {
    const auto [number, unit] = split(text);
    const std::optional<Decimal> decimal = strict_decimal(number, text, why);
    if (!decimal) return std::nullopt;
    std::optional<Prefix> prefix = prefix_of(unit, "FLOP/s");
    if (!prefix) prefix = prefix_of(unit, "FLOPS");
    if (!prefix || prefix->twos != 0) {
        why = unknown_unit(unit, "FLOP/s", "FLOP/s, kFLOP/s, MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s");
        return std::nullopt;
    }
    return rate(*decimal, *prefix, why);
}

}  // namespace kv
