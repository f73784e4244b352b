#pragma once
// A bar for each token over a row of cells that say what became of it: shared by the figures of
// policies, so that rows under one another have one axis.

#include <span>

#include "app/panels/figure/plan/sheet.hpp"

namespace kv::figure {

struct TokenStrip {
    Rect bars;  // as high as the whole scale
    std::uint32_t n = 1;
    double full = 1;  // what a bar of that height means
    float cell_high = 16;

    float pitch() const { return bars.w / static_cast<float>(n); }
    float x(std::uint32_t token) const { return bars.x + pitch() * static_cast<float>(token); }
    float cells() const { return bars.bottom() + 5; }
    float ticks() const { return cells() + cell_high + 4; }
    Rect bar(std::uint32_t token, double value) const;
    Rect cell(std::uint32_t token) const;
};

// The floor under the bars, and the numbers of some tokens under the cells: every `every`-th and
// the last.
void strip_axis(Sheet& sheet, const TokenStrip& strip, std::uint32_t every, std::uint32_t from);
// The largest values, largest first, that have room for a label beside each other: at most `most`,
// none below `least`.
List<std::uint32_t> labelled_bars(const TokenStrip& strip, std::span<const double> values,
                                  double least, std::size_t most, float room);

}  // namespace kv::figure
