#include "core/base/numbers/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

struct ByteUnits {
    std::uint64_t step;  // each unit is so many of the one before
    std::array<const char*, 5> names;
};
constexpr ByteUnits kBinary = {1024, {" B", " KiB", " MiB", " GiB", " TiB"}};
constexpr ByteUnits kDecimal = {1000, {" B", " kB", " MB", " GB", " TB"}};

// The largest unit that leaves at least one whole of it.
std::size_t unit_index(std::uint64_t bytes, const ByteUnits& units) {
    std::size_t index = 0;
    while (bytes >= units.step && index + 1 < units.names.size()) {
        bytes /= units.step;
        ++index;
    }
    return index;
}

std::uint64_t power(std::uint64_t base, std::size_t exponent) {
    std::uint64_t result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

int decimals_for_four_digits(std::uint64_t whole) {
    return whole < 10 ? 3 : whole < 100 ? 2 : whole < 1000 ? 1 : 0;
}

// bytes in the unit with this index, rounded half up in integers, so that it is right up to 2^64;
// in the next unit if rounding has made it a full one.
std::string quotient_text(std::uint64_t bytes, const ByteUnits& units, std::size_t index,
                          int decimals) {
    const std::uint64_t unit = power(units.step, index);
    const std::uint64_t scale = power(10, static_cast<std::size_t>(decimals));
    const std::uint64_t part = (bytes % unit * scale + unit / 2) / unit;
    const std::uint64_t whole = bytes / unit + part / scale;
    if (whole == units.step && index + 1 < units.names.size()) {
        return std::string("1") + units.names[index + 1];
    }
    const std::string digits = std::to_string(whole * scale + part % scale);
    const Decimal number = without_trailing_zeros({digits, -decimals, false});
    return group_thousands(plain_text(number)) + units.names[index];
}

struct Scale {
    const char* name;
    int tens;  // the unit is 10^tens
    int from;  // used for values of at least 10^from
};

template <std::size_t n>
std::string scaled_text(double value, int digits, const std::array<Scale, n>& scales) {
    if (!std::isfinite(value) || value == 0) {
        const auto base = std::find_if(scales.begin(), scales.end(),
                                       [](const Scale& scale) { return scale.tens == 0; });
        return fixed(value, 0) + base->name;
    }

    // Rounded first, unit second: 999.97 GB/s is "1 TB/s", not "1,000 GB/s".
    Decimal number = round_to_digits(value, digits);
    std::size_t i = 0;
    while (i + 1 < n && number.point() - 1 < scales[i].from) ++i;
    if (number.point() - scales[i].tens > digits) {
        return group_thousands(fixed(value / math::pow(10, scales[i].tens), 0)) + scales[i].name;
    }
    number.power -= scales[i].tens;
    return group_thousands(plain_text(without_trailing_zeros(number))) + scales[i].name;
}

}  // namespace

std::string bytes_binary(std::uint64_t bytes) {
    const std::size_t index = unit_index(bytes, kBinary);
    const std::uint64_t unit = power(1024, index);
    // A multiple of an eighth of the unit has at most three decimals: 1/8 is 0.125.
    const bool exact = index == 0 || bytes % (unit / 8) == 0;
    return quotient_text(bytes, kBinary, index, exact ? 3 : decimals_for_four_digits(bytes / unit));
}

std::string bytes_decimal(std::uint64_t bytes) {
    return quotient_text(bytes, kDecimal, unit_index(bytes, kDecimal), 2);
}

std::string bytes_exact(std::uint64_t bytes) {
    return with_commas(bytes) + " B";
}

std::string rate_text(double bytes_per_second) {
    static constexpr std::array<Scale, 5> kScales = {
        {{" TB/s", 12, 12}, {" GB/s", 9, 9}, {" MB/s", 6, 6}, {" kB/s", 3, 3}, {" B/s", 0, 0}}};
    return scaled_text(bytes_per_second, 4, kScales);
}

std::string flops_text(double flop_per_second) {
    static constexpr std::array<Scale, 6> kScales = {{{" PFLOP/s", 15, 15},
                                                      {" TFLOP/s", 12, 12},
                                                      {" GFLOP/s", 9, 9},
                                                      {" MFLOP/s", 6, 6},
                                                      {" kFLOP/s", 3, 3},
                                                      {" FLOP/s", 0, 0}}};
    return scaled_text(flop_per_second, 4, kScales);
}

std::string seconds_text(double seconds) {
    static constexpr std::array<Scale, 4> kScales = {
        {{" s", 0, 0}, {" ms", -3, -4}, {" us", -6, -7}, {" ns", -9, -9}}};
    return scaled_text(seconds, 3, kScales);
}

}  // namespace kv
