#pragma once
// Where the memory of one or more equal cards goes: weights, activations, reserve, and what is left
// for the cache. The four segments sum to the capacity exactly; where the first three alone exceed
// it there is no cache, and `missing` says by how much.

#include <vector>

#include "core/cost/model/derivation.hpp"

namespace kv {

struct BudgetRequest {
    u64 card_bytes = 0;
    u64 cards = 1;
    u64 weight_bytes = 0;                  // once, split over the cards
    u64 activation_bytes = 2'000'000'000;  // per card
    u64 reserve_bytes = 3'000'000'000;     // per card: workspace, fragmentation, the driver
};

struct Budget {
    u64 capacity = 0, weights = 0, activations = 0, reserve = 0;
    u64 kv = 0;       // what is left; 0 when nothing is
    u64 missing = 0;  // by how much the rest exceeds the capacity
    bool fits() const { return missing == 0; }
};

Budget device_budget(const BudgetRequest& request);
// The fewest cards that leave that much for the cache.
u64 cards_needed(BudgetRequest request, u64 kv_bytes);
// "kv_budget_bytes"; only for a budget that fits.
Derived derive_budget(const BudgetRequest& request);
// "card_kv_budget_bytes": what is left of each card beside an equal share of the weights.
Derived derive_budget_of_card(const BudgetRequest& request);

}  // namespace kv
