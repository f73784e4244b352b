#include "core/cost/groups.hpp"

#include <algorithm>

#include "core/base/error.hpp"

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

}  // namespace

std::string_view CacheGroup::kind() const {
    if (is_state()) return "state";
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
    if (group.is_state()) return 0;
    return product_or_throw(kGroups,
                            {group.n_layers(), layer_bytes_per_token(shape, group.cache, codecs)});
}

u64 group_bytes(const CacheShape& shape, const CacheGroup& group, const CodecPair& codecs,
                u64 tokens, u64 batch) {
    const u64 layer = group.is_state() ? (tokens == 0 ? 0 : group.state_bytes)
                                       : layer_bytes(shape, group.cache, codecs, tokens);
    return product_or_throw(kGroups, {batch, group.n_layers(), layer});
}

std::optional<u64> group_ceiling(const CacheShape& shape, const CacheGroup& group,
                                 const CodecPair& codecs) {
    if (group.is_state()) return group_bytes(shape, group, codecs, 1, 1);
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

Derived derive_group_crossover(const CacheShape& shape, const CodecPair& codecs, u64 weight_bytes) {
    u64 ceilings = 0, growing = 0;
    for (const CacheGroup& group : cache_groups(shape)) {
        const auto ceiling = group_ceiling(shape, group, codecs);
        ceilings += ceiling.value_or(0);
        if (!ceiling) growing += group_bytes_per_token(shape, group, codecs);
    }
    KV_ASSERT(growing > 0);
    const u64 rest = weight_bytes > ceilings ? weight_bytes - ceilings : 0;
    return {
        "crossover_tokens",
        "floor((weight_bytes - min(weight_bytes, ceiling_bytes)) / growing_bytes_per_token)",
        Value{rest / growing},
        "tokens",
        "tokens of one sequence at which its cache has the size of the weights",
        {whole_operand("weight_bytes", weight_bytes, "B", "size of the weights"),
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
