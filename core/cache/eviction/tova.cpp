#include "core/cache/eviction/tova.hpp"

#include <cmath>

#include "core/base/numbers/elementary.hpp"

namespace kv {

Selection keep_attended(std::span<const float> scores, std::uint32_t budget, bool protect_last) {
    const auto n = static_cast<std::uint32_t>(scores.size());
    if (n <= budget) return keep_all(n);
    const std::uint32_t safe = protect_last ? 1 : 0;
    return keep_highest(scores, {0, n - safe}, budget - safe);
}

std::vector<std::uint32_t> shorten_gaps(std::span<const std::uint32_t> positions) {
    // With e added a gap begins to be shortened without a jump: log(log(e)) is 0.
    constexpr double kKeptWhole = 10, kE = 2.718281828459045235360287471352662498;
    std::vector<std::uint32_t> shortened;
    if (positions.empty()) return shortened;
    shortened.push_back(positions[0]);
    for (std::size_t i = 1; i < positions.size(); ++i) {
        const double gap = positions[i] - positions[i - 1];
        const double shorter =
            gap <= kKeptWhole ? gap : kKeptWhole + math::log(math::log(gap - kKeptWhole + kE));
        shortened.push_back(shortened.back() + static_cast<std::uint32_t>(std::ceil(shorter)));
    }
    return shortened;
}

}  // namespace kv
