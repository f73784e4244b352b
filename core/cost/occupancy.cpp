#include "core/cost/occupancy.hpp"

#include "core/base/error.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/cache/vector_bytes.hpp"

namespace kv {
namespace {

constexpr const char* kHeld = "the bytes of the blocks";
constexpr const char* kDevice = "the memory in use";

bool is_kivi(const Codec& codec) {
    return codec.scale == ScaleMode::Kivi;
}

// The same codes with nothing beside them. Kivi keeps what it is: its newest tokens are no codes.
Codec without_scales(Codec codec) {
    if (codec.scale != ScaleMode::None && !is_kivi(codec)) codec.scale = ScaleMode::Tensor;
    return codec;
}

// layer_bytes() one side at a time; a latent vector counts as a key. `bytes(n)` are those of a
// vector of n elements.
template <class Bytes>
u64 side_of_layer(const CacheShape& shape, const LayerCache& layer, Side side, Bytes bytes) {
    if (std::holds_alternative<NoCache>(layer)) return 0;
    if (const auto* latent = std::get_if<LatentCache>(&layer)) {
        if (side == Side::V) return 0;
        return bytes(latent->width()) + (latent->d_index == 0 ? 0 : bytes(latent->d_index));
    }
    const KvHeads heads = heads_of(shape, layer);
    return product_or_throw(kHeld,
                            {heads.n_kv_heads, bytes(side == Side::K ? heads.d_k : heads.d_v)});
}

// One token's vectors of one side in one layer.
u64 vector_side_bytes(const CacheShape& shape, const LayerCache& layer, const CodecPair& codecs,
                      Side side) {
    return side_of_layer(shape, layer, side, [&](u64 elements) {
        return vector_bytes(codecs.of(side), side, elements).total();
    });
}

// One side of one kind of layer, for `tokens` tokens of one sequence.
u64 layer_side_bytes(const CacheShape& shape, const LayerCache& layer, const CodecPair& codecs,
                     Side side, u64 tokens) {
    const u64 kept = kept_tokens(layer, tokens);
    return side_of_layer(shape, layer, side, [&](u64 elements) {
        return head_bytes(codecs.of(side), side, elements, kept);
    });
}

}  // namespace

u64 side_bytes_per_token(const CacheShape& shape, const CodecPair& codecs, Side side) {
    u64 sum = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const u64 layer = vector_side_bytes(shape, group.cache, codecs, side);
        sum = sum_or_throw(kHeld, {sum, product_or_throw(kHeld, {group.count, layer})});
    }
    return sum;
}

u64 side_bytes(const CacheShape& shape, const CodecPair& codecs, u64 tokens, u64 batch, Side side) {
    u64 sum = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const u64 layer = layer_side_bytes(shape, group.cache, codecs, side, tokens);
        sum = sum_or_throw(kHeld, {sum, product_or_throw(kHeld, {batch, group.count, layer})});
    }
    return sum;
}

std::vector<PayloadTerm> payload_terms(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                       u64 batch) {
    const CodecPair bare{without_scales(codecs.k), without_scales(codecs.v)};
    std::vector<PayloadTerm> terms;
    for (const LayerGroup& group : layer_groups(shape)) {
        if (std::holds_alternative<NoCache>(group.cache)) continue;
        PayloadTerm term{group.cache, group.count, kept_tokens(group.cache, tokens), {}, 0};
        const u64 k = layer_side_bytes(shape, group.cache, bare, Side::K, tokens);
        const u64 v = layer_side_bytes(shape, group.cache, bare, Side::V, tokens);
        const auto add = [&](std::optional<Side> side, u64 bytes) {
            term.side = side;
            term.bytes = product_or_throw(kHeld, {batch, group.count, bytes});
            terms.push_back(term);
        };
        const bool latent = std::holds_alternative<LatentCache>(group.cache);
        const KvHeads heads = heads_of(shape, group.cache);
        const bool alike = heads.d_k == heads.d_v && bare.k == bare.v && !is_kivi(bare.k);
        if (latent || alike) {
            add(std::nullopt, sum_or_throw(kHeld, {k, v}));
        } else {
            add(Side::K, k);
            add(Side::V, v);
        }
    }
    return terms;
}

