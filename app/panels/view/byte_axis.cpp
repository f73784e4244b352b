#include "app/panels/view/byte_axis.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "core/base/numbers/decimal.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 7> kBinary{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::array<std::string_view, 7> kDecimal{"B", "kB", "MB", "GB", "TB", "PB", "EB"};

// Round numbers of a unit that has so many bytes.
List<AxisMark> marks_up_to(double largest, double divisor, int intervals, bool binary) {
    List<AxisMark> marks;
    for (const double tick : round_ticks(largest / divisor, intervals, binary)) {
        const Decimal label = without_trailing_zeros(round_to_digits(tick, 4));
        marks.push_back({tick * divisor, group_thousands(plain_text(label))});
    }
    return marks;
}

}  // namespace

ByteAxis byte_axis(u64 largest, UnitSystem system, int intervals) {
    const bool binary = system == UnitSystem::Binary;
    const double base = binary ? 1024 : 1000;
    double divisor = 1;
    std::size_t unit = 0;
    while (unit + 1 < kBinary.size() && static_cast<double>(largest) >= base * divisor) {
        divisor *= base;
        ++unit;
    }
    return {(binary ? kBinary : kDecimal)[unit],
            marks_up_to(static_cast<double>(largest), divisor, intervals, binary)};
}

ByteAxis count_axis(u64 largest, Text unit, int intervals) {
    return {std::move(unit), marks_up_to(static_cast<double>(largest), 1, intervals, false)};
}

}  // namespace kv
