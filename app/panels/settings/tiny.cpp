#include "app/panels/settings/tiny.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/formats.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostHeads = 8;
constexpr std::uint32_t kMostBlocks = 96;
constexpr double kShape = 13.0 / 7;  // columns by rows: of the room that the picture has

TinyBits bits_of_shape(NumberFormat format) {
    const FormatShape shape = shape_of(format);
    return {.sign = 1,
            .exponent = static_cast<std::uint32_t>(shape.exponent_bits),
            .fraction = static_cast<std::uint32_t>(shape.fraction_bits)};
}

std::uint32_t scaled_up(std::uint64_t part, std::uint64_t of, std::uint32_t to) {
    return of == 0 ? 0 : static_cast<std::uint32_t>((part * to + of - 1) / of);
}

}  // namespace

TinyHeads tiny_heads(const CacheSetup& setup) {
    const std::uint32_t queries = std::clamp(setup.n_heads, 1u, kMostHeads);
    const std::uint32_t boxes = scaled_up(setup.layout.n_kv_heads, setup.n_heads, queries);
    return {queries, std::clamp(boxes, 1u, queries)};
}

TinyBits tiny_bits(const Codec& codec) {
    switch (codec.code) {
        case ElementCode::Bf16:
            return bits_of_shape(NumberFormat::Bf16);
        case ElementCode::Fp16:
            return bits_of_shape(NumberFormat::Fp16);
        case ElementCode::Fp8E4m3:
            return bits_of_shape(NumberFormat::Fp8E4m3);
        case ElementCode::Fp8E5m2:
            return bits_of_shape(NumberFormat::Fp8E5m2);
        case ElementCode::F32:
            return bits_of_shape(NumberFormat::F32);
        default:
            return {.integer = codec.bits(), .has_scale = codec.scale != ScaleMode::None};
    }
}

TinySlots tiny_slots(const CacheSetup& setup) {
    TinySlots slots;
    const std::uint32_t n = setup.n_tokens, kept = setup.n_kept();
    slots.filled = std::min(n, TinySlots::kParts);
    if (kept >= n) return slots;
    const EvictionSpec& policy = setup.policy;
    const bool by_place =
        policy.policy == EvictionPolicy::Window || policy.policy == EvictionPolicy::Streaming;
    const std::uint32_t gone = std::max(1u, (n - kept) * slots.filled / n);
    for (std::uint32_t i = 0; i < slots.filled; ++i) {
        const std::uint64_t middle = (2 * std::uint64_t{i} + 1) * n / (2 * slots.filled);
        slots.dropped[i] = by_place ? middle >= policy.sinks && middle + policy.recent < n
                                    : ((i + 1) * gone + slots.filled / 2) / slots.filled >
                                          (i * gone + slots.filled / 2) / slots.filled;
    }
    return slots;
}

TinyPool tiny_pool(const CacheSetup& setup) {
    const std::uint64_t all = setup.layout.n_blocks;
    TinyPool pool;
    pool.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, kMostBlocks));
    pool.used =
        setup.keeps ? std::min(pool.blocks, scaled_up(setup.used_blocks, all, pool.blocks)) : 0;
    pool.columns = std::max(
        1u, static_cast<std::uint32_t>(std::ceil(std::sqrt(double{kShape} * pool.blocks))));
    return pool;
}

}  // namespace kv
