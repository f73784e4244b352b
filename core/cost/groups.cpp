#include "core/cost/groups.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cost/cache/capacity.hpp"

namespace kv {
namespace {

constexpr const char* kGroups = "the size of a group of layers";

bool keeps_something(const LayerCache& layer) {
    const auto* none = std::get_if<NoCache>(&layer);
    return !none || none->shared;
}

void put(std::vector<CacheGroup>& groups, const CacheGroup& kind, u64 layer) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const CacheGroup& g) {
        return g.cache == kind.cache && g.state_bytes == kind.state_bytes;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), kind);
    group->layers.push_back(layer);
}

bool is_state(const CacheGroup& group) {
    return group.state_bytes > 0;
}

u64 largest(const std::vector<CacheGroup>& groups) {
    u64 most = 0;
    for (const CacheGroup& group : groups) most = std::max(most, group.n_layers());
    return most;
}

u64 smallest(const std::vector<CacheGroup>& groups) {
    u64 least = groups.front().n_layers();
    for (const CacheGroup& group : groups) least = std::min(least, group.n_layers());
    return least;
}

// vLLM takes the rarest kind's number of layers, or that of the most frequent kind where this has
// less than a quarter more.
u64 layers_of_a_page(const std::vector<CacheGroup>& groups) {
    const u64 least = smallest(groups), most = largest(groups);
    return most * 4 < least * 5 ? most : least;
}

u64 blocks_of(const CacheGroup& group, u64 tokens, u64 block_size) {
    if (is_state(group)) return 1;
    const auto* window = std::get_if<WindowCache>(&group.cache);
    const u64 gone = window && tokens > window->window ? (tokens - window->window) / block_size : 0;
    return blocks_for(tokens, block_size) - gone;
}

}  // namespace

std::string_view CacheGroup::kind() const {
    if (is_state(*this)) return "state";
    if (const auto* window_cache = std::get_if<WindowCache>(&cache)) {
        return window_cache->chunked ? "chunk" : "window";
    }
    if (std::holds_alternative<LatentCache>(cache)) return "latent";
    return std::holds_alternative<NoCache>(cache) ? "shared" : "full";
}

std::optional<u64> CacheGroup::window() const {
    if (const auto* window_cache = std::get_if<WindowCache>(&cache)) return window_cache->window;
    if (const auto* none = std::get_if<NoCache>(&cache)) return none->window;
    return std::nullopt;
}

std::vector<CacheGroup> cache_groups(const CacheShape& shape) {
    std::vector<CacheGroup> groups;
    for (u64 layer = 0; layer < shape.n_layers(); ++layer) {
        if (keeps_something(shape.layers[layer])) {
            put(groups, CacheGroup{shape.layers[layer], {}, 0}, layer);
        }
        const u64 state = shape.state_bytes.empty() ? 0 : shape.state_bytes[layer];
        if (state > 0) put(groups, CacheGroup{NoCache{}, {}, state}, layer);
    }
    return groups;
}

u64 group_bytes_per_token(const CacheShape& shape, const CacheGroup& group,
                          const CodecPair& codecs) {
    if (is_state(group)) return 0;
    return product_or_throw(kGroups,
                            {group.n_layers(), layer_bytes_per_token(shape, group.cache, codecs)});
}

u64 group_bytes(const CacheShape& shape, const CacheGroup& group, const CodecPair& codecs,
                u64 tokens, u64 batch) {
    const u64 layer = is_state(group) ? (tokens == 0 ? 0 : group.state_bytes)
                                      : layer_bytes(shape, group.cache, codecs, tokens);
    return product_or_throw(kGroups, {batch, group.n_layers(), layer});
}

std::optional<u64> group_ceiling(const CacheShape& shape, const CacheGroup& group,
                                 const CodecPair& codecs) {
    if (is_state(group)) return group_bytes(shape, group, codecs, 1, 1);
    if (std::holds_alternative<NoCache>(group.cache)) return 0;
    const auto* window = std::get_if<WindowCache>(&group.cache);
    if (!window) return std::nullopt;
    return group_bytes(shape, group, codecs, window->window, 1);
}

CacheShape all_layers_full(CacheShape shape) {
    for (LayerCache& layer : shape.layers) {
        if (std::holds_alternative<LatentCache>(layer)) continue;
        const KvHeads* own = own_heads(layer);
        layer = own ? FullCache{*own} : FullCache{};
    }
    shape.state_bytes.clear();
    return shape;
}

u64 prefill_peak_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch,
                       u64 chunk) {
    KV_ASSERT(chunk > 0);
    u64 sum = 0;
    for (const CacheGroup& group : cache_groups(shape)) {
        CacheGroup wide = group;
        if (auto* window = std::get_if<WindowCache>(&wide.cache)) {
            window->window = sum_or_throw(kGroups, {window->window - 1, std::min(chunk, tokens)});
        }
        sum = sum_or_throw(kGroups, {sum, group_bytes(shape, wide, codecs, tokens, batch)});
    }
    return sum;
}

