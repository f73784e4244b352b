#pragma once
// Cards by name, as their makers' data sheets have them: memory, bandwidth, and dense arithmetic
// (no sparsity) by the type of the numbers. What a data sheet does not say is not here.

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"

namespace kv {

struct Card {
    std::string_view name, title;
    std::string_view source;          // the data sheet
    u64 bytes = 0;                    // memory, powers of 1,000 as makers count
    double bandwidth = 0;             // B/s
    std::optional<double> bf16 = {};  // FLOP/s with bf16 inputs
    std::optional<double> fp8 = {};
    std::optional<double> fp4 = {};
};

const std::vector<Card>& cards();
const Card* find_card(std::string_view name);

}  // namespace kv
