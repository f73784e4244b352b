// The shares of split.cpp as expressions over named operands, for whoever unfolds a bill. A sum
// over the kinds of layers is put together term by term, its value with it. Tests evaluate each
// expression, and hold the values against a count by rank, layer, token and head.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>

#include "core/cost/split.hpp"

namespace kv {

Operand ranks_operand(u64 ranks) {
    return whole_operand("ranks", ranks, "cards", "cards that share each layer");
}

namespace {

constexpr const char* kShares = "the shares of the cards";

u64 share_product(std::initializer_list<u64> factors) {
    return product_or_throw(kShares, factors);
}

// One term of a sum: what a kind of layer keeps.
struct ShareTerm {
    std::string expression;
    u64 bytes = 0;
};

// The bytes of one sequence as a sum over the kinds of layers.
class ShareSum {
public:
    ShareSum(const CodecPair& codecs, u64 tokens) : codecs_(codecs), tokens_(tokens) {}

    // Layers that keep keys and values: so many of them, each with so many heads.
    void add_heads(const CacheShape& shape, const LayerGroup& group, const Operand& model_heads) {
        CacheShape one = shape;
        const KvHeads* own = own_heads(group.cache);
        const KvHeads widths = heads_of(shape, group.cache);
        one.n_kv_heads = 1;
        const u64 head = layer_bytes(
            one,
            own ? with_own_heads(group.cache,
                                 KvHeads{.n_kv_heads = 1, .d_k = widths.d_k, .d_v = widths.d_v})
                : group.cache,
            codecs_, tokens_);
        const std::string kind = name_of_kind(group.cache);
        put(whole_operand(kind + "_layers", group.count, "layers", "such layers"));
        const Operand heads = own ? whole_operand(kind + "_kv_heads", own->n_kv_heads, "KV heads",
                                                  "KV heads of such a layer, copies included")
                                  : model_heads;
        if (!has(heads.name)) put(heads);
        put(whole_operand(kind + "_head_bytes", head, "B",
                          "keys and values of one KV head in one such layer"));
        terms_.push_back({kind + "_layers * " + heads.name + " * " + kind + "_head_bytes",
                          share_product({group.count, std::get<u64>(heads.value), head})});
    }
    // Layers that keep latent vectors, each as `copies` have it; null: once.
    void add_latent(const CacheShape& shape, const LayerGroup& group, const Operand* copies) {
        const u64 layer = layer_bytes(shape, group.cache, codecs_, tokens_);
        const std::string kind = name_of_kind(group.cache);
        put(whole_operand(kind + "_layers", group.count, "layers", "such layers"));
        put(whole_operand(kind + "_layer_bytes", layer, "B", "one such layer; no rank has less"));
        std::string expression = kind + "_layers * " + kind + "_layer_bytes";
        u64 each = 1;
        if (copies) {
            if (!has(copies->name)) put(*copies);
            expression = copies->name + " * " + expression;
            each = std::get<u64>(copies->value);
        }
        terms_.push_back({expression, share_product({each, group.count, layer})});
    }
    void add_states(const std::string& name, u64 bytes, const std::string& meaning) {
        if (bytes == 0 || tokens_ == 0) return;
        put(whole_operand(name, bytes, "B", meaning));
        terms_.push_back({name, bytes});
    }

    Derived result(const std::string& name, const std::string& meaning) const {
        Derived sum{name, "", Value{u64{0}}, "B", meaning, operands_};
        u64 bytes = 0;
        for (const ShareTerm& term : terms_) {
            sum.expression += (sum.expression.empty() ? "" : " + ") + term.expression;
            bytes = sum_or_throw(kShares, {bytes, term.bytes});
        }
        if (terms_.empty()) sum.expression = "0";
        sum.value = bytes;
        return sum;
    }

private:
    bool has(const std::string& name) const {
        return std::any_of(operands_.begin(), operands_.end(),
                           [&](const Operand& o) { return o.name == name; });
    }
    void put(Operand operand) { operands_.push_back(std::move(operand)); }
    // "window", and "window_2" for another window of the same model.
    std::string name_of_kind(const LayerCache& cache) const {
        const std::string kind(CacheGroup{cache, {}, 0}.kind());
        std::string name = kind;
        for (u64 i = 2; has(name + "_layers"); ++i) name = kind + "_" + std::to_string(i);
        return name;
    }

