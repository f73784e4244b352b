// The cost model for lessons: shapes, bytes, blocks, budgets.

#include <algorithm>
#include <array>

#include "core/base/kv_head.hpp"
#include "core/base/shown.hpp"
#include "core/cost/budget.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "core/cost/growth.hpp"
#include "core/cost/model/presets.hpp"
#include "core/cost/occupancy.hpp"
#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

LessonValue preset_of(Args& a) {
    const std::string name = a.text("name");
    const auto shape = preset(name);
    if (!shape) a.refuse("knows no preset \"" + shown(name) + "\"");
    return *shape;
}

LessonValue plain_shape(Args& a) {
    ModelShape shape;
    const u64 layers = a.whole("layers", 1), kv_heads = a.whole("kv_heads", 1),
              head_dim = a.whole("head_dim", 1);
    shape.name = shape.title = "a shape";
    shape.cache = uniform_cache(layers, kv_heads, head_dim);
    shape.cache.d_v = a.whole_or("value_dim", head_dim);
    shape.n_heads = a.whole_or("heads", kv_heads);
    if (const auto objection = heads_objection(shape.n_heads, kv_heads))
        a.refuse("has " + *objection);
    shape.hidden_size = a.whole_or("hidden", shape.n_heads * head_dim);
    return shape;
}

LessonValue latent_shape(Args& a) {
    ModelShape shape;
    shape.name = shape.title = "a latent shape";
    const u64 layers = a.whole("layers", 1), rank = a.whole("rank", 1), rope = a.whole("rope");
    shape.cache.layers.assign(layers, LatentCache{.d_c = rank, .d_rope = rope});
    shape.cache.n_kv_heads = shape.n_heads = 1;
    return shape;
}

// Every n-th of the layers that keep all tokens stays as it is, and the others get `cache`.
CacheShape mixed(CacheShape shape, const LayerCache& cache, u64 full_every) {
    for (u64 i = 0; i < shape.n_layers(); ++i)
        if (std::holds_alternative<FullCache>(shape.layers[i]) && (i + 1) % full_every != 0)
            shape.layers[i] = cache;
    return shape;
}

LessonValue windowed(Args& a) {
    ModelShape shape = a.shape("shape");
    const u64 window = a.whole("window", 1);
    if (a.has("full_every"))
        shape.cache = mixed(std::move(shape.cache), WindowCache{window}, a.whole("full_every", 1));
    else
        shape.cache = with_window(std::move(shape.cache), window);
    return shape;
}

LessonValue with_states(Args& a) {
    ModelShape shape = a.shape("shape");
    shape.cache = mixed(std::move(shape.cache), NoCache{}, a.whole("full_every", 1));
    return shape;
}

LessonValue other_kv_heads(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const u64 kv_heads = a.whole("kv_heads", 1);
    if (const auto objection = heads_objection(shape.n_heads, kv_heads))
        a.refuse("has " + *objection);
    return with_kv_heads(shape, kv_heads);
}

LessonValue heads_problem(Args& a) {
    const u64 heads = a.whole("heads", 1);
    return heads_objection(heads, a.whole("kv_heads", 1)).value_or("");
}

LessonValue kv_head(Args& a) {
    const auto head = static_cast<std::uint32_t>(a.whole("head"));
    const u64 heads = a.whole("heads", 1), kv_heads = a.whole("kv_heads", 1);
    if (head >= heads || heads_objection(heads, kv_heads))
        a.refuse("has heads that do not go together");
    return whole_value(kv_head_of(head, heads, kv_heads).value);
}

LessonValue per_token(Args& a) {
    const ModelShape& shape = a.shape("shape");
    return whole_bytes(bytes_per_token(shape.cache, a.codecs()));
}

LessonValue per_block(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    return whole_bytes(bytes_per_block(shape.cache, codecs, a.whole_or("block_size", 16)));
}

LessonValue all_bytes(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 tokens = a.whole("tokens");
    return whole_bytes(kv_bytes(shape.cache, codecs, tokens, a.whole_or("batch", 1)));
}

LessonValue stored_in(Args& a) {
    const ModelShape& shape = a.shape("shape");
    return whole_value(stored_elements(shape.cache, a.whole("tokens")));
}

LessonValue vector_parts(Args& a) {
    const u64 elements = a.whole("elements", 1);
    const CodecPair codecs = a.codecs();
    const Side side = a.text_or("side", "k") == "v" ? Side::V : Side::K;
    if (const auto objection = codec_objection(codecs.k, side, elements))
        a.refuse("has " + *objection);
    const VectorBytes bytes = vector_bytes(codecs.k, side, elements);
    return LessonRecord{{"payload", whole_bytes(bytes.payload)},
                        {"scales", whole_bytes(bytes.scales)},
                        {"total", whole_bytes(bytes.total())}};
}

LessonValue bits_of_codec(Args& a) {
    const u64 head_dim = a.whole("elements", 1);
    const CodecPair codecs = a.codecs();
    const auto tokens = a.whole_or("tokens", 0);
    const std::string side = a.text_or("side", "both");
    const CacheShape shape = uniform_cache(1, 1, head_dim);
    if (side == "both")
        return count_value(
            effective_bits(shape, codecs, tokens > 0 ? std::optional<u64>(tokens) : std::nullopt));
    const Side which = side == "v" ? Side::V : Side::K;
    if (tokens == 0) return count_value(effective_bits(codecs.k, which, head_dim));
    const u64 bytes = head_bytes(codecs.k, which, head_dim, tokens);
    return count_value(8.0 * static_cast<double>(bytes) / static_cast<double>(head_dim * tokens));
}

