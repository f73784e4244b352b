#include "app/panels/bill/view.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/bill.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

BillRequest request_of(const BillView& view) {
    BillRequest request;
    request.cache = view.shape.cache;
    request.codecs = view.codecs;
    request.n_heads = view.shape.n_heads;
    request.model = view.shape;
    request.block_size = view.in.block_size;
    request.batch = view.in.batch;
    request.tokens = view.in.tokens;
    request.split = view.split;
    request.device_bytes =
        view.split.cards() > 1 ? view.in.device.bytes : device_budget(view.budget).capacity;
    request.cache_budget = view.split.cards() > 1
                               ? operand_of(derive_budget_of_card(view.budget))
                               : whole_operand("kv_budget_bytes", device_budget(view.budget).kv,
                                               "B", "memory left for the cache");
    request.bandwidth = view.in.bandwidth;
    request.flops = view.in.flops;
    return request;
}

// One request alone: the same formula with a batch of one, under a name of its own.
Derived one_request(const BillView& view) {
    Derived one = derive_kv_bytes(view.shape.cache, view.codecs, view.in.tokens, 1).back();
    one.name = "request_bytes";
    one.meaning = "cache of one request";
    return one;
}

// Adds the first token; nothing where the work of so long a prompt cannot be counted.
void add_first_token(BillView& view) {
    const Derived* work = view.find("prefill_flops");
    if (!work) return;
    view.results.push_back(derive_first_token(work->whole(), view.whole("weight_bytes"),
                                              view.in.flops, view.in.bandwidth));
}

// A server hands out as many blocks on each card as on the fullest one.
Derived cache_of_cards(const BillView& view) {
    const Operand rank = operand_of(view.at("rank_bytes"));
    return {"cards_kv_bytes",
            "cards * rank_bytes",
            Value{product_or_throw("the memory of the cards",
                                   {view.in.cards, std::get<u64>(rank.value)})},
            "B",
            "as much on every card as on the fullest",
            {whole_operand("cards", view.in.cards, "cards", "equal cards"), rank}};
}

void add_device(BillView& view) {
    const bool shared = view.split.cards() > 1;
    if (shared) {
        view.results.push_back(cache_of_cards(view));
        view.results.push_back(derive_budget_of_card(view.budget));
    }
    const Operand cache = operand_of(view.at(shared ? "cards_kv_bytes" : "kv_bytes"));
    view.device = use_device(view.budget, std::get<u64>(cache.value));
    view.results.push_back(derive_device_use(view.budget, cache));
    if (!device_budget(view.budget).fits()) return;
    view.results.push_back(derive_budget(view.budget));
    view.results.push_back(
        derive_room(operand_of(view.at(shared ? "card_kv_budget_bytes" : "kv_budget_bytes")),
                    view.block_of_card(), view.in.block_size));
}

List<u64> offered_heads(const ModelShape& own, u64 now) {
    List<u64> counts = offered_kv_heads(own.n_heads, own.cache.n_kv_heads);
    if (std::find(counts.begin(), counts.end(), now) != counts.end()) return counts;
    const auto is_grouped = [&](u64 n) { return n > 1 && n < own.n_heads; };
    // The usual eight are offered only where no other number of groups is chosen.
    if (!is_grouped(own.cache.n_kv_heads)) std::erase_if(counts, is_grouped);
    counts.push_back(now);
    std::sort(counts.begin(), counts.end(), std::greater<>());
    return counts;
}

// The same layers, with keys and values for so many heads.
CacheShape keeping_heads(CacheShape shape, u64 kv_heads) {
    for (LayerCache& layer : shape.layers) {
        if (std::holds_alternative<LatentCache>(layer)) layer = FullCache{};
    }
    shape.n_kv_heads = kv_heads;
    return shape;
}

AttentionOption option_of(const BillView& view, AttentionKind kind, CacheShape cache) {
    AttentionOption option;
    option.kind = kind;
    option.kv_heads = cache.n_kv_heads;
    option.per_token = bytes_per_token(cache, view.codecs);
    option.kv_bytes = kv_bytes(cache, view.codecs, view.in.tokens, view.in.batch);
    option.cache = std::move(cache);
    return option;
}

