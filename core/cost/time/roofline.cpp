#include "core/cost/time/roofline.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/cost/cache/capacity.hpp"
#include "core/cost/model/parameters.hpp"

namespace kv {
namespace {

// Bytes of an entry of a block table, and of a logit (float32).
constexpr u64 kEntryBytes = 4, kLogitBytes = 4;

double real(u64 value) {
    return static_cast<double>(value);
}

Operand weights_operand(u64 bytes) {
    return whole_operand("weight_bytes", bytes, "B", "size of the weights");
}
Operand cache_operand(u64 bytes) {
    return whole_operand("kv_bytes", bytes, "B", "cache of all sequences");
}

// Scores take the whole cached vector, the mix its value part; MLA mixes the latent itself.
u64 pair_width(const CacheShape& shape, const LayerCache& layer) {
    if (const auto* latent = std::get_if<LatentCache>(&layer)) {
        return 2 * latent->d_c + latent->d_rope;
    }
    // A layer that keeps nothing attends to nothing, unless it shares what an earlier layer keeps:
    // it adds no byte, but attends to those keys and values like any other.
    const auto* none = std::get_if<NoCache>(&layer);
    const KvHeads heads = heads_of(shape, layer);
    return none && !none->shared ? 0 : heads.d_k + heads.d_v;
}

Derived derive_attention_flops(const CacheShape& shape, u64 n_heads) {
    u64 widths = 0;
    for (const LayerGroup& group : layer_groups(shape)) {
        const u64 width = pair_width(shape, group.cache);
        widths = sum_or_throw("attention work",
                              {widths, product_or_throw("attention work", {group.count, width})});
    }
    return {.name = "attention_flops_per_token",
            .expression = "2 * n_heads * summed_widths",
            .value = Value{product_or_throw("attention work", {2, n_heads, widths})},
            .unit = "FLOP",
            .meaning = "scores and mix of one query position with one cached token, all layers",
            .operands = {whole_operand("n_heads", n_heads, "heads", "query heads"),
                         whole_operand("summed_widths", widths, "",
                                       is_latent(shape) ? "2 * d_c + d_rope, summed over the layers"
                                                        : "d_k + d_v, summed over the layers")}};
}

}  // namespace

u64 StepBytes::total() const {
    return sum_or_throw("the bytes of a step", {weights, kv_read, kv_write, block_tables, logits});
}

StepBytes decode_bytes(const ModelShape& shape, const CodecPair& codecs, u64 kv_len, u64 batch,
                       u64 block_size) {
    constexpr const char* kWhat = "the bytes of a step";
    const u64 entries = blocks_per_sequence(shape.cache, kv_len, block_size);
    StepBytes bytes;
    bytes.weights = weight_bytes(shape);
    bytes.kv_read = kv_bytes(shape.cache, codecs, kv_len, batch);
    bytes.kv_write = product_or_throw(kWhat, {batch, bytes_per_token(shape.cache, codecs)});
    bytes.block_tables = product_or_throw(kWhat, {batch, entries, kEntryBytes});
    bytes.logits = product_or_throw(kWhat, {batch, shape.vocab_size, kLogitBytes});
    return bytes;
}

double attention_intensity(const CacheShape& shape, u64 n_heads, const CodecPair& codecs) {
    return derive_intensity(shape, n_heads, codecs).back().real();
}

double attainable_flops(double intensity, double peak_flops, double bandwidth) {
    return std::min(peak_flops, intensity * bandwidth);
}

StepTime step_time(u64 weight_bytes, u64 kv_bytes, double bandwidth) {
    KV_ASSERT(bandwidth > 0);
    return {real(weight_bytes) / bandwidth, real(kv_bytes) / bandwidth};
}

u64 crossover_tokens(u64 weight_bytes, u64 bytes_per_token) {
    KV_ASSERT(bytes_per_token > 0);
    return weight_bytes / bytes_per_token;
}

double crossover_batch(u64 weight_bytes, u64 sequence_bytes) {
    KV_ASSERT(sequence_bytes > 0);
    return real(weight_bytes) / real(sequence_bytes);
}

u64 smallest_batch_above(u64 weight_bytes, u64 sequence_bytes) {
    KV_ASSERT(sequence_bytes > 0);
    return weight_bytes / sequence_bytes + 1;
}

ReadShare read_share(u64 bytes, double bandwidth, double other_seconds) {
    KV_ASSERT(bandwidth > 0 && bytes > 0 && other_seconds >= 0);
    const double read = real(bytes) / bandwidth;
    return {read, read / (read + other_seconds), real(bytes) / (read + other_seconds)};
}

std::vector<Derived> derive_intensity(const CacheShape& shape, u64 n_heads,
                                      const CodecPair& codecs) {
    const u64 bytes = bytes_per_token(shape, codecs);
    KV_ASSERT(bytes > 0);
    std::vector<Derived> list{derive_attention_flops(shape, n_heads)};
    list.push_back(
        {.name = "intensity",
         .expression = "attention_flops_per_token / bytes_per_token",
         .value = Value{list[0].real() / real(bytes)},
         .unit = "FLOP/B",
         .meaning = "work of decode attention per byte of cache that it reads",
         .operands = {operand_of(list[0]), whole_operand("bytes_per_token", bytes, "B",
                                                         "cache of one token in all layers")}});
    return list;
}

Derived derive_ridge(double flops, double bandwidth) {
    KV_ASSERT(bandwidth > 0);
    return {.name = "ridge",
            .expression = "flops / bandwidth",
            .value = Value{flops / bandwidth},
            .unit = "FLOP/B",
            .meaning = "intensity above which arithmetic, not memory, sets the time",
            .operands = {
                real_operand("flops", flops, "FLOP/s", "peak arithmetic of the device"),
                real_operand("bandwidth", bandwidth, "B/s", "memory bandwidth of the device")}};
}

Derived derive_step_time(u64 weight_bytes, u64 kv_bytes, double bandwidth) {
    return {.name = "step_time_s",
            .expression = "(weight_bytes + kv_bytes) / bandwidth",
            .value = Value{real(sum_or_throw("the bytes of a step", {weight_bytes, kv_bytes})) /
                           bandwidth},
            .unit = "s",
            .meaning = "least time of a decode step: weights once, cache once",
            .operands = {
                weights_operand(weight_bytes), cache_operand(kv_bytes),
                real_operand("bandwidth", bandwidth, "B/s", "memory bandwidth of the device")}};
}

Derived derive_first_token(u64 prefill_flops, u64 weight_bytes, double flops, double bandwidth) {
    KV_ASSERT(flops > 0 && bandwidth > 0);
    return {
        .name = "first_token_s",
        .expression = "max(prefill_flops / flops, weight_bytes / bandwidth)",
        .value = Value{std::max(real(prefill_flops) / flops, real(weight_bytes) / bandwidth)},
        .unit = "s",
        .meaning = "least time from arrival to the first token: the whole prompt computed at once",
        .operands = {
            whole_operand("prefill_flops", prefill_flops, "FLOP", "one pass over the prompt"),
            weights_operand(weight_bytes),
            real_operand("flops", flops, "FLOP/s", "peak arithmetic of the device"),
            real_operand("bandwidth", bandwidth, "B/s", "memory bandwidth of the device")}};
}

Derived derive_kv_share(u64 weight_bytes, u64 kv_bytes) {
    const u64 both = sum_or_throw("the bytes of a step", {weight_bytes, kv_bytes});
    KV_ASSERT(both > 0);
    return {.name = "kv_share",
            .expression = "kv_bytes / (weight_bytes + kv_bytes)",
            .value = Value{real(kv_bytes) / real(both)},
            .unit = "",
            .meaning = "share of the cache in the bytes of a decode step",
            .operands = {cache_operand(kv_bytes), weights_operand(weight_bytes)}};
}

Derived derive_crossover_tokens(u64 weight_bytes, u64 bytes_per_token) {
    return {.name = "crossover_tokens",
            .expression = "floor(weight_bytes / bytes_per_token)",
            .value = Value{crossover_tokens(weight_bytes, bytes_per_token)},
            .unit = "tokens",
            .meaning = "resident tokens at which the cache has the size of the weights",
            .operands = {weights_operand(weight_bytes),
                         whole_operand("bytes_per_token", bytes_per_token, "B",
                                       "cache of one token in all layers")}};
}

}  // namespace kv