    CodecPair codecs_;
    u64 tokens_;
    std::vector<ShareTerm> terms_;
    std::vector<Operand> operands_;
};

// What both numbers of KV heads come from.
std::vector<Operand> heads_and_ranks(u64 n_kv_heads, u64 ranks) {
    return {whole_operand("n_kv_heads", n_kv_heads, "KV heads", "KV heads per layer"),
            ranks_operand(ranks)};
}

Derived derive_rank_heads(u64 n_kv_heads, u64 ranks) {
    return {"rank_kv_heads",
            "ceil(n_kv_heads / ranks)",
            Value{rank_kv_heads(n_kv_heads, ranks)},
            "KV heads",
            "KV heads of each layer on one card; never less than one",
            heads_and_ranks(n_kv_heads, ranks)};
}

Derived derive_all_heads(u64 n_kv_heads, u64 ranks) {
    return {"all_kv_heads",
            "max(n_kv_heads, ranks)",
            Value{all_kv_heads(n_kv_heads, ranks)},
            "KV heads",
            "KV heads of each layer on all cards, copies included",
            heads_and_ranks(n_kv_heads, ranks)};
}

// What one card of a stage keeps: the terms of its layers.
Derived derive_rank_sequence(const CacheShape& rank, const CodecPair& codecs, u64 tokens,
                             const Operand& heads) {
    ShareSum sum(codecs, tokens);
    for (const LayerGroup& group : layer_groups(rank)) {
        if (std::holds_alternative<NoCache>(group.cache)) continue;
        if (std::holds_alternative<LatentCache>(group.cache)) {
            sum.add_latent(rank, group, nullptr);
        } else {
            sum.add_heads(rank, group, heads);
        }
    }
    sum.add_states("rank_state_bytes", total_state_bytes(rank),
                   "this card's share of its layers' states");
    return sum.result("rank_sequence_bytes", "one sequence on the fullest card");
}

Derived derive_all_sequence(CacheShape shape, const CodecPair& codecs, u64 tokens,
                            const Operand& heads, const Operand& ranks) {
    for (LayerCache& layer : shape.layers) {
        if (const KvHeads* own = own_heads(layer)) {
            const u64 all = all_kv_heads(own->n_kv_heads, std::get<u64>(ranks.value));
            layer = with_own_heads(layer, KvHeads{all, own->d_k, own->d_v});
        }
    }
    ShareSum sum(codecs, tokens);
    for (const LayerGroup& group : layer_groups(shape)) {
        if (std::holds_alternative<NoCache>(group.cache)) continue;
        if (std::holds_alternative<LatentCache>(group.cache)) {
            sum.add_latent(shape, group, &ranks);
        } else {
            sum.add_heads(shape, group, heads);
        }
    }
    sum.add_states("state_bytes", total_state_bytes(shape), "states of one sequence in all layers");
    return sum.result("all_ranks_sequence_bytes", "one sequence on all cards together");
}

}  // namespace

std::vector<Derived> derive_split(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                  u64 batch, const Split& split) {
    const CacheShape rank = stage_caches(shape, split)[fullest_stage(shape, codecs, tokens, split)];
    const Derived rank_heads = derive_rank_heads(shape.n_kv_heads, split.ranks);
    const Derived all_heads = derive_all_heads(shape.n_kv_heads, split.ranks);
    const Derived one = derive_rank_sequence(rank, codecs, tokens, operand_of(rank_heads));
    const Derived all = derive_all_sequence(shape, codecs, tokens, operand_of(all_heads),
                                            ranks_operand(split.ranks));
    const Operand sequences = whole_operand("batch", batch, "sequences", "sequences at once");
    std::vector<Derived> list;
    if (count_head_layers(shape) > 0) list = {rank_heads, all_heads};
    list.push_back(one);
    list.push_back(all);
    list.push_back({"rank_bytes",
                    "batch * rank_sequence_bytes",
                    Value{share_product({batch, one.whole()})},
                    "B",
                    "cache on the fullest card",
                    {sequences, operand_of(one)}});
    list.push_back({"ranks_total_bytes",
                    "batch * all_ranks_sequence_bytes",
                    Value{share_product({batch, all.whole()})},
                    "B",
                    "cache on all cards, copies included",
                    {sequences, operand_of(all)}});
    return list;
}

Derived derive_fits_cards(u64 weight_bytes, u64 rank_bytes, u64 device_bytes, const Split& split) {
    const u64 share = ceil_div(weight_bytes, split.cards());
    return {"fits",
            "ceil(weight_bytes / (ranks * stages)) + rank_bytes <= device_bytes",
            Value{sum_or_throw("the memory in use", {share, rank_bytes}) <= device_bytes},
            "",
            "an equal share of the weights and the fullest card's cache against one card",
            {whole_operand("weight_bytes", weight_bytes, "B", "size of the weights"),
             ranks_operand(split.ranks),
             whole_operand("stages", split.stages, "", "groups of cards that share the layers"),
             whole_operand("rank_bytes", rank_bytes, "B", "cache on the fullest card"),
             whole_operand("device_bytes", device_bytes, "B", "memory of the device")}};
}

}  // namespace kv