// Most KV heads first.
std::vector<AttentionOption> attention_options(const BillView& view) {
    const CacheShape& cache = view.shape.cache;
    const bool latent = is_latent(cache);
    std::vector<AttentionOption> options;
    if (has_own_heads(cache)) {
        options.push_back(option_of(view, AttentionKind::Gqa, cache));
        options.back().current = true;
        return options;
    }
    for (const u64 n : offered_heads(view.own, cache.n_kv_heads)) {
        const AttentionKind kind = n == view.own.n_heads ? AttentionKind::Mha
                                   : n == 1              ? AttentionKind::Mqa
                                                         : AttentionKind::Gqa;
        options.push_back(option_of(view, kind, keeping_heads(cache, n)));
        options.back().current = !latent && n == cache.n_kv_heads;
    }
    if (!latent) return options;
    AttentionOption own = option_of(view, AttentionKind::Latent, cache);
    own.current = true;
    return {options.front(), std::move(own), options.back()};
}

BillView priced(const BillInputs& in, BillSide side) {
    const BillModel& model = side_of(in, side);
    BillView view;
    view.in = in;
    view.own = model.shape;
    view.shape = priced_shape(model, in.window);
    view.codecs = model.codecs;
    view.budget.card_bytes = in.device.bytes;
    view.budget.cards = in.cards;
    view.budget.weight_bytes = weight_bytes(view.shape);
    view.split = split_of(in);
    view.card = stage_caches(
        view.shape.cache,
        view.split)[fullest_stage(view.shape.cache, view.codecs, in.tokens, view.split)];
    view.results = make_bill(request_of(view));
    view.results.push_back(one_request(view));
    view.held = occupy(view.shape.cache, view.codecs, in.tokens, in.batch, in.block_size);
    if (view.held) view.results.push_back(derive_allocated_bytes(*view.held));
    add_first_token(view);
    add_device(view);
    view.attention = attention_options(view);
    return view;
}

}  // namespace

const Derived& BillView::at(std::string_view name) const {
    const Derived* result = find(name);
    KV_ASSERT(result != nullptr);
    return *result;
}

std::optional<BillView> view_bill(const BillInputs& in, BillSide side, std::string& why) {
    try {
        return priced(in, side);
    } catch (const Error& too_large) {
        why = too_large.what();
        return std::nullopt;
    }
}

Operand BillView::block_of_card() const {
    const bool shared = split.cards() > 1;
    u64 most = 0;
    for (const CacheShape& each : stage_caches(shape.cache, split)) {
        most = std::max(most, bytes_per_block(each, codecs, in.block_size));
    }
    return whole_operand(shared ? "rank_block_bytes" : "bytes_per_block", most, "B",
                         shared ? "one block of the layers and heads of the fullest card"
                                : "one block of every layer");
}

bool can_choose_attention(const BillView& view) {
    return !is_latent(view.shape.cache) && !has_own_heads(view.shape.cache);
}

const AttentionOption& BillView::current_attention() const {
    const auto now = std::find_if(attention.begin(), attention.end(),
                                  [](const AttentionOption& o) { return o.current; });
    KV_ASSERT(now != attention.end());
    return *now;
}

List<u64> offered_kv_heads(u64 n_heads, u64 own) {
    List<u64> counts{n_heads, own, 1};
    const auto is_grouped = [&](u64 n) { return n > 1 && n < n_heads; };
    if (!is_grouped(own)) {
        // A model without groups is offered the usual eight, or the next smaller number that
        // divides.
        for (u64 n = std::min<u64>(8, n_heads - 1); n > 1; --n) {
            if (n_heads % n != 0) continue;
            counts.push_back(n);
            break;
        }
    }
    std::sort(counts.begin(), counts.end(), std::greater<>());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

Text attention_label(const AttentionOption& option, const Texts& text) {
    switch (option.kind) {
        case AttentionKind::Mha:
            return fill(text["bill.mha"_t], {{"n", with_commas(option.kv_heads)}});
        case AttentionKind::Gqa:
            return fill(text["bill.gqa"_t], {{"n", with_commas(option.kv_heads)}});
        case AttentionKind::Mqa:
            return fill(text["bill.mqa"_t], {{"n", with_commas(option.kv_heads)}});
        case AttentionKind::Latent:
            return text["bill.mla"_t];
    }
    KV_ASSERT(false);
    return {};
}

std::optional<std::size_t> chosen_codec(const Codec& codec) {
    const std::string name = codec_name(codec);
    for (std::size_t i = 0; i < std::size(kCodecOptions); ++i) {
        if (kCodecOptions[i].name == name) return i;
    }
    return std::nullopt;
}

std::string codec_label(const Codec& codec) {
    const auto chosen = chosen_codec(codec);
    return chosen ? std::string(kCodecOptions[*chosen].label) : upper_case(codec_name(codec));
}

}  // namespace kv
