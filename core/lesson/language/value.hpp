#pragma once
// What an expression of a lesson can be: yes or no, a number with its unit, a text, a list, a
// record with named members, or the shape of a model. Numbers carry a dimension (bytes, seconds,
// FLOP), so that bytes are never added to seconds and a rate prints as a rate. Whole numbers are
// exact up to 2^53, which is more than any count of the course.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cost/model/shape.hpp"

namespace kv {

struct Dimension {
    int bytes = 0, seconds = 0, flops = 0;
    friend bool operator==(const Dimension&, const Dimension&) = default;
};
inline constexpr Dimension kCount{};
inline constexpr Dimension kBytes{.bytes = 1};
inline constexpr Dimension kSeconds{.seconds = 1};
inline constexpr Dimension kFlops{.flops = 1};
inline constexpr Dimension kPerSecond{.seconds = -1};
inline constexpr Dimension kByteRate{.bytes = 1, .seconds = -1};
inline constexpr Dimension kFlopRate{.seconds = -1, .flops = 1};
inline constexpr Dimension kIntensity{.bytes = -1, .flops = 1};  // FLOP for each byte

struct Number {
    double value = 0;
    Dimension unit = {};
    friend bool operator==(const Number&, const Number&) = default;
};

class LessonValue;
using LessonList = std::vector<LessonValue>;
using LessonRecord = std::map<std::string, LessonValue, std::less<>>;

// A figure from a text of others: quoted, never computed. Published ones have a source; those that
// a text prints and that are not so are only quoted to be corrected.
struct QuotedFigure {
    std::string text, source;
    bool wrong = false;
};

class LessonValue {
public:
    LessonValue() : LessonValue(false) {}
    LessonValue(bool yes) : what_(yes) {}
    LessonValue(Number number) : what_(number) {}
    LessonValue(std::string text) : what_(std::move(text)) {}
    LessonValue(const char* text) : what_(std::string(text)) {}
    LessonValue(LessonList list) : what_(std::make_shared<const LessonList>(std::move(list))) {}
    LessonValue(LessonRecord record)
        : what_(std::make_shared<const LessonRecord>(std::move(record))) {}
    LessonValue(ModelShape shape) : what_(std::make_shared<const ModelShape>(std::move(shape))) {}
    LessonValue(QuotedFigure figure)
        : what_(std::make_shared<const QuotedFigure>(std::move(figure))) {}

    template <class T>
    const T* plain() const {
        return std::get_if<T>(&what_);
    }
    template <class T>
    const T* shared() const {
        const auto* held = std::get_if<std::shared_ptr<const T>>(&what_);
        return held == nullptr ? nullptr : held->get();
    }

private:
    std::variant<bool, Number, std::string, std::shared_ptr<const LessonList>,
                 std::shared_ptr<const LessonRecord>, std::shared_ptr<const ModelShape>,
                 std::shared_ptr<const QuotedFigure>>
        what_;
};

LessonValue count_value(double n);
LessonValue bytes_value(double n);
LessonValue seconds_value(double n);
LessonValue flops_value(double n);
LessonValue whole_value(u64 n);  // a count
LessonValue whole_bytes(u64 n);  // a number of bytes
LessonValue whole_flops(u64 n);
LessonValue counts_value(const std::vector<std::uint32_t>& counts);

std::string_view kind_of(const LessonValue& value);  // "a number", for refusals
// Equal as an answer is: numbers within a billionth of each other, lists element by element.
bool same_value(const LessonValue& a, const LessonValue& b);

// How a value is written. `format` is one of the words below or empty for what its unit suggests:
// counts with commas, bytes in binary units, times in ms, rates with theirs.
//
//   0 to 6        so many decimals
//   %             a share as per cent, with up to one decimal
//   %0 %1 %2 %3   a share as per cent, with that many decimals
//   x             a ratio: "48.1x"
//   B             bytes, exactly
//   GB            bytes in decimal units
//   KiB MiB GiB   bytes in that unit
//   raw           all digits, no commas
//   hex           "0x3b160"
//   sci           "1.574e11"
//
// Returns nothing for a format that the value does not have.
std::optional<std::string> value_shown(const LessonValue& value, std::string_view format = {});
bool is_format(std::string_view format);

}  // namespace kv
