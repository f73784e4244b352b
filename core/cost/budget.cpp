#include "core/cost/budget.hpp"

#include "core/base/error.hpp"

namespace kv {

Budget device_budget(const BudgetRequest& request) {
    constexpr const char* kWhat = "the memory of the cards";
    Budget budget;
    budget.capacity = product_or_throw(kWhat, {request.cards, request.card_bytes});
    budget.weights = request.weight_bytes;
    budget.activations = product_or_throw(kWhat, {request.cards, request.activation_bytes});
    budget.reserve = product_or_throw(kWhat, {request.cards, request.reserve_bytes});
    const u64 used = sum_or_throw(kWhat, {budget.weights, budget.activations, budget.reserve});
    if (used <= budget.capacity) {
        budget.kv = budget.capacity - used;
    } else {
        budget.missing = used - budget.capacity;
    }
    return budget;
}

u64 cards_needed(BudgetRequest request, u64 kv_bytes) {
    const u64 overhead =
        sum_or_throw("the overhead of a card", {request.activation_bytes, request.reserve_bytes});
    if (request.card_bytes <= overhead) {
        throw Error{
            ErrorCode::Usage,
            "A card of that size is used up by activations and reserve; take a larger card."};
    }
    const u64 needed = sum_or_throw("weights and cache", {request.weight_bytes, kv_bytes});
    return needed == 0 ? 1 : ceil_div(needed, request.card_bytes - overhead);
}

Derived derive_budget(const BudgetRequest& request) {
    const Budget budget = device_budget(request);
    KV_ASSERT(budget.fits());
    return {
        "kv_budget_bytes",
        "cards * (card_bytes - activation_bytes - reserve_bytes) - weight_bytes",
        Value{budget.kv},
        "B",
        "memory left for the cache",
        {whole_operand("cards", request.cards, "cards", "equal cards"),
         whole_operand("card_bytes", request.card_bytes, "B", "memory of one card"),
         whole_operand("activation_bytes", request.activation_bytes, "B", "activations per card"),
         whole_operand("reserve_bytes", request.reserve_bytes, "B", "reserve per card"),
         whole_operand("weight_bytes", request.weight_bytes, "B", "size of the weights")}};
}

Derived derive_budget_of_card(const BudgetRequest& request) {
    const u64 taken =
        sum_or_throw("the memory of a card", {request.activation_bytes, request.reserve_bytes,
                                              ceil_div(request.weight_bytes, request.cards)});
    return {
        "card_kv_budget_bytes",
        "max(0, card_bytes - activation_bytes - reserve_bytes - ceil(weight_bytes / cards))",
        Value{request.card_bytes > taken ? request.card_bytes - taken : 0},
        "B",
        "memory of each card that is left for the cache",
        {whole_operand("card_bytes", request.card_bytes, "B", "memory of one card"),
         whole_operand("activation_bytes", request.activation_bytes, "B", "activations per card"),
         whole_operand("reserve_bytes", request.reserve_bytes, "B", "reserve per card"),
         whole_operand("weight_bytes", request.weight_bytes, "B", "size of the weights"),
         whole_operand("cards", request.cards, "cards", "equal cards")}};
}

}  // namespace kv
