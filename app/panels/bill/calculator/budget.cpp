#include "app/panels/bill/calculator/budget.hpp"

#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

void add_part(BudgetPlan& plan, const BillView& view, BudgetKind kind, std::string label,
              u64 bytes) {
    plan.parts.push_back({kind, bytes, std::move(label), view.bytes(bytes)});
}

// Where cards share the cache, each is given as much as the fullest one needs.
void add_cache(BudgetPlan& plan, const BillView& view, const Texts& text) {
    const CacheShape& cache = view.card;
    const auto on_all = [&](u64 bytes) {
        return product_or_throw("the memory of the cards", {view.split.cards(), bytes});
    };
    const u64 k = on_all(side_bytes(cache, view.codecs, view.in.tokens, view.in.batch, Side::K));
    const u64 v = on_all(side_bytes(cache, view.codecs, view.in.tokens, view.in.batch, Side::V));
    const u64 states =
        on_all(product_or_throw("the states", {view.in.batch, total_state_bytes(cache)}));
    if (v == 0) {
        add_part(plan, view, BudgetKind::Latent, text["budget.latent"_t], k);
    } else {
        add_part(plan, view, BudgetKind::Keys, text["budget.k"_t], k);
        add_part(plan, view, BudgetKind::Values, text["budget.v"_t], v);
    }
    if (states > 0) add_part(plan, view, BudgetKind::States, text["budget.states"_t], states);
}

std::string cards_text(const BillView& view, const Texts& text, TextId one, TextId many) {
    return fill(text[view.in.cards == 1 ? one : many],
                {{"n", with_commas(view.in.cards)},
                 {"bytes", view.bytes(view.in.device.bytes)},
                 {"have", view.bytes(view.device.capacity)}});
}

std::string fits_text(const BillView& view, const Texts& text) {
    const Derived more =
        derive_room(whole_operand("free_bytes", view.device.free / view.split.cards(), "B", ""),
                    view.block_of_card(), view.in.block_size);
    return fill(text["budget.fits"_t],
                {{"free", view.bytes(view.device.free)}, {"tokens", with_commas(more.whole())}});
}

// The weights alone settle it before any token is counted.
std::string refused_text(const BillView& view, const Texts& text) {
    const std::string have = cards_text(view, text, "budget.card_has"_t, "budget.cards_have"_t);
    if (view.device.weights > view.device.capacity) {
        return fill(text["budget.weights_over"_t],
                    {{"need", view.bytes(view.device.weights)}, {"have", have}});
    }
    return fill(text["budget.over"_t], {{"need", view.bytes(view.device.used)},
                                        {"have", have},
                                        {"missing", view.bytes(view.device.missing)}});
}

// How many cards a split needs: so many ranks as now, and so many more stages that each card holds
// its part.
std::optional<u64> split_cards_needed(const BillView& view) {
    for (u64 stages = view.split.stages + 1; stages <= view.shape.n_layers(); ++stages) {
        const Split split{view.split.ranks, stages};
        BudgetRequest budget = view.budget;
        budget.cards = split.cards();
        const u64 rank = product_or_throw(
            "the cache of a card",
            {view.in.batch,
             rank_sequence_bytes(view.shape.cache, view.codecs, view.in.tokens, split)});
        if (derive_budget_of_card(budget).whole() >= rank) return split.cards();
    }
    return std::nullopt;
}

// How many of these cards would do; a card that its own overhead fills never does.
std::string advice_text(const BillView& view, const Texts& text) {
    BudgetRequest bare = view.budget;
    bare.cards = 1;
    bare.weight_bytes = 0;
    if (device_budget(bare).kv == 0) return text["budget.no_card"_t];
    if (view.split.cards() > 1) {
        const auto cards = split_cards_needed(view);
        if (!cards) return text["budget.no_stages"_t];
        return fill(text["budget.stages_needed"_t],
                    {{"n", with_commas(*cards)}, {"ranks", with_commas(view.split.ranks)}});
    }
    return fill(text["budget.cards_needed"_t],
                {{"n", with_commas(cards_needed(view.budget, view.device.kv))}});
}

}  // namespace

BudgetPlan plan_budget(const BillView& view, const Texts& text) {
    const DeviceUse& device = view.device;
    BudgetPlan plan;
    add_part(plan, view, BudgetKind::Weights, text["budget.weights"_t], device.weights);
    add_part(plan, view, BudgetKind::Activations, text["budget.activations"_t], device.activations);
    add_part(plan, view, BudgetKind::Reserve, text["budget.reserve"_t], device.reserve);
    add_cache(plan, view, text);
    plan.capacity = device.capacity;
    plan.free = device.free;
    plan.missing = device.missing;
    plan.rest = view.bytes(plan.fits() ? plan.free : plan.missing);
    plan.cards = cards_text(view, text, "budget.one_card"_t, "budget.n_cards"_t);
    if (plan.fits()) {
        plan.sentence = fits_text(view, text);
    } else {
        plan.sentence = refused_text(view, text);
        plan.advice = advice_text(view, text);
    }
    return plan;
}

}  // namespace kv
