#include "app/panels/stage/plan/rows.hpp"

#include <algorithm>

namespace kv {

RowsShown rows_shown(std::uint32_t n_rows, std::uint32_t fit, std::uint32_t fit_elided,
                     std::uint32_t anchor, std::int64_t scroll) {
    if (n_rows <= fit) return {.end = n_rows};
    fit_elided = std::clamp<std::uint32_t>(fit_elided, 1, n_rows);
    RowsShown shown{.first_apart = fit_elided > 1};
    const std::uint32_t window = fit_elided - (shown.first_apart ? 1 : 0);
    const std::int64_t first = shown.first_apart ? 1 : 0;
    // One row after the anchor stays in view where there is one: it is what comes next.
    const std::int64_t last = std::int64_t{std::min(anchor, n_rows - 1)} + (window > 2 ? 2 : 1);
    const std::int64_t begin =
        std::clamp<std::int64_t>(last - window + scroll, first, std::int64_t{n_rows} - window);
    shown.begin = static_cast<std::uint32_t>(begin);
    shown.end = shown.begin + window;
    shown.above = shown.begin - static_cast<std::uint32_t>(first);
    shown.below = n_rows - shown.end;
    return shown;
}

}  // namespace kv
