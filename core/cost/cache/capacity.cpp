#include "core/cost/cache/capacity.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace kv {
namespace {

// The largest window, when every layer that keeps anything has one.
std::optional<u64> common_window(const CacheShape& shape) {
    std::optional<u64> largest;
    for (const LayerCache& layer : shape.layers) {
        if (std::holds_alternative<NoCache>(layer)) continue;
        const auto* window = std::get_if<WindowCache>(&layer);
        if (!window) return std::nullopt;
        largest = std::max(largest.value_or(0), window->window);
    }
    return largest;
}

}  // namespace

TablePlace table_place_of(Pos pos, u64 block_size) {
    KV_ASSERT(block_size > 0);
    return {pos.value / block_size, Slot{static_cast<std::uint32_t>(pos.value % block_size)}};
}

u64 blocks_for(u64 tokens, u64 block_size) {
    KV_ASSERT(block_size > 0);
    return ceil_div(tokens, block_size);
}

u64 full_blocks(u64 tokens, u64 block_size) {
    KV_ASSERT(block_size > 0);
    return tokens / block_size;
}

u64 idle_slots(u64 tokens, u64 block_size) {
    return product_or_throw("the slots", {blocks_for(tokens, block_size), block_size}) - tokens;
}

double used_share(u64 used, u64 reserved) {
    KV_ASSERT(used <= reserved && reserved > 0);
    return static_cast<double>(used) / static_cast<double>(reserved);
}

u64 blocks_per_sequence(const CacheShape& shape, u64 tokens, u64 block_size) {
    const std::optional<u64> window = common_window(shape);
    const u64 gone = window && tokens > *window ? (tokens - *window) / block_size : 0;
    return blocks_for(tokens, block_size) - gone;
}

u64 blocks_in(const GivenPool& pool, u64 bytes_per_block) {
    if (const auto* blocks = std::get_if<PoolBlocks>(&pool)) return blocks->blocks;
    KV_ASSERT(bytes_per_block > 0);
    return std::get<PoolBytes>(pool).bytes / bytes_per_block;
}

Derived derive_blocks_per_sequence(const CacheShape& shape, u64 tokens, u64 block_size) {
    Derived d{
        .name = "blocks_per_sequence",
        .expression = "ceil(tokens / block_size)",
        .value = Value{blocks_per_sequence(shape, tokens, block_size)},
        .unit = "blocks",
        .meaning = "blocks in the table of one sequence",
        .operands = {whole_operand("tokens", tokens, "tokens", "tokens of each sequence"),
                     whole_operand("block_size", block_size, "tokens", "token slots of a block")}};
    const std::optional<u64> window = common_window(shape);
    if (window && tokens > *window) {
        d.expression += " - floor((tokens - window) / block_size)";
        d.operands.push_back(
            whole_operand("window", *window, "tokens", "tokens that the layers keep"));
    }
    return d;
}

Derived derive_pool_blocks(const GivenPool& pool, u64 bytes_per_block) {
    const u64 blocks = blocks_in(pool, bytes_per_block);
    if (std::holds_alternative<PoolBlocks>(pool)) {
        return given("blocks", Value{blocks}, "blocks", "blocks of the pool");
    }
    return {
        .name = "blocks",
        .expression = "floor(pool_bytes / bytes_per_block)",
        .value = Value{blocks},
        .unit = "blocks",
        .meaning = "blocks of the pool",
        .operands = {
            whole_operand("pool_bytes", std::get<PoolBytes>(pool).bytes, "B", "size of the pool"),
            whole_operand("bytes_per_block", bytes_per_block, "B", "one block of every layer")}};
}

Derived derive_needed_blocks(u64 batch, u64 per_sequence) {
    return {.name = "blocks",
            .expression = "batch * blocks_per_sequence",
            .value = Value{product_or_throw("the number of blocks", {batch, per_sequence})},
            .unit = "blocks",
            .meaning = "blocks that the tokens need",
            .operands = {whole_operand("batch", batch, "sequences", "sequences at once"),
                         whole_operand("blocks_per_sequence", per_sequence, "blocks",
                                       "blocks in the table of one sequence")}};
}

Derived derive_tokens_capacity(u64 blocks, u64 block_size) {
    return {
        .name = "tokens_capacity",
        .expression = "blocks * block_size",
        .value = Value{product_or_throw("the capacity", {blocks, block_size})},
        .unit = "tokens",
        .meaning = "token slots of the pool",
        .operands = {whole_operand("blocks", blocks, "blocks", "blocks of the pool"),
                     whole_operand("block_size", block_size, "tokens", "token slots of a block")}};
}

Derived derive_sequences_capacity(u64 blocks, u64 per_sequence) {
    KV_ASSERT(per_sequence > 0);
    return {.name = "sequences_capacity",
            .expression = "floor(blocks / blocks_per_sequence)",
            .value = Value{blocks / per_sequence},
            .unit = "sequences",
            .meaning = "sequences of that length that the pool holds at once",
            .operands = {whole_operand("blocks", blocks, "blocks", "blocks of the pool"),
                         whole_operand("blocks_per_sequence", per_sequence, "blocks",
                                       "blocks in the table of one sequence")}};
}

Derived derive_fits_pool(u64 batch, u64 per_sequence, u64 pool_blocks) {
    const u64 needed = product_or_throw("the number of blocks", {batch, per_sequence});
    return {.name = "fits",
            .expression = "batch * blocks_per_sequence <= blocks",
            .value = Value{needed <= pool_blocks},
            .unit = "",
            .meaning = "whole blocks of every sequence against the pool",
            .operands = {whole_operand("batch", batch, "sequences", "sequences at once"),
                         whole_operand("blocks_per_sequence", per_sequence, "blocks",
                                       "blocks in the table of one sequence"),
                         whole_operand("blocks", pool_blocks, "blocks", "blocks of the pool")}};
}

Derived derive_fits_device(u64 weight_bytes, u64 kv_bytes, u64 device_bytes) {
    return {
        .name = "fits",
        .expression = "weight_bytes + kv_bytes <= device_bytes",
        .value = Value{sum_or_throw("the memory in use", {weight_bytes, kv_bytes}) <= device_bytes},
        .unit = "",
        .meaning = "weights and cache against the device",
        .operands = {whole_operand("weight_bytes", weight_bytes, "B", "size of the weights"),
                     whole_operand("kv_bytes", kv_bytes, "B", "cache of all sequences"),
                     whole_operand("device_bytes", device_bytes, "B", "memory of the device")}};
}

}  // namespace kv
