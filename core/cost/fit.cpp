#include "core/cost/fit.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr u64 kLongestText = u64{1} << 40U;  // where this fits, no length is too long
constexpr u64 kShortestOnCurve = 1024;

bool has_kivi_side(const CodecPair& codecs) {
    return codecs.k.scale == ScaleMode::Kivi || codecs.v.scale == ScaleMode::Kivi;
}

bool is_full_at(const CacheShape& shape, const CacheGroup& group, const CodecPair& codecs,
                u64 tokens) {
    const auto ceiling = group_ceiling(shape, group, codecs);
    return ceiling && group_bytes(shape, group, codecs, tokens, 1) == *ceiling;
}

}  // namespace

std::vector<FitPoint> fit_curve(const CacheShape& shape, const CodecPair& codecs, u64 budget,
                                u64 longest, const Split& split) {
    std::vector<FitPoint> points;
    for (u64 tokens = kShortestOnCurve; tokens <= longest; tokens *= 2) {
        points.push_back({tokens, budget / rank_sequence_bytes(shape, codecs, tokens, split)});
        if (tokens > longest / 2) break;
    }
    return points;
}

std::optional<u64> longest_text(const CacheShape& shape, const CodecPair& codecs, u64 budget,
                                u64 batch, const Split& split) {
    const u64 each = budget / batch;
    const std::vector<CacheShape> cards = stage_caches(shape, split);
    const auto fits = [&](u64 tokens) {
        for (const CacheShape& card : cards) {
            if (sequence_bytes(card, codecs, tokens) > each) return false;
        }
        return true;
    };
    // By doubling, so that nothing is computed that is much larger than the budget.
    u64 good = 0, bad = 1;
    while (fits(bad)) {
        if (bad >= kLongestText) return std::nullopt;
        good = bad, bad *= 2;
    }
    while (bad - good > 1) {
        const u64 middle = good + (bad - good) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return good;
}

Derived derive_sequences_fit(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                             const Operand& budget, const Split& split) {
    const u64 bytes = rank_sequence_bytes(shape, codecs, tokens, split);
    const bool alone = split.cards() == 1;
    const std::string name = alone ? "request_bytes" : "rank_sequence_bytes";
    return {.name = "sequences_fit",
            .expression = "floor(" + budget.name + " / " + name + ")",
            .value = Value{std::get<u64>(budget.value) / bytes},
            .unit = "sequences",
            .meaning = "sequences of that length that fit at once",
            .operands = {budget, whole_operand(name, bytes, "B",
                                               alone ? "cache of one request"
                                                     : "one sequence on the fullest card")}};
}

std::optional<Derived> derive_longest_text(const CacheShape& shape, const CodecPair& codecs,
                                           u64 batch, const Operand& budget, const Split& split) {
    const auto longest = longest_text(shape, codecs, std::get<u64>(budget.value), batch, split);
    if (!longest || has_kivi_side(codecs)) return std::nullopt;
    // The card that a longer text would not fit.
    const CacheShape card =
        stage_caches(shape, split)[fullest_stage(shape, codecs, *longest + 1, split)];
    u64 full = 0, growing = 0;
    for (const CacheGroup& group : cache_groups(card)) {
        if (is_full_at(card, group, codecs, std::max<u64>(1, *longest))) {
            full = sum_or_throw("the ceilings", {full, *group_ceiling(card, group, codecs)});
        } else {
            growing += group_bytes_per_token(card, group, codecs);
        }
    }
    if (growing == 0) return std::nullopt;  // not one token has room beside the states
    return Derived{
        .name = "longest_text",
        .expression = "floor(max(0, floor(" + budget.name +
                      " / batch) - settled_bytes) / bytes_of_one_more_token)",
        .value = Value{*longest},
        .unit = "tokens",
        .meaning = "tokens that each sequence can have",
        .operands = {
            budget, whole_operand("batch", batch, "sequences", "sequences at once"),
            whole_operand("settled_bytes", full, "B",
                          "windows and states of one sequence that are full by then, on a card"),
            whole_operand("bytes_of_one_more_token", growing, "B",
                          "a token more in the layers that still grow, on a card")}};
}

Derived derive_card_budget(u64 device_bytes, u64 weight_bytes, const Split& split) {
    const u64 share = ceil_div(weight_bytes, split.cards());
    const bool alone = split.cards() == 1;
    Derived d{
        .name = "card_budget_bytes",
        .expression = alone ? "max(0, device_bytes - weight_bytes)"
                            : "max(0, device_bytes - ceil(weight_bytes / (ranks * stages)))",
        .value = Value{device_bytes > share ? device_bytes - share : 0},
        .unit = "B",
        .meaning = "what the weights leave of each card for the cache",
        .operands = {whole_operand("device_bytes", device_bytes, "B", "memory of the device"),
                     whole_operand("weight_bytes", weight_bytes, "B", "size of the weights")}};
    if (alone) return d;
    d.operands.push_back(ranks_operand(split.ranks));
    d.operands.push_back(
        whole_operand("stages", split.stages, "", "groups of cards that share the layers"));
    return d;
}

}  // namespace kv
