#pragma once
// One warp turns a vector in shared memory into bytes of the pool: the largest number or the limits
// of its groups first, then every byte by the thread whose turn it is.

#include "cuda/grid/block.hpp"
#include "cuda/kernels/codec/coded.hpp"

namespace kv::gpu {

// max |x| of the first `n` of `values`, in every thread; NaN where one is.
template <class Block, class Values>
KV_HD float largest_size(Block& block, const Values& values, u32 n) {
    auto most = block.per_thread(0.0f), not_a_number = block.per_thread(0.0f);
    block.each([&](u32 t) {
        for (u32 i = t; i < n; i += block.size()) {
            const float x = values(i), size = x < 0 ? -x : x;
            if (is_nan(size)) not_a_number[t] = 1;
            if (size > most[t]) most[t] = size;
        }
    });
    block.max_lanes(most, kWarp);
    block.max_lanes(not_a_number, kWarp);
    return not_a_number[0] > 0 ? float_of(0x7FC00000) : most[0];
}

// The limits of each group, by the thread that comes to it: scale and zero go behind the codes, and
// as floats into `scales`.
template <class Block, class Values, class Scales>
KV_HD void scale_groups(Block& block, const AnyCoded& coded, const Values& values, Scales& scales,
                        std::byte* out) {
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): only codecs in groups come here
    const u32 group = coded.codec.group, n_groups = coded.dim / group;
    block.each([&](u32 t) {
        for (u32 g = t; g < n_groups; g += block.size()) {
            float low = values[g * group], high = low;
            for (u32 i = g * group; i < (g + 1) * group; ++i) {
                const float x = values[i];
                low = is_nan(x) ? x : x < low ? x : low;
                high = x > high ? x : high;
            }
            const ScaleAndZero both = asymmetric_scale(low, high, coded.bits);
            const u32 record = 4 * g;  // two fp16 numbers a group
            put_fp16(out + coded.code_bytes() + record, both.scale);
            put_fp16(out + coded.code_bytes() + record + 2, both.zero);
            scales[2 * g] = fp16_to_float(both.scale);
            scales[2 * g + 1] = fp16_to_float(both.zero);
        }
    });
}

// `values`: (dim), shared, behind a barrier. `scales`: (2 dim), shared. `out`: coded.bytes of the
// pool.
template <class Block, class Values, class Scales>
KV_HD void code_vector(Block& block, const AnyCoded& coded, const Values& values, Scales& scales,
                       std::byte* out) {
    const ScaleMode mode = coded.codec.scale;
    float scale = 0;
    if (mode == ScaleMode::Groups) scale_groups(block, coded, values, scales, out);
    if (mode == ScaleMode::Tensor) scale = fp16_to_float(coded.shared_scale);
    if (mode == ScaleMode::PerVector) {
        const auto at = [&](u32 i) -> float { return values[i]; };
        const u16 code = symmetric_scale(largest_size(block, at, coded.dim), coded.bits);
        scale = fp16_to_float(code);
        block.each([&](u32 t) {
            if (t == 0) put_fp16(out + coded.code_bytes(), code);
        });
    }
    block.sync();
    block.each([&](u32 t) {
        const auto at = [&](u32 i) -> float { return values[i]; };
        const auto scales_of = [&](u32 i) -> CodeScales {
            if (mode != ScaleMode::Groups) return {scale, 0};
            const u32 g = i / coded.codec.group;
            return {scales[2 * g], scales[2 * g + 1]};
        };
        for (u32 b = t; b < coded.code_bytes(); b += block.size())
            out[b] = coded_byte(coded, b, at, scales_of);
    });
}

}  // namespace kv::gpu
