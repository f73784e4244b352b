#include "core/cost/time/flops.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/cost/model/parameters.hpp"

namespace kv {
namespace {

constexpr const char* kOperations = "the number of operations";

u64 flop_product(std::initializer_list<u64> factors) {
    return product_or_throw(kOperations, factors);
}

// n (n + 1) / 2, dividing the even one of the two first.
u64 triangle(u64 n) {
    const u64 next = sum_or_throw(kOperations, {n, 1});
    return n % 2 == 0 ? flop_product({n / 2, next}) : flop_product({n, next / 2});
}

Derived part(const char* name, const char* weights, u64 matrix, u64 batch, u64 flops) {
    return {
        .name = name,
        .expression = std::string("2 * batch * ") + weights,
        .value = Value{flops},
        .unit = "FLOP",
        .meaning = "two operations for each number of the matrices",
        .operands = {whole_operand("batch", batch, "sequences", "sequences at once"),
                     whole_operand(weights, matrix, "", "numbers in these matrices, all layers")}};
}

// Layers with heads of their own weigh their pairs themselves.
Derived summed_attention_part(const char* name, u64 pairs, u64 batch, u64 flops) {
    return {
        .name = name,
        .expression = "batch * seen_key_flops",
        .value = Value{flops},
        .unit = "FLOP",
        .meaning = "grows with the tokens",
        .operands = {
            whole_operand("batch", batch, "sequences", "sequences at once"),
            whole_operand("seen_key_flops", pairs, "FLOP",
                          "2 FLOP * n_heads * vector length for each key that the new token sees, "
                          "each layer with its own length")}};
}

Derived attention_part(const char* name, u64 per_pair, u64 keys, u64 batch, u64 flops) {
    return {
        .name = name,
        .expression = "batch * visible_keys * flops_per_pair",
        .value = Value{flops},
        .unit = "FLOP",
        .meaning = "grows with the tokens",
        .operands = {
            whole_operand("batch", batch, "sequences", "sequences at once"),
            whole_operand("visible_keys", keys, "", "keys seen by the new token, all layers"),
            whole_operand("flops_per_pair", per_pair, "FLOP", "2 FLOP * n_heads * vector length")}};
}

}  // namespace

u64 FlopParts::attention() const {
    return sum_or_throw(kOperations, {scores, sum_of_values});
}
u64 FlopParts::total() const {
    return sum_or_throw(kOperations, {qkv, scores, sum_of_values, o, mlp, lm_head});
}

// MLA in its absorbed form: each query head scores the latent and the rotated part beside it, and
// mixes the latent itself, so that no key or value is made of it. That is what a server does when
// it decodes. A prompt it may read the other way, with keys and values made once and narrower
// products; the price here is that of one rule for both.
u64 score_flops_per_pair(const ModelShape& s) {
    const u64 width = s.latent ? s.latent->d_c + s.latent->d_rope : s.cache.d_k;
    return flop_product({2, s.n_heads, width});
}

u64 value_flops_per_pair(const ModelShape& s) {
    return flop_product({2, s.n_heads, s.latent ? s.latent->d_c : s.cache.d_v});
}

u64 visible_keys(const CacheShape& shape, u64 kv_len) {
    u64 keys = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        keys = sum_or_throw(kOperations,
                            {keys, flop_product({group.count, seen_tokens(group.cache, kv_len)})});
    }
    return keys;
}

u64 causal_pairs(u64 tokens, std::optional<u64> window) {
    const u64 reach = std::min(tokens, window.value_or(tokens));
    return sum_or_throw(kOperations, {triangle(reach), flop_product({tokens - reach, reach})});
}