LessonValue blocks_needed(Args& a) {
    const u64 tokens = a.whole("tokens");
    return whole_value(blocks_for(tokens, a.whole("block_size", 1)));
}
LessonValue blocks_full(Args& a) {
    const u64 tokens = a.whole("tokens");
    return whole_value(full_blocks(tokens, a.whole("block_size", 1)));
}
LessonValue slots_idle(Args& a) {
    const u64 tokens = a.whole("tokens");
    return whole_value(idle_slots(tokens, a.whole("block_size", 1)));
}
LessonValue table_place(Args& a) {
    const u64 token = a.whole("token");
    const TablePlace place =
        table_place_of(Pos(static_cast<std::uint32_t>(token)), a.whole("block_size", 1));
    return LessonRecord{{"logical", whole_value(place.logical_block)},
                        {"offset", whole_value(place.offset.value)}};
}

BudgetRequest budget_request(Args& a) {
    BudgetRequest request;
    request.card_bytes = a.bytes("card");
    request.weight_bytes = a.bytes("weights");
    request.cards = a.whole_or("cards", 1);
    request.activation_bytes = a.bytes_or("activations", request.activation_bytes);
    request.reserve_bytes = a.bytes_or("reserve", request.reserve_bytes);
    return request;
}

LessonValue budget_of(Args& a) {
    const Budget b = device_budget(budget_request(a));
    return LessonRecord{{"capacity", whole_bytes(b.capacity)},
                        {"weights", whole_bytes(b.weights)},
                        {"activations", whole_bytes(b.activations)},
                        {"reserve", whole_bytes(b.reserve)},
                        {"kv", whole_bytes(b.kv)},
                        {"missing", whole_bytes(b.missing)},
                        {"fits", b.fits()}};
}

LessonValue occupied(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 tokens = a.whole("tokens");
    const auto held =
        occupy(shape.cache, codecs, tokens, a.whole_or("batch", 1), a.whole_or("block_size", 16));
    if (!held) a.refuse("cannot price a codec that keeps tokens beside the blocks");
    return LessonRecord{{"payload", whole_bytes(held->payload)},
                        {"scales", whole_bytes(held->scales)},
                        {"empty", whole_bytes(held->empty)},
                        {"allocated", whole_bytes(held->allocated)},
                        {"blocks", whole_value(held->blocks)}};
}

LessonValue tokens_until(Args& a) {
    const ModelShape& shape = a.shape("shape");
    const CodecPair codecs = a.codecs();
    const u64 bytes = a.bytes("bytes");
    const u64 each = bytes_per_token(shape.cache, codecs);
    if (each == 0) a.refuse("has a shape that keeps nothing");
    return whole_value(bytes / each);
}

constexpr auto kCostRows = std::to_array<LessonFunction>({
    {"preset", "name", "a known model by its name", preset_of},
    {"shape", "layers, kv_heads, head_dim, heads=, value_dim=", "a model by its numbers",
     plain_shape},
    {"latent", "layers, rank, rope", "a model that keeps one latent vector per layer",
     latent_shape},
    {"with_window", "shape, window, full_every=",
     "the same with a sliding window in every layer, or in all but every n-th", windowed},
    {"with_states", "shape, full_every",
     "the same with layers that keep nothing of a token, but for every n-th", with_states},
    {"with_kv_heads", "shape, kv_heads", "the same with another number of KV heads",
     other_kv_heads},
    {"heads_problem", "heads, kv_heads", "why these do not go together, or an empty text",
     heads_problem},
    {"kv_head", "head, heads, kv_heads", "the KV head that a query head reads", kv_head},
    {"bytes_per_token", "shape, codec=", "of the cache, all layers", per_token},
    {"bytes_per_block", "shape, block_size=16, codec=", "of the cache, all layers", per_block},
    {"kv_bytes", "shape, tokens, batch=1, codec=", "of the cache", all_bytes},
    {"stored_elements", "shape, tokens", "numbers that the cache holds", stored_in},
    {"vector_bytes", "elements, codec=, side=", "payload, scales and total of one vector",
     vector_parts},
    {"effective_bits", "elements, codec=, tokens=, side=", "per element, scales included",
     bits_of_codec},
    {"blocks_for", "tokens, block_size", "blocks, the last one perhaps partly filled",
     blocks_needed},
    {"full_blocks", "tokens, block_size", "blocks that are full", blocks_full},
    {"idle_slots", "tokens, block_size", "slots of the last block that hold nothing", slots_idle},
    {"place", "token, block_size", "logical block and offset of a token", table_place},
    {"budget", "card, weights, cards=, activations=, reserve=", "where a device's memory goes",
     budget_of},
    {"occupied", "shape, tokens, batch=, block_size=, codec=", "bytes in whole blocks, itemised",
     occupied},
    {"tokens_in", "shape, bytes, codec=", "whole tokens that so many bytes hold", tokens_until},
});

}  // namespace

std::span<const LessonFunction> cost_functions() {
    return kCostRows;
}

}  // namespace kv
