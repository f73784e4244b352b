#include "app/panels/bill/bill.hpp"

#include <string>

#include "app/shell/texts/said.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

// `refusal` has the places {n}, {least} and {most}.
u64 bounded(TextId refusal, u64 value, u64 least, u64 most) {
    if (value < least || value > most)
        throw Refused(refusal, {{"n", with_commas(value)},
                                {"least", with_commas(least)},
                                {"most", with_commas(most)}});
    return value;
}

// The cache of a side as it would be priced, so that a change that cannot be stored is refused
// whole.
void check_side(const BillModel& side) {
    const CacheShape& cache = priced_shape(side, 0).cache;
    if (const auto objection = cache_objection(cache, side.codecs))
        throw Refused("refused.bill.side"_t, {{"model", side.shape.title}, {"why", *objection}});
}

// A stage has at least one layer, on either side.
void check_stages(const BillInputs& in) {
    const u64 stages = split_of(in).stages;
    for (const BillModel* side : {&in.left, &in.right}) {
        if (stages <= side->shape.n_layers()) continue;
        throw Refused("refused.bill.stages"_t, {{"n", with_commas(stages)},
                                                {"layers", with_commas(side->shape.n_layers())},
                                                {"model", side->shape.title}});
    }
}

}  // namespace

BillInputs default_bill() {
    BillInputs in;
    in.left.shape = *preset("llama-3-8b");
    in.right.shape = *preset("llama-2-7b");
    return in;
}

BillModel& side_of(BillInputs& in, BillSide side) {
    return side == BillSide::Left ? in.left : in.right;
}
const BillModel& side_of(const BillInputs& in, BillSide side) {
    return side == BillSide::Left ? in.left : in.right;
}

Split split_of(const BillInputs& in) {
    if (in.ranks == 0 || in.cards == 1) return {};
    return {in.ranks, in.cards / in.ranks};
}

ModelShape priced_shape(const BillModel& model, u64 window) {
    ModelShape shape = model.kv_heads ? with_kv_heads(model.shape, *model.kv_heads) : model.shape;
    if (window > 0) shape.cache = with_window(shape.cache, window);
    return shape;
}

void set_model(BillInputs& in, BillSide side, std::string_view name) {
    const auto shape = preset(name);
    if (!shape) {
        std::string known;
        for (std::string_view other : preset_names())
            known += (known.empty() ? "" : ", ") + std::string(other);
        throw Refused("refused.bill.model"_t, {{"word", name}, {"known", known}});
    }
    set_shape(in, side, *shape);
}

void set_shape(BillInputs& in, BillSide side, ModelShape shape) {
    BillModel changed = side_of(in, side);
    changed.shape = std::move(shape);
    changed.kv_heads.reset();
    check_side(changed);
    BillInputs whole = in;
    side_of(whole, side) = std::move(changed);
    check_stages(whole);
    in = std::move(whole);
}

void set_kv_heads(BillInputs& in, BillSide side, u64 n_kv_heads) {
    BillModel& model = side_of(in, side);
    if (n_kv_heads == 0 || n_kv_heads == model.shape.cache.n_kv_heads) {
        model.kv_heads.reset();
        return;
    }
    if (is_latent(model.shape.cache))
        throw Refused("refused.bill.latent"_t, {{"model", model.shape.title}});
    if (has_own_heads(model.shape.cache))
        throw Refused("refused.bill.own_heads"_t, {{"model", model.shape.title}});
    if (const auto objection = heads_objection(model.shape.n_heads, n_kv_heads))
        throw Refused(Said::as_is(*objection + "."));
    model.kv_heads = n_kv_heads;
}

void set_codec(BillInputs& in, BillSide side, Side kv, std::string_view name) {
    std::string why;
    const auto codec = parse_codec(name, why);
    if (!codec) throw Refused("refused.bill.codec"_t, {{"word", name}, {"why", why}});
    BillModel changed = side_of(in, side);
    // A latent vector is key and value at once, so its two sides change together.
    const bool both = is_latent(changed.shape.cache);
    if (both || kv == Side::K) changed.codecs.k = *codec;
    if (both || kv == Side::V) changed.codecs.v = *codec;
    check_side(changed);
    side_of(in, side) = std::move(changed);
}

void set_tokens(BillInputs& in, u64 tokens) {
    in.tokens = bounded("refused.bill.tokens"_t, tokens, 1, kMostBillTokens);
}
void set_batch(BillInputs& in, u64 batch) {
    in.batch = bounded("refused.bill.requests"_t, batch, 1, kMostBillRequests);
}
void set_block_size(BillInputs& in, u64 size) {
    in.block_size = bounded("refused.bill.page"_t, size, 1, kMostBillPage);
}
void set_window(BillInputs& in, u64 tokens) {
    in.window = bounded("refused.bill.window"_t, tokens, 0, kMostBillTokens);
}

void set_cards(BillInputs& in, u64 cards) {
    BillInputs changed = in;
    changed.cards = bounded("refused.bill.cards"_t, cards, 1, kMostBillCards);
    if (changed.ranks > 0 && cards % changed.ranks != 0) changed.ranks = cards;
    check_stages(changed);
    in = std::move(changed);
}

void set_ranks(BillInputs& in, u64 ranks) {
    if (ranks > in.cards || (ranks > 0 && in.cards % ranks != 0))
        throw Refused("refused.bill.ranks"_t,
                      {{"n", with_commas(ranks)}, {"cards", with_commas(in.cards)}});
    BillInputs changed = in;
    changed.ranks = ranks;
    check_stages(changed);
    in = std::move(changed);
}

void set_device(BillInputs& in, std::string_view size) {
    std::string why;
    const auto bytes = parse_bytes(size, why);
    if (bytes && bytes->bytes == 0) why = "is no size";
    if (!why.empty()) throw Refused("refused.bill.device"_t, {{"word", size}, {"why", why}});
    in.device = *bytes;
}

BillInputs::BillInputs() = default;
BillInputs::BillInputs(const BillInputs&) = default;
BillInputs::BillInputs(BillInputs&&) noexcept = default;
BillInputs& BillInputs::operator=(const BillInputs&) = default;
BillInputs& BillInputs::operator=(BillInputs&&) noexcept = default;
BillInputs::~BillInputs() = default;

}  // namespace kv
