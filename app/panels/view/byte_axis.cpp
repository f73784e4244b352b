#include "app/panels/view/byte_axis.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/decimal.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 7> kBinary{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::array<std::string_view, 7> kDecimal{"B", "kB", "MB", "GB", "TB", "PB", "EB"};

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
    ByteAxis axis;
    axis.unit = (binary ? kBinary : kDecimal)[unit];
    for (const double tick :
         round_ticks(static_cast<double>(largest) / divisor, intervals, binary)) {
        axis.at.push_back(tick * divisor);
        const Decimal label = without_trailing_zeros(round_to_digits(tick, 4));
        axis.labels.push_back(group_thousands(plain_text(label)));
    }
    return axis;
}

ByteAxis count_axis(u64 largest, Text unit, int intervals) {
    ByteAxis axis{std::move(unit), {}, {}};
    for (const double tick : round_ticks(static_cast<double>(largest), intervals, false)) {
        axis.at.push_back(tick);
        axis.labels.push_back(
            group_thousands(plain_text(without_trailing_zeros(round_to_digits(tick, 4)))));
    }
    return axis;
}

}  // namespace kv