ServedCache served_cache(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch,
                         u64 block_size) {
    std::vector<CacheGroup> groups = cache_groups(shape);
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const CacheGroup& g) { return g.kind() == "shared"; }),
                 groups.end());
    ServedCache served;
    served.block_size = block_size;
    if (groups.empty()) return served;
    served.layers_per_page = layers_of_a_page(groups);
    u64 token_bytes = 0, state = 0;
    for (const CacheGroup& group : groups) {
        if (is_state(group)) state = std::max(state, group.state_bytes);
        if (!is_state(group)) {
            token_bytes = std::max(token_bytes, layer_bytes_per_token(shape, group.cache, codecs));
        }
    }
    if (state > 0 && token_bytes > 0) {
        const u64 needed = ceil_div(ceil_div(state, token_bytes), block_size) * block_size;
        served.block_size = std::max(block_size, needed);
    }
    const u64 layer_page =
        std::max(state, product_or_throw(kGroups, {served.block_size, token_bytes}));
    served.page_bytes = product_or_throw(kGroups, {served.layers_per_page, layer_page});
    u64 for_layers = 0;  // bytes of these blocks that layers use, a state at its own size
    for (CacheGroup& group : groups) {
        ServedGroup one;
        one.tables = ceil_div(group.n_layers(), served.layers_per_page);
        one.padded_layers = one.tables * served.layers_per_page - group.n_layers();
        const u64 blocks = blocks_of(group, tokens, served.block_size);
        one.blocks = product_or_throw(kGroups, {one.tables, blocks});
        served.blocks =
            sum_or_throw(kGroups, {served.blocks, product_or_throw(kGroups, {batch, one.blocks})});
        const u64 used =
            is_state(group) ? group.state_bytes
                            : served.block_size * layer_bytes_per_token(shape, group.cache, codecs);
        for_layers = sum_or_throw(
            kGroups,
            {for_layers, product_or_throw(kGroups, {batch, blocks, group.n_layers(), used})});
        one.group = std::move(group);
        served.groups.push_back(std::move(one));
    }
    served.bytes = product_or_throw(kGroups, {served.blocks, served.page_bytes});
    served.padding_bytes = served.bytes - for_layers;
    const u64 cache = kv_bytes(shape, codecs, tokens, batch);
    served.rounding_bytes = for_layers > cache ? for_layers - cache : 0;
    return served;
}

Derived derive_group_crossover(const CacheShape& shape, const CodecPair& codecs, u64 weights) {
    u64 ceilings = 0, growing = 0;
    for (const CacheGroup& group : cache_groups(shape)) {
        const auto ceiling = group_ceiling(shape, group, codecs);
        ceilings += ceiling.value_or(0);
        if (!ceiling) growing += group_bytes_per_token(shape, group, codecs);
    }
    KV_ASSERT(growing > 0);
    const u64 rest = weights > ceilings ? weights - ceilings : 0;
    return {
        "crossover_tokens",
        "floor((weight_bytes - min(weight_bytes, ceiling_bytes)) / growing_bytes_per_token)",
        Value{rest / growing},
        "tokens",
        "tokens of one sequence at which its cache has the size of the weights",
        {whole_operand("weight_bytes", weights, "B", "size of the weights"),
         whole_operand("ceiling_bytes", ceilings, "B", "windows and states, once they are full"),
         whole_operand("growing_bytes_per_token", growing, "B",
                       "cache of one token in the layers that keep all")}};
}

std::vector<Derived> derive_groups(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                   u64 batch, std::optional<u64> chunk) {
    const CacheShape full = all_layers_full(shape);
    std::vector<Derived> list;
    list.push_back({"all_full_bytes",
                    "batch * all_full_sequence_bytes",
                    Value{product_or_throw(kGroups, {batch, sequence_bytes(full, codecs, tokens)})},
                    "B",
                    "the cache, if every layer kept the whole text: what is saved by those that do "
                    "not",
                    {whole_operand("batch", batch, "sequences", "sequences at once"),
                     whole_operand("all_full_sequence_bytes", sequence_bytes(full, codecs, tokens),
                                   "B", "one sequence with every layer full")}});
    const u64 at_once = std::min(chunk.value_or(tokens), tokens);
    const u64 peak = prefill_peak_bytes(shape, codecs, tokens, 1, at_once);
    list.push_back({"prefill_peak_bytes",
                    "batch * prefill_sequence_bytes",
                    Value{product_or_throw(kGroups, {batch, peak})},
                    "B",
                    "the most that the cache holds while the prompt is computed",
                    {whole_operand("batch", batch, "sequences", "sequences at once"),
                     whole_operand("prefill_sequence_bytes", peak, "B",
                                   "one sequence, " + std::to_string(at_once) +
                                       " tokens at once: a window keeps these beside its "
                                       "newest")}});
    return list;
}

}  // namespace kv
