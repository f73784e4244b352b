#include "app/widgets/chart/bars_layout.hpp"

#include <algorithm>
#include <cmath>

namespace kv {
namespace {

double drawable(double amount) {
    return std::isfinite(amount) && amount > 0 ? amount : 0;
}

struct Piece {
    std::size_t segment;
    double amount;
    bool overflow;
};

// The segments in order, the one across the capacity cut in two, and the free room as a last piece.
std::vector<Piece> cut_at(std::span<const double> amounts, double capacity) {
    std::vector<Piece> pieces;
    double used = 0;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        const double amount = drawable(amounts[i]);
        const double inside = capacity > 0 ? std::clamp(capacity - used, 0.0, amount) : amount;
        if (inside > 0) pieces.push_back({i, inside, false});
        if (amount > inside) pieces.push_back({i, amount - inside, true});
        used += amount;
    }
    if (capacity > used) pieces.push_back({amounts.size(), capacity - used, false});
    return pieces;
}

}  // namespace

float bar_length(double amount, double full, float width) {
    const double a = drawable(amount), f = drawable(full);
    if (a == 0 || f == 0 || width < 1) return 0;
    return static_cast<float>(
        std::clamp(std::round(a / f * width), 1.0, std::floor(double{width})));
}

std::vector<float> share_pixels(std::span<const double> amounts, float width) {
    std::vector<float> out(amounts.size(), 0.0f);
    double largest = 0, total = 0;
    for (double a : amounts) largest = std::max(largest, drawable(a));
    const int pixels = width > 0 ? static_cast<int>(std::floor(width)) : 0;
    if (largest == 0 || pixels == 0) return out;
    // Summed in units of the largest, so that no sum overflows.
    for (double a : amounts) total += drawable(a) / largest;

    std::vector<double> missing(out.size(), 0);  // what rounding down took away
    int given = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double exact = drawable(amounts[i]) / largest / total * pixels;
        const double whole = drawable(amounts[i]) > 0 ? std::max(1.0, std::floor(exact)) : 0.0;
        missing[i] = drawable(amounts[i]) > 0 ? exact - whole : -HUGE_VAL;
        out[i] = static_cast<float>(whole);
        given += static_cast<int>(whole);
    }
    while (given < pixels) {  // to whom most is missing, the first of equals
        const auto i = static_cast<std::size_t>(std::max_element(missing.begin(), missing.end()) -
                                                missing.begin());
        out[i] += 1;
        missing[i] -= 1;
        ++given;
    }
    while (given > pixels) {  // the one-pixel minimum is paid by the longest
        const auto i =
            static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
        out[i] -= 1;
        --given;
    }
    return out;
}

StackPlan layout_stack(std::span<const double> amounts, double capacity, float width) {
    const std::vector<Piece> pieces = cut_at(amounts, drawable(capacity));
    std::vector<double> sizes;
    sizes.reserve(pieces.size());
    for (const Piece& piece : pieces) sizes.push_back(piece.amount);
    const std::vector<float> lengths = share_pixels(sizes, width);
    StackPlan plan;
    float x = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].overflow && !plan.capacity_x) plan.capacity_x = x;
        plan.parts.push_back({pieces[i].segment, x, lengths[i], pieces[i].overflow});
        x += lengths[i];
    }
    return plan;
}

}  // namespace kv