std::optional<Occupancy> occupy(const CacheShape& shape, const CodecPair& codecs, u64 tokens,
                                u64 batch, u64 block_size) {
    const bool beside = codecs.k.scale == ScaleMode::Kivi || codecs.v.scale == ScaleMode::Kivi;
    if (beside) return std::nullopt;
    const CodecPair bare{without_scales(codecs.k), without_scales(codecs.v)};
    Occupancy held;
    held.blocks_per_sequence = blocks_per_sequence(shape, tokens, block_size);
    held.blocks = product_or_throw("the number of blocks", {batch, held.blocks_per_sequence});
    held.block_bytes = bytes_per_block(shape, codecs, block_size);
    held.allocated = product_or_throw(kHeld, {held.blocks, held.block_bytes});
    // States are not in blocks of tokens.
    const u64 states = tokens == 0 ? 0 : product_or_throw(kHeld, {batch, total_state_bytes(shape)});
    held.payload = kv_bytes(shape, bare, tokens, batch) - states;
    const u64 written = kv_bytes(shape, codecs, tokens, batch) - states;
    KV_ASSERT(held.payload <= written && written <= held.allocated);
    held.scales = written - held.payload;
    held.empty = held.allocated - written;
    held.empty_slots_per_sequence = idle_slots(tokens, block_size);
    return held;
}

Derived derive_allocated_bytes(const Occupancy& held) {
    return {"allocated_bytes",
            "blocks * bytes_per_block",
            Value{held.allocated},
            "B",
            "whole blocks of all sequences",
            {whole_operand("blocks", held.blocks, "blocks", "blocks that the tokens need"),
             whole_operand("bytes_per_block", held.block_bytes, "B", "one block of every layer")}};
}

Derived derive_room(const Operand& budget, const Operand& block_bytes, u64 block_size) {
    const u64 blocks =
        blocks_in(PoolBytes{std::get<u64>(budget.value)}, std::get<u64>(block_bytes.value));
    return {"room_tokens",
            "floor(" + budget.name + " / " + block_bytes.name + ") * block_size",
            Value{product_or_throw("the capacity", {blocks, block_size})},
            "tokens",
            "token slots of the blocks that fit beside the weights",
            {budget, block_bytes,
             whole_operand("block_size", block_size, "tokens", "token slots of a block")}};
}

DeviceUse use_device(const BudgetRequest& request, u64 kv_bytes) {
    const Budget budget = device_budget(request);
    DeviceUse use;
    use.capacity = budget.capacity;
    use.weights = budget.weights;
    use.activations = budget.activations;
    use.reserve = budget.reserve;
    use.kv = kv_bytes;
    use.used =
        sum_or_throw(kDevice, {budget.weights, budget.activations, budget.reserve, kv_bytes});
    if (use.used <= use.capacity) {
        use.free = use.capacity - use.used;
    } else {
        use.missing = use.used - use.capacity;
    }
    return use;
}

Derived derive_device_use(const BudgetRequest& request, const Operand& cache) {
    return {
        "used_bytes",
        "weight_bytes + cards * (activation_bytes + reserve_bytes) + " + cache.name,
        Value{use_device(request, std::get<u64>(cache.value)).used},
        "B",
        "everything that the cards carry",
        {whole_operand("weight_bytes", request.weight_bytes, "B", "size of the weights"),
         whole_operand("cards", request.cards, "cards", "equal cards"),
         whole_operand("activation_bytes", request.activation_bytes, "B", "activations per card"),
         whole_operand("reserve_bytes", request.reserve_bytes, "B", "reserve per card"), cache}};
}

}  // namespace kv
