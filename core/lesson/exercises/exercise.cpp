#include "core/lesson/exercises/exercise.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/numbers/decimal.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr int kExactDigits = 17;           // of a double
constexpr double kApart = 3;               // tolerances that a slip keeps away from the right value
constexpr double kMostWhole = 1ull << 53;  // up to here a double says whole numbers exactly

bool is_near(const ExercisePart& part, double value, double tolerances) {
    return std::abs(value - part.value) <= tolerances * part.tolerance * std::abs(part.value);
}

// Rounded as the tolerance means: 8.5 of 8.54492 within 1 %, and 0.881 of 0.880797. Never so few
// digits that rounding takes most of the tolerance.
std::string rounded(const ExercisePart& part, double value) {
    constexpr double kShare = 0.6;
    const double size = std::abs(value);
    int digits = size >= 1 && size < 10 ? 2 : 3;
    if (part.tolerance <= 0) digits = kExactDigits;
    Decimal number = round_to_digits(value, digits);
    while (digits < kExactDigits &&
           std::abs(to_double(number) - value) > kShare * part.tolerance * size)
        number = round_to_digits(value, ++digits);
    return plain_text(without_trailing_zeros(number));
}

// "1 row", "8 heads".
std::string unit_text(const ExercisePart& part) {
    const bool one = part.value == 1 && part.unit.size() > 1 && part.unit.back() == 's';
    return one ? part.unit.substr(0, part.unit.size() - 1) : part.unit;
}

std::string number_text(const ExercisePart& part) {
    const double size = std::abs(part.value);
    const bool whole = part.value == std::floor(part.value) && size < kMostWhole;
    if (!whole) return part.tolerance == 0 ? round_trip(part.value) : rounded(part, part.value);
    return (part.value < 0 ? "-" : "") + with_commas(static_cast<std::uint64_t>(size));
}

// Bytes in a binary unit where that says them exactly and they are so many that it reads easier.
std::string exact_bytes(const ExercisePart& part) {
    constexpr std::uint64_t kMany = 64 << 10;
    const auto bytes = static_cast<std::uint64_t>(part.value);
    const std::string text = bytes_binary(bytes);
    std::string spelled;
    for (const char c : text)
        if (c != ' ' && c != ',') spelled += c;
    std::string why;
    const auto read = parse_bytes(spelled, why);
    const bool same = read && read->bytes == bytes;
    return bytes >= kMany && same ? text : bytes_exact(bytes);
}

std::string seconds_in(const ExercisePart& part) {
    const double unit = part.unit == "ms" ? 1e-3 : part.unit == "us" ? 1e-6 : 1;
    return rounded(part, part.value / unit) + " " + part.unit;
}

}  // namespace

std::string expected_value(const ExercisePart& part) {
    switch (part.quantity) {
        case Quantity::Word:
            return part.words.front();
        case Quantity::Bytes:
            return exact_bytes(part);
        case Quantity::Seconds:
            return seconds_in(part);
        case Quantity::Times:
            return number_text(part) + "x";
        case Quantity::Count:
        case Quantity::Number:
        case Quantity::Percent:
        case Quantity::Flop:
            break;
    }
    return number_text(part) + (part.unit.empty() ? "" : " " + unit_text(part));
}

std::string slip_value(const ExercisePart& part, const Slip& slip) {
    if (part.quantity == Quantity::Word) return slip.word;
    ExercisePart wrong = part;
    wrong.value = slip.value;
    return expected_value(wrong);
}

namespace {

bool is_trivial(const ExercisePart& part) {
    return !std::isfinite(part.value) || part.value == 0 || part.value == 1;
}

bool is_twin(const ExercisePart& a, const ExercisePart& b) {
    if (a.any_value || b.any_value || a.quantity != b.quantity || a.unit != b.unit) return false;
    return a.quantity == Quantity::Word ? false : is_near(a, b.value, 1);
}

bool has_vain_slip(const ExercisePart& part) {
    return std::any_of(part.slips.begin(), part.slips.end(), [&](const Slip& slip) {
        if (part.quantity != Quantity::Word) return is_near(part, slip.value, kApart);
        return std::find(part.words.begin(), part.words.end(), slip.word) != part.words.end();
    });
}

}  // namespace

std::string unit_of(const Exercise& exercise) {
    std::string units;
    std::vector<std::string> seen;
    for (const ExercisePart& part : exercise.parts) {
        if (part.unit.empty() || std::find(seen.begin(), seen.end(), part.unit) != seen.end())
            continue;
        seen.push_back(part.unit);
        units += (units.empty() ? "" : ", ") + part.unit;
    }
    return units;
}

std::string expected_answer(const Exercise& exercise) {
    std::string text;
    for (const ExercisePart& part : exercise.parts)
        text += (text.empty() ? "" : "; ") + expected_value(part);
    return text;
}

bool is_right(const ExercisePart& part, double value) {
    return is_near(part, value, 1);
}

bool is_degenerate(const Exercise& exercise) {
    const auto& parts = exercise.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ExercisePart& part = parts[i];
        if (part.quantity != Quantity::Word && !part.any_value && is_trivial(part)) return true;
        if (has_vain_slip(part)) return true;
        for (std::size_t j = 0; j < i; ++j)
            if (is_twin(part, parts[j])) return true;
    }
    return false;
}

}  // namespace kv
