#pragma once
// What the panels of the bill remember between frames, and the focus they share: pointing at a
// factor in one of them lights it in all of them. Written while drawing, read in the next frame.

#include <optional>
#include <string>
#include <utility>

#include "app/panels/view/factor.hpp"
#include "app/widgets/fields.hpp"

namespace kv {

struct BillFocus {
    std::optional<BillFactor> factor, next_factor;
    std::optional<std::string> result, next_result;  // the name of a result of core/cost

    void new_frame() {
        factor = std::exchange(next_factor, std::nullopt);
        result = std::exchange(next_result, std::nullopt);
    }
};

struct CalculatorUi {
    FieldUi tokens, batch, block_size, device, cards, ranks, window;
    std::optional<std::string> unfolded;  // the result whose derivation stays open
};

struct BillUi {
    BillFocus focus;
    CalculatorUi calculator;
};

}  // namespace kv