namespace {

u64 layer_pairs(const LayerCache& layer, u64 tokens) {
    if (const auto* window = std::get_if<WindowCache>(&layer)) {
        if (!window->chunked) return causal_pairs(tokens, window->window);
        return sum_or_throw(kOperations,
                            {flop_product({tokens / window->window, triangle(window->window)}),
                             triangle(tokens % window->window)});
    }
    const auto* none = std::get_if<NoCache>(&layer);
    if (none && !none->shared) return 0;
    return causal_pairs(tokens, none ? none->window : std::nullopt);
}

// What all pairs of one pass cost, each layer by the width of its heads.
struct PairFlops {
    u64 scores = 0, sum_of_values = 0;
};
using CountPairs = u64 (*)(const LayerCache&, u64);
PairFlops pair_flops(const ModelShape& s, CountPairs count, u64 tokens) {
    PairFlops sum;
    for (const LayerGroup& group : layer_groups(s.cache)) {
        const u64 pairs = flop_product({group.count, count(group.cache, tokens)});
        const KvHeads* own = own_heads(group.cache);
        const u64 score = own ? flop_product({2, s.n_heads, own->d_k}) : score_flops_per_pair(s);
        const u64 value = own ? flop_product({2, s.n_heads, own->d_v}) : value_flops_per_pair(s);
        sum.scores = sum_or_throw(kOperations, {sum.scores, flop_product({pairs, score})});
        sum.sum_of_values =
            sum_or_throw(kOperations, {sum.sum_of_values, flop_product({pairs, value})});
    }
    return sum;
}

}  // namespace

u64 visible_pairs(const CacheShape& shape, u64 tokens) {
    u64 pairs = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        pairs = sum_or_throw(
            kOperations, {pairs, flop_product({group.count, layer_pairs(group.cache, tokens)})});
    }
    return pairs;
}

FlopParts decode_flops(const ModelShape& shape, u64 kv_len, u64 batch) {
    const MatrixSizes sizes = matrix_sizes(shape);
    const PairFlops pairs = pair_flops(shape, seen_tokens, kv_len);
    FlopParts parts;
    parts.qkv = flop_product({2, batch, sizes.qkv});
    parts.scores = flop_product({batch, pairs.scores});
    parts.sum_of_values = flop_product({batch, pairs.sum_of_values});
    parts.o = flop_product({2, batch, sizes.o});
    parts.mlp = flop_product({2, batch, sizes.mlp});
    parts.lm_head = flop_product({2, batch, sizes.lm_head});
    return parts;
}

FlopParts prefill_flops(const ModelShape& shape, u64 prompt, u64 batch) {
    const MatrixSizes sizes = matrix_sizes(shape);
    const u64 positions = flop_product({batch, prompt});
    const PairFlops pairs = pair_flops(shape, layer_pairs, prompt);
    FlopParts parts;
    parts.qkv = flop_product({2, positions, sizes.qkv});
    parts.scores = flop_product({batch, pairs.scores});
    parts.sum_of_values = flop_product({batch, pairs.sum_of_values});
    parts.o = flop_product({2, positions, sizes.o});
    parts.mlp = flop_product({2, positions, sizes.mlp});
    parts.lm_head = prompt == 0 ? 0 : flop_product({2, batch, sizes.lm_head});
    return parts;
}

u64 positions_without_cache(u64 prompt, u64 new_tokens) {
    // prompt + (prompt + 1) + ... , new_tokens terms
    if (new_tokens == 0) return 0;
    return sum_or_throw(kOperations,
                        {flop_product({prompt, new_tokens}), triangle(new_tokens - 1)});
}

u64 positions_with_cache(u64 prompt, u64 new_tokens) {
    return new_tokens == 0 ? 0 : sum_or_throw(kOperations, {prompt, new_tokens - 1});
}

u64 repeated_positions(u64 steps) {
    return triangle(steps);
}

u64 kv_projection_flops(const ModelShape& s, u64 positions) {
    KV_ASSERT(!s.latent);
    return flop_product(
        {2, s.n_layers(), s.hidden_size, s.cache.n_kv_heads, s.cache.d_k + s.cache.d_v, positions});
}

double flop_crossover_tokens(const ModelShape& shape) {
    return derive_flop_crossover(shape).real();
}

