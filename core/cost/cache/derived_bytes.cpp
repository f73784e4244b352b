// The formulas of bytes.cpp once more, as expressions over named operands, for whoever unfolds a
// result. is_textbook() and is_uniform() choose the short forms; else a sum over kinds of layers is
// put together part by part. The values come from bytes.cpp; tests evaluate each expression and
// hold it against its value.
//
// A long form, as derive_kv_bytes() lists it where some layers keep every token and others a
// window:
//
//   full_k_bytes   = tokens * vector_bytes
//   full_v_bytes   = tokens * vector_bytes
//   full_bytes     = full_layers * n_kv_heads * (full_k_bytes + full_v_bytes)
//   window_k_bytes = min(tokens, window) * vector_bytes
//   window_v_bytes = min(tokens, window) * vector_bytes
//   window_bytes   = window_layers * n_kv_heads * (window_k_bytes + window_v_bytes)
//   kv_bytes       = batch * (full_bytes + window_bytes)

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

bool has_kivi(const CodecPair& codecs) {
    return codecs.k.scale == ScaleMode::Kivi || codecs.v.scale == ScaleMode::Kivi;
}

// Every layer keeps K and V of every token.
bool is_uniform(const CacheShape& shape) {
    const std::vector<LayerGroup> groups = layer_groups(shape);
    return groups.size() == 1 && std::holds_alternative<FullCache>(groups[0].cache) &&
           total_state_bytes(shape) == 0;
}

// The case of the formula that everybody knows.
bool is_textbook(const CacheShape& shape, const CodecPair& codecs) {
    return shape.d_k == shape.d_v && codecs.k == codecs.v && codecs.k.scale == ScaleMode::None &&
           !is_latent(shape) && !has_own_heads(shape) &&
           count_head_layers(shape) == shape.n_layers();
}

Operand layers_operand(const std::string& name, u64 count) {
    return whole_operand(name, count, "layers", "layers that keep keys and values");
}
Operand kv_heads_operand(const CacheShape& shape) {
    return whole_operand("n_kv_heads", shape.n_kv_heads, "KV heads", "KV heads per layer");
}

Derived textbook_bytes_per_token(const CacheShape& shape, const CodecPair& codecs) {
    return {.name = "bytes_per_token",
            .expression = "2 * n_layers * n_kv_heads * head_dim * element_bytes",
            .value = Value{bytes_per_token(shape, codecs)},
            .unit = "B",
            .meaning = "cache of one token in all layers; 2 stands for K and V",
            .operands = {
                layers_operand("n_layers", shape.n_layers()), kv_heads_operand(shape),
                whole_operand("head_dim", shape.d_k, "", "elements of a key or value"),
                whole_operand("element_bytes", codecs.k.bits() / 8, "B", codec_name(codecs.k))}};
}

struct GroupNames {
    std::string layers, prefix, meaning;
};

GroupNames names_of(const LayerCache& cache, std::size_t same_kind_before) {
    const std::string suffix =
        same_kind_before == 0 ? "" : "_" + std::to_string(same_kind_before + 1);
    if (const auto* window = std::get_if<WindowCache>(&cache)) {
        const std::string kept = std::to_string(window->window) + " tokens";
        if (window->chunked) {
            return {"chunk_layers" + suffix, "chunk" + suffix,
                    "layers that see their own chunk of " + kept + " only"};
        }
        return {"window_layers" + suffix, "window" + suffix, "layers that keep the newest " + kept};
    }
    if (std::holds_alternative<LatentCache>(cache)) {
        return {"latent_layers" + suffix, "latent" + suffix, "layers that keep a latent vector"};
    }
    return {"full_layers" + suffix, "full" + suffix, "layers that keep every token"};
}

