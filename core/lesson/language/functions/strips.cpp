// Strips of cells to look at, within a line of prose.

#include <array>
#include <cmath>

#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

// A map to look at: a cell for each of so many rows, filled where the list names it.
LessonValue marks(Args& a) {
    const LessonList list = a.list("rows");
    const u64 n = a.whole("of");
    std::vector<bool> marked(n, false);
    for (const LessonValue& value : list) {
        const auto* row = value.plain<Number>();
        if (row == nullptr || !(row->value >= 0) || row->value >= static_cast<double>(n))
            a.refuse("wants rows below the number of them");
        marked[static_cast<std::size_t>(row->value)] = true;
    }
    std::string text;
    for (const bool one : marked) text += one ? "\u25A0" : "\u25A1";
    return text;
}
// A row of bars to look at, in eighths of the one that is `of` high; what is not nothing is seen.
LessonValue bars(Args& a) {
    const std::vector<double> values = a.numbers("list");
    const double of = a.number("of");
    if (!(of > 0)) a.refuse("wants a height above 0");
    constexpr std::array<const char*, 9> kEighths{" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                                  "\u2585", "\u2586", "\u2587", "\u2588"};
    std::string text;
    for (const double value : values) {
        if (!(value >= 0 && value <= of)) a.refuse("wants values from 0 to the height");
        const auto eighths = static_cast<std::size_t>(std::lround(8 * value / of));
        text += kEighths[value > 0 && eighths == 0 ? 1 : eighths];
    }
    return text;
}
// One bar of so many cells whose parts stand one after the other, each in a shade of its own; what
// is missing to the whole is dots. Every part ends on the cell that is nearest to where it ends.
LessonValue stack(Args& a) {
    const std::vector<double> shares = a.numbers("shares");
    const u64 cells = a.whole("cells", 1);
    constexpr std::array<const char*, 4> kShades{"\u2588", "\u2593", "\u2592", "\u2591"};
    if (shares.size() > kShades.size()) a.refuse("has no more than four shades");
    std::string text;
    double sum = 0;
    u64 drawn = 0;
    const auto fill_to = [&](double end, const char* cell) {
        const auto last = static_cast<u64>(std::llround(end * static_cast<double>(cells)));
        for (; drawn < last; ++drawn) text += cell;
    };
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sum += shares[i];
        if (!(shares[i] >= 0 && sum <= 1.0001))
            a.refuse("wants shares that are 1 together at most");
        fill_to(sum, kShades[i]);
    }
    fill_to(1, "\u00B7");
    return text;
}

constexpr auto kStripRows = std::to_array<LessonFunction>({
    {"marks", "rows, of", "a cell for each row, filled for those of the list", marks},
    {"bars", "list, of", "a bar for each number, of that height at most", bars},
    {"stack", "shares, cells", "one bar of so many cells, in four shades and dots for the rest",
     stack},
});

}  // namespace

std::span<const LessonFunction> strip_functions() {
    return kStripRows;
}

}  // namespace kv