std::vector<Derived> derive_decode_flops(const ModelShape& shape, u64 kv_len, u64 batch) {
    const MatrixSizes sizes = matrix_sizes(shape);
    const FlopParts parts = decode_flops(shape, kv_len, batch);
    const u64 keys = visible_keys(shape.cache, kv_len);
    const PairFlops own = pair_flops(shape, seen_tokens, kv_len);
    const auto attention = [&](const char* name, u64 per_pair, u64 summed, u64 flops) {
        return has_own_heads(shape.cache) ? summed_attention_part(name, summed, batch, flops)
                                          : attention_part(name, per_pair, keys, batch, flops);
    };
    std::vector<Derived> list{
        part("qkv_flops", "qkv_numbers", sizes.qkv, batch, parts.qkv),
        attention("score_flops", score_flops_per_pair(shape), own.scores, parts.scores),
        attention("mix_flops", value_flops_per_pair(shape), own.sum_of_values, parts.sum_of_values),
        part("o_flops", "o_numbers", sizes.o, batch, parts.o),
        part("mlp_flops", "mlp_numbers", sizes.mlp, batch, parts.mlp),
        part("lm_head_flops", "lm_head_numbers", sizes.lm_head, batch, parts.lm_head)};
    Derived total{.name = "decode_flops",
                  .expression = "",
                  .value = Value{parts.total()},
                  .unit = "FLOP",
                  .meaning = "one decode step",
                  .operands = {}};
    for (const Derived& each : list) {
        total.expression += (total.expression.empty() ? "" : " + ") + each.name;
        total.operands.push_back(operand_of(each));
    }
    list.push_back(std::move(total));
    return list;
}

Derived derive_prefill_flops(const ModelShape& shape, u64 prompt, u64 batch) {
    const MatrixSizes sizes = matrix_sizes(shape);
    Derived d{
        .name = "prefill_flops",
        .expression =
            "2 * batch * (tokens * layer_numbers + lm_head_numbers) + batch * visible_pairs * "
            "flops_per_pair",
        .value = Value{prefill_flops(shape, prompt, batch).total()},
        .unit = "FLOP",
        .meaning = "one pass over the prompt: its matrices, and each token with what it sees",
        .operands = {whole_operand("batch", batch, "sequences", "sequences at once"),
                     whole_operand("tokens", prompt, "tokens", "tokens of the prompt"),
                     whole_operand("layer_numbers", sizes.layers_total(), "",
                                   "numbers in the matrices that a token goes through"),
                     whole_operand("lm_head_numbers", prompt == 0 ? 0 : sizes.lm_head, "",
                                   "numbers in the output matrix, once a sequence"),
                     whole_operand("visible_pairs", visible_pairs(shape.cache, prompt), "",
                                   "tokens with each token that they see, all layers"),
                     whole_operand("flops_per_pair",
                                   score_flops_per_pair(shape) + value_flops_per_pair(shape),
                                   "FLOP", "scores and mix of one pair, all heads")}};
    if (!has_own_heads(shape.cache)) return d;
    const PairFlops pairs = pair_flops(shape, layer_pairs, prompt);
    d.expression = "2 * batch * (tokens * layer_numbers + lm_head_numbers) + batch * pair_flops";
    d.operands.resize(d.operands.size() - 2);
    d.operands.push_back(whole_operand(
        "pair_flops", sum_or_throw(kOperations, {pairs.scores, pairs.sum_of_values}), "FLOP",
        "scores and mix of each token with each that it sees, each "
        "layer by the length of its vectors"));
    return d;
}

Derived derive_flop_crossover(const ModelShape& shape) {
    const u64 matrices = flop_product({2, matrix_sizes(shape).layers_total()});
    const PairFlops pairs = pair_flops(shape, seen_tokens, 1);
    const u64 per_token = sum_or_throw(kOperations, {pairs.scores, pairs.sum_of_values});
    KV_ASSERT(per_token > 0);
    return {.name = "flop_crossover_tokens",
            .expression = "matrix_flops / attention_flops_per_token",
            .value = Value{static_cast<double>(matrices) / static_cast<double>(per_token)},
            .unit = "tokens",
            .meaning = "length at which attention costs as much as the layers' matrices",
            .operands = {whole_operand("matrix_flops", matrices, "FLOP",
                                       "projections and MLPs of one position"),
                         whole_operand("attention_flops_per_token", per_token, "FLOP",
                                       "scores and mix for one cached token, all layers")}};
}

}  // namespace kv