// One side of one head over all tokens that the layer keeps.
Derived derive_head_bytes(const CodecPair& codecs, Side side, u64 elements, const LayerCache& layer,
                          u64 tokens, const std::string& name) {
    const Codec& codec = codecs.of(side);
    const u64 kept = kept_tokens(layer, tokens);
    if (codec.scale == ScaleMode::Kivi) {
        return derive_kivi_head_bytes(codec, side, elements, kept, name);
    }
    Derived result{
        .name = name,
        .expression = "tokens * vector_bytes",
        .value = Value{head_bytes(codec, side, elements, kept)},
        .unit = "B",
        .meaning = "bytes of one KV head in one layer",
        .operands = {whole_operand("tokens", tokens, "tokens", "tokens of each sequence"),
                     whole_operand("vector_bytes", vector_bytes(codec, side, elements).total(), "B",
                                   "one cached vector, scales included")}};
    if (const auto* window = std::get_if<WindowCache>(&layer)) {
        result.expression = "min(tokens, window) * vector_bytes";
        result.operands.push_back(whole_operand("window", window->window, "tokens",
                                                "newest tokens that the layer keeps"));
    }
    return result;
}

// One kind of layer, whose parts and their sum over its layers are to be listed.
struct GroupAsk {
    const CacheShape& shape;
    const CodecPair& codecs;
    const LayerGroup& group;
    GroupNames names;
    u64 tokens;

    Derived head(Side side, u64 elements, const std::string& part) const {
        return derive_head_bytes(codecs, side, elements, group.cache, tokens, names.prefix + part);
    }
    // With the number of layers for its first operand, and no expression yet.
    Derived sum() const {
        const Value total{product_or_throw(
            kCacheSize, {group.count, layer_bytes(shape, group.cache, codecs, tokens)})};
        return {.name = names.prefix + "_bytes",
                .expression = "",
                .value = total,
                .unit = "B",
                .meaning = names.meaning,
                .operands = {whole_operand(names.layers, group.count, "layers", names.meaning)}};
    }
};

// The one vector of a layer and, where tokens are chosen by keys, those keys.
void derive_latent_group(const GroupAsk& ask, const LatentCache& latent,
                         std::vector<Derived>& list) {
    Derived sum = ask.sum();
    list.push_back(ask.head(Side::K, latent.width(), "_layer_bytes"));
    sum.operands.push_back(operand_of(list.back()));
    std::string of_a_layer = list.back().name;
    if (latent.d_index > 0) {
        list.push_back(ask.head(Side::K, latent.d_index, "_index_bytes"));
        list.back().meaning = "keys by which tokens are chosen, one layer";
        sum.operands.push_back(operand_of(list.back()));
        of_a_layer = "(" + of_a_layer + " + " + list.back().name + ")";
    }
    sum.expression = ask.names.layers + " * " + of_a_layer;
    list.push_back(std::move(sum));
}

// K and V of every KV head of a layer.
void derive_head_group(const GroupAsk& ask, std::vector<Derived>& list) {
    Derived sum = ask.sum();
    const LayerCache& cache = ask.group.cache;
    const KvHeads heads = heads_of(ask.shape, cache);
    list.push_back(ask.head(Side::K, heads.d_k, "_k_bytes"));
    const Operand k = operand_of(list.back());
    list.push_back(ask.head(Side::V, heads.d_v, "_v_bytes"));
    const Operand v = operand_of(list.back());
    const Operand n_kv_heads = own_heads(cache)
                                   ? whole_operand(ask.names.prefix + "_kv_heads", heads.n_kv_heads,
                                                   "KV heads", "KV heads of such a layer")
                                   : kv_heads_operand(ask.shape);
    sum.expression =
        ask.names.layers + " * " + n_kv_heads.name + " * (" + k.name + " + " + v.name + ")";
    sum.operands.insert(sum.operands.end(), {n_kv_heads, k, v});
    list.push_back(std::move(sum));
}

void derive_group(const GroupAsk& ask, std::vector<Derived>& list) {
    if (const auto* latent = std::get_if<LatentCache>(&ask.group.cache))
        derive_latent_group(ask, *latent, list);
    else
        derive_head_group(ask, list);
}

// Layers whose heads are alike: the model's first, then those that have their own.
struct HeadLayers {
    KvHeads heads;
    u64 layers = 0;
    std::string prefix;  // of the names: "", "other_", "other_2_"
};

void count_layer(std::vector<HeadLayers>& kinds, const KvHeads& heads) {
    const auto alike = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const HeadLayers& kind) { return kind.heads == heads; });
    if (alike != kinds.end())
        ++alike->layers;
    else
        kinds.push_back({heads, 1, ""});
}

