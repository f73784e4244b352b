#pragma once
// Which rows of the focused request are drawn when there is no room for all: the first one, and a
// window of rows that can be moved. Rows left out are counted in quiet lines between them. Pure.

#include <cstdint>
#include <vector>

namespace kv {

struct RowsShown {
    bool first_apart = false;            // row 0, then a gap
    std::uint32_t begin = 0, end = 0;    // the window; without the row that stands apart
    std::uint32_t above = 0, below = 0;  // left out before and after the window

    std::uint32_t count() const { return end - begin + (first_apart ? 1 : 0); }
};

// `fit` rows have room when none is left out; `fit_elided` beside the quiet lines. The window holds
// `anchor` (the row of the token in question) at its end, moved by `scroll` rows.
RowsShown rows_shown(std::uint32_t n_rows, std::uint32_t fit, std::uint32_t fit_elided,
                     std::uint32_t anchor, std::int64_t scroll);

}  // namespace kv
