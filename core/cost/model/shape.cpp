#include "core/cost/model/shape.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// The projections that make keys and values grow with the KV heads; nothing else does.
void recount_kv_heads(CountedParameters& counted, u64 before, u64 after) {
    const u64 projection =
        product_or_throw("the parameters", {counted.kv_projection / before, after});
    Derived total{"parameters",
                  "other_parameters + n_kv_heads * parameters_per_kv_head",
                  Value{counted.total - counted.kv_projection + projection},
                  "",
                  "numbers in the weights",
                  {whole_operand("other_parameters", counted.total - counted.kv_projection, "",
                                 "all but the projections that make keys and values"),
                   whole_operand("n_kv_heads", after, "KV heads", "KV heads per layer"),
                   whole_operand("parameters_per_kv_head", counted.kv_projection / before, "",
                                 "its key and value projections in all layers")}};
    counted.total = total.whole();
    counted.attention = counted.attention - counted.kv_projection + projection;
    counted.qkv = counted.qkv - counted.kv_projection + projection;
    counted.kv_projection = projection;
    counted.list = {std::move(total)};
}

}  // namespace

u64 kept_tokens(const LayerCache& layer, u64 tokens) {
    return std::visit(
        Overloaded{[tokens](const FullCache&) { return tokens; },
                   [tokens](const WindowCache& w) { return std::min(tokens, w.window); },
                   [tokens](const LatentCache&) { return tokens; },
                   [](const NoCache&) { return u64{0}; }},
        layer);
}

u64 kept_between_steps(const LayerCache& layer, u64 tokens) {
    const auto* window = std::get_if<WindowCache>(&layer);
    return window ? std::min(tokens, window->window - 1) : kept_tokens(layer, tokens);
}

u64 seen_tokens(const LayerCache& layer, u64 tokens) {
    if (tokens == 0) return 0;
    if (const auto* window = std::get_if<WindowCache>(&layer); window && window->chunked) {
        return (tokens - 1) % window->window + 1;
    }
    if (const auto* none = std::get_if<NoCache>(&layer); none && none->shared) {
        return std::min(tokens, none->window.value_or(tokens));
    }
    return kept_tokens(layer, tokens);
}

std::vector<LayerGroup> layer_groups(const CacheShape& shape) {
    std::vector<LayerGroup> groups;
    for (const LayerCache& layer : shape.layers) {
        const auto group = std::find_if(groups.begin(), groups.end(),
                                        [&](const LayerGroup& g) { return g.cache == layer; });
        if (group == groups.end()) {
            groups.push_back({layer, 1});
        } else {
            ++group->count;
        }
    }
    return groups;
}

const KvHeads* own_heads(const LayerCache& layer) {
    const auto of = [](const std::optional<KvHeads>& own) { return own ? &*own : nullptr; };
    return std::visit(Overloaded{[of](const FullCache& full) { return of(full.own); },
                                 [of](const WindowCache& window) { return of(window.own); },
                                 [](const LatentCache&) -> const KvHeads* { return nullptr; },
                                 [of](const NoCache& none) { return of(none.own); }},
                      layer);
}

KvHeads heads_of(const CacheShape& shape, const LayerCache& layer) {
    const KvHeads* own = own_heads(layer);
    return own ? *own : KvHeads{shape.n_kv_heads, shape.d_k, shape.d_v};
}

bool has_own_heads(const CacheShape& shape) {
    return std::any_of(shape.layers.begin(), shape.layers.end(),
                       [](const LayerCache& layer) { return own_heads(layer) != nullptr; });
}

LayerCache with_own_heads(LayerCache layer, std::optional<KvHeads> own) {
    std::visit(Overloaded{[own](FullCache& full) { full.own = own; },
                          [own](WindowCache& window) { window.own = own; }, [](LatentCache&) {},
                          [own](NoCache& none) { none.own = own; }},
               layer);
    return layer;
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): from the whole to the part
CacheShape uniform_cache(u64 n_layers, u64 n_kv_heads, u64 head_dim) {
    CacheShape shape;
    shape.layers.assign(n_layers, FullCache{});
    shape.n_kv_heads = n_kv_heads;
    shape.d_k = shape.d_v = head_dim;
    return shape;
}

CacheShape with_window(CacheShape shape, u64 window) {
    for (LayerCache& layer : shape.layers) {
        if (const auto* full = std::get_if<FullCache>(&layer)) {
            layer = WindowCache{window, false, full->own};
        }
    }
    return shape;
}

u64 count_latent_layers(const CacheShape& shape) {
    u64 count = 0;
    for (const LayerCache& layer : shape.layers) {
        count += std::holds_alternative<LatentCache>(layer) ? 1 : 0;
    }
    return count;
}

u64 count_head_layers(const CacheShape& shape) {
    u64 count = 0;
    for (const LayerCache& layer : shape.layers) {
        const bool heads =
            std::holds_alternative<FullCache>(layer) || std::holds_alternative<WindowCache>(layer);
        count += heads ? 1 : 0;
    }
    return count;
}

const LatentCache* latent_layer(const CacheShape& shape) {
    for (const LayerCache& layer : shape.layers) {
        if (const auto* latent = std::get_if<LatentCache>(&layer)) return latent;
    }
    return nullptr;
}

bool is_latent(const CacheShape& shape) {
    return latent_layer(shape) != nullptr;
}

bool is_windowed(const CacheShape& shape) {
    return std::any_of(shape.layers.begin(), shape.layers.end(), [](const LayerCache& layer) {
        return std::holds_alternative<WindowCache>(layer);
    });
}

u64 total_state_bytes(const CacheShape& shape) {
    u64 sum = 0;
    for (const u64 layer : shape.state_bytes) sum = sum_or_throw("the states", {sum, layer});
    return sum;
}

u64 bytes_of(WeightType type) {
    return type == WeightType::F32 ? 4 : 2;
}

std::string_view name_of(WeightType type) {
    switch (type) {
        case WeightType::F32:
            return "f32";
        case WeightType::Bf16:
            return "bf16";
        case WeightType::Fp16:
            return "fp16";
    }
    KV_ASSERT(false);
    return "";
}

bool ModelShape::has_experts(u64 layer) const {
    return experts && layer >= experts->first_layer && layer % experts->every == 0;
}

std::optional<std::string> heads_objection(u64 n_heads, u64 n_kv_heads) {
    if (n_kv_heads == 0) return "n_kv_heads must be at least 1";
    if (n_kv_heads > n_heads) {
        return std::to_string(n_kv_heads) + " KV heads are more than the " +
               std::to_string(n_heads) + " query heads";
    }
    if (n_heads % n_kv_heads != 0) {
        return std::to_string(n_kv_heads) + " KV heads do not divide " + std::to_string(n_heads) +
               " query heads (remainder " + std::to_string(n_heads % n_kv_heads) + ")";
    }
    return std::nullopt;
}

ModelShape with_kv_heads(ModelShape shape, u64 n_kv_heads) {
    KV_ASSERT(!shape.latent && !has_own_heads(shape.cache));
    KV_ASSERT(!heads_objection(shape.n_heads, n_kv_heads));
    if (shape.counted) recount_kv_heads(*shape.counted, shape.cache.n_kv_heads, n_kv_heads);
    shape.cache.n_kv_heads = n_kv_heads;
    return shape;
}

}  // namespace kv