std::vector<HeadLayers> head_layers(const CacheShape& shape) {
    std::vector<HeadLayers> kinds, others;
    for (const LayerCache& layer : shape.layers) {
        const bool keeps_heads =
            !std::holds_alternative<NoCache>(layer) && !std::holds_alternative<LatentCache>(layer);
        if (keeps_heads) count_layer(own_heads(layer) ? others : kinds, heads_of(shape, layer));
    }
    for (std::size_t i = 0; i < others.size(); ++i)
        others[i].prefix = i == 0 ? "other_" : "other_" + std::to_string(i + 1) + "_";
    kinds.insert(kinds.end(), others.begin(), others.end());
    return kinds;
}

void derive_head_layers(const CodecPair& codecs, const HeadLayers& alike,
                        std::vector<Derived>& list, Derived& sum) {
    const std::string& p = alike.prefix;
    list.push_back(
        derive_vector_bytes(codecs.k, Side::K, alike.heads.d_k, p + "k_vector_bytes", p + "d_k"));
    const Operand k = operand_of(list.back());
    list.push_back(
        derive_vector_bytes(codecs.v, Side::V, alike.heads.d_v, p + "v_vector_bytes", p + "d_v"));
    const Operand v = operand_of(list.back());
    const std::string layers = p.empty() ? "n_layers" : p + "layers";
    const std::string heads = p.empty() ? "n_kv_heads" : p + "kv_heads";
    sum.expression += sum.expression.empty() ? "" : " + ";
    sum.expression += layers + " * " + heads + " * (" + k.name + " + " + v.name + ")";
    for (Operand operand : {layers_operand(layers, alike.layers),
                            whole_operand(heads, alike.heads.n_kv_heads, "KV heads",
                                          p.empty() ? "KV heads per layer"
                                                    : "KV heads of layers that have their own"),
                            k, v}) {
        sum.operands.push_back(std::move(operand));
    }
}

// The layers with a latent vector.
void derive_latent_layers(const CacheShape& shape, const CodecPair& codecs,
                          std::vector<Derived>& list, Derived& sum) {
    const LatentCache* latent = latent_layer(shape);
    if (latent == nullptr) return;
    list.push_back(derive_vector_bytes(codecs.k, Side::K, latent->width(), "latent_vector_bytes",
                                       "latent_elements"));
    list.back().meaning = "the one vector of a layer: " + std::to_string(latent->d_c) +
                          " latent and " + std::to_string(latent->d_rope) + " rotated elements";
    sum.expression += sum.expression.empty() ? "" : " + ";
    sum.expression += "latent_layers * latent_vector_bytes";
    sum.operands.push_back(layers_operand("latent_layers", count_latent_layers(shape)));
    sum.operands.push_back(operand_of(list.back()));
    if (latent->d_index == 0) return;
    list.push_back(derive_vector_bytes(codecs.k, Side::K, latent->d_index, "index_vector_bytes",
                                       "index_elements"));
    list.back().meaning = "the key of a layer by which tokens are chosen";
    sum.expression += " + latent_layers * index_vector_bytes";
    sum.operands.push_back(operand_of(list.back()));
}

// The kinds of layers one after the other, and their sum with the states; the batch comes last.
void derive_groups_of_sequence(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                               std::vector<Derived>& list, Derived& sum) {
    const auto add = [&](const Operand& part) {
        sum.expression += (sum.expression.empty() ? "" : " + ") + part.name;
        sum.operands.push_back(part);
    };
    std::size_t windows = 0, latents = 0, fulls = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        if (std::holds_alternative<NoCache>(group.cache)) continue;
        const bool window = std::holds_alternative<WindowCache>(group.cache);
        const bool latent = std::holds_alternative<LatentCache>(group.cache);
        const std::size_t before = window ? windows++ : latent ? latents++ : fulls++;
        derive_group({shape, codecs, group, names_of(group.cache, before), tokens}, list);
        add(operand_of(list.back()));
    }
    const u64 states = total_state_bytes(shape);
    if (states > 0 && tokens > 0)
        add(whole_operand("state_bytes", states, "B",
                          "states of one sequence in all layers, whatever its length"));
}

}  // namespace

