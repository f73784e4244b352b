#pragma once
// The budget of the device: what lies on the cards, what is left, and the sentence that says so.
// Weights are shared by all requests and the cache belongs to each, so they are separate parts.
// Pure: no imgui.h.

#include <string>
#include <vector>

#include "app/panels/bill/view.hpp"

namespace kv {

enum class BudgetKind : std::uint8_t {
    Weights,
    Activations,
    Reserve,
    Keys,
    Values,
    Latent,
    States
};
struct BudgetPart {
    BudgetKind kind;
    u64 bytes = 0;
    std::string label, value;
};

struct BudgetPlan {
    std::vector<BudgetPart> parts;  // with `free` they sum to capacity + missing
    u64 capacity = 0, free = 0, missing = 0;
    std::string rest;      // what is free or missing
    std::string cards;     // "1 card of 80 GB"
    std::string sentence;  // whether it fits, and by how much
    std::string advice;    // what would; empty when it fits
    bool fits() const { return missing == 0; }
};
BudgetPlan plan_budget(const BillView& view, const Texts& text);

}  // namespace kv
