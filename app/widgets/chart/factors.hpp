#pragma once
// The equation row: one box per factor. Hovering a factor, or reaching it with the keyboard, is
// told to the caller, so that every other panel can ring what the factor counts.

#include "app/widgets/chart/factors_layout.hpp"
#include "app/widgets/hit.hpp"

namespace kv {

struct Factor {
    std::string_view value;  // "2 B"
    std::string_view label;  // "per value"
};

struct FactorsLook {
    std::optional<std::size_t> selected = {};  // inverted edge and wash, stays
    std::optional<std::size_t> linked = {};    // lit because another panel points at it
    bool large = true;                         // 38 px boxes; false: 30 px
};

struct FactorsHit {
    std::optional<std::size_t> hovered;  // by mouse or keyboard
    std::optional<std::size_t> pressed;
};
FactorMetrics factor_metrics(const Ui& ui, bool large = true);
FactorPlan measure_factors(const Ui& ui, std::span<const Factor> factors, float room,
                           bool large = true);
FactorsHit draw_factors(const Ui& ui, const char* id, std::span<const Factor> factors,
                        const FactorsLook& look = {});

}  // namespace kv