std::vector<Derived> derive_bytes_per_token(const CacheShape& shape, const CodecPair& codecs) {
    if (is_textbook(shape, codecs)) return {textbook_bytes_per_token(shape, codecs)};
    std::vector<Derived> list;
    Derived sum{.name = "bytes_per_token",
                .expression = "",  // below, layer by layer
                .value = Value{bytes_per_token(shape, codecs)},
                .unit = "B",
                .meaning = "cache of one token in all layers",
                .operands = {}};
    for (const HeadLayers& alike : head_layers(shape)) {
        derive_head_layers(codecs, alike, list, sum);
    }
    derive_latent_layers(shape, codecs, list, sum);
    if (sum.expression.empty()) sum.expression = "0";
    list.push_back(std::move(sum));
    return list;
}

Derived derive_bytes_per_block(u64 per_token, u64 block_size) {
    return {
        .name = "bytes_per_block",
        .expression = "block_size * bytes_per_token",
        .value = Value{product_or_throw("the size of a block", {block_size, per_token})},
        .unit = "B",
        .meaning = "one block of every layer",
        .operands = {
            whole_operand("block_size", block_size, "tokens", "token slots of a block"),
            whole_operand("bytes_per_token", per_token, "B", "cache of one token in all layers")}};
}

std::vector<Derived> derive_kv_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                     u64 batch) {
    Derived sum{.name = "kv_bytes",
                .expression = "",  // below, by what the layers keep
                .value = Value{kv_bytes(shape, codecs, tokens, batch)},
                .unit = "B",
                .meaning = "cache of all sequences, not rounded up to blocks",
                .operands = {}};
    sum.operands.push_back(whole_operand("batch", batch, "sequences", "sequences at once"));
    if (is_uniform(shape) && !has_kivi(codecs)) {
        sum.expression = "batch * tokens * bytes_per_token";
        sum.operands.push_back(
            whole_operand("tokens", tokens, "tokens", "tokens of each sequence"));
        sum.operands.push_back(whole_operand("bytes_per_token", bytes_per_token(shape, codecs), "B",
                                             "cache of one token in all layers"));
        return {sum};
    }
    std::vector<Derived> list;
    derive_groups_of_sequence(shape, codecs, tokens, list, sum);
    const bool one_kind = sum.operands.size() == 2;
    sum.expression = one_kind ? "batch * " + sum.expression : "batch * (" + sum.expression + ")";
    list.push_back(std::move(sum));
    return list;
}

Derived derive_kv_bytes_per_layer(u64 kv_bytes, u64 n_layers) {
    KV_ASSERT(n_layers > 0 && kv_bytes % n_layers == 0);
    return {.name = "kv_bytes_per_layer",
            .expression = "kv_bytes / n_layers",
            .value = Value{kv_bytes / n_layers},
            .unit = "B",
            .meaning = "cache of all sequences in one layer",
            .operands = {whole_operand("kv_bytes", kv_bytes, "B", "cache of all sequences"),
                         layers_operand("n_layers", n_layers)}};
}

Derived derive_effective_bits(const CacheShape& shape, const CodecPair& codecs,
                              std::optional<u64> tokens) {
    const bool by_length = tokens && has_kivi(codecs);
    const u64 bytes = by_length ? sequence_bytes(shape, codecs, *tokens) - total_state_bytes(shape)
                                : bytes_per_token(shape, codecs);
    const u64 elements = by_length ? stored_elements(shape, *tokens) : elements_per_token(shape);
    KV_ASSERT(elements > 0);
    const std::string bytes_name = by_length ? "sequence_bytes" : "bytes_per_token";
    const std::string elements_name = by_length ? "stored_elements" : "elements_per_token";
    return {.name = "effective_bits",
            .expression = "8 * " + bytes_name + " / " + elements_name,
            .value = Value{8.0 * static_cast<double>(bytes) / static_cast<double>(elements)},
            .unit = "bits",
            .meaning = "bits per stored element, scales included, mean over K and V",
            .operands = {whole_operand(bytes_name, bytes, "B", "bytes of the cache"),
                         whole_operand(elements_name, elements, "", "elements of K and V")}};
}

}  // namespace kv
