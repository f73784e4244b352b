#pragma once
// v1: with codecs that have a residual, new keys and values wait in fp16 and are coded when they
// have waited long enough: keys 32 tokens at a time, channel by channel, values token by token. A
// warp per KV head and side goes through the new tokens in their order, since each one may push
// others out. Which tokens that are is worked out on the host.
// grid (n_kv_heads x 2), block 32 threads.

#include "cuda/kernels/attention/paged_kv.hpp"
#include "cuda/kernels/codec/code_vector.hpp"

namespace kv::gpu {

struct KeepResidual {
    static constexpr const char* kName = "residual v1";
    PagedKv cache;
    View<const float> k, v;        // (n_rows, n_kv_heads x dim)
    View<const u32> slots;         // (n_rows)
    View<const u32> sequence_of;   // (n_rows)
    View<const u32> due_k, due_v;  // (n_rows, 2): what is due: [begin, end) of slots to code
    u32 n_kv_heads = 0;
    u32 first = 0, n = 0;                    // rows
    bool takes_in = true, codes_due = true;  // what of it this launch does

    KV_HD u32 widest() const {
        return cache.layout.k.dim > cache.layout.v.dim ? cache.layout.k.dim : cache.layout.v.dim;
    }
    LaunchShape shape() const {
        return {u64{2} * n_kv_heads, kWarp, shared_bytes(widest()) + shared_bytes(2 * widest())};
    }
    u64 bytes() const {
        const u64 both = cache.layout.k.dim + cache.layout.v.dim;
        return u64{n} * n_kv_heads *
               (both * 6 + cache.layout.k.bytes + cache.layout.v.bytes);  // float in, fp16, codes
    }

    template <class Block>
    KV_HD void run(Block& block) const {
        const Side side = block.index() % 2 == 0 ? Side::K : Side::V;
        const u32 head = static_cast<u32>(block.index() / 2), dim = cache.layout.vector(side).dim;
        auto values = block.floats(widest()), scales = block.floats(2 * widest());
        if (!cache.waits(side)) return;
        for (u32 row = first; row < first + n; ++row) {
            const u32 sequence = sequence_of[row];
            if (takes_in) wait_in_residual(block, side, row, head, dim);
            block.sync();
            if (!codes_due) continue;
            const View<const u32>& due = side == Side::K ? due_k : due_v;
            const u32 begin = due[2 * row], end = due[2 * row + 1];
            for (u32 slot = begin; slot < end;
                 slot += side == Side::K ? KeyGroupShape::kTokens + 0 : 1)
                if (side == Side::K)
                    code_keys(block, sequence, head, slot);
                else
                    code_value(block, sequence, head, slot, values, scales);
            block.sync();
        }
    }

private:
    template <class Block>
    KV_HD void wait_in_residual(Block& block, Side side, u32 row, u32 head, u32 dim) const {
        const float* from =
            (side == Side::K ? k : v).range((u64{row} * n_kv_heads + head) * dim, dim);
        std::byte* to = cache.residual.row(side, sequence_of[row], head, slots[row], dim);
        block.each([&](u32 t) {
            for (u32 c = t; c < dim; c += kWarp) put_fp16(to + 2 * c, fp16_from_float(from[c]));
        });
    }
    KV_HD float waiting(Side side, u32 sequence, u32 head, u32 slot, u32 c) const {
        const u32 dim = cache.layout.vector(side).dim;
        return fp16_to_float(get_fp16(cache.residual.row(side, sequence, head, slot, dim) + 2 * c));
    }
    // A thread per channel: all bytes of a channel's words and record are its own.
    template <class Block>
    KV_HD void code_keys(Block& block, u32 sequence, u32 head, u32 first_slot) const {
        const KeyGroupShape shape{cache.layout.k.element_bits, cache.layout.k.dim};
        block.each([&](u32 t) {
            for (u32 c = t; c < shape.dim; c += kWarp) {
                const auto key = [&](u32 token) {
                    return waiting(Side::K, sequence, head, first_slot + token, c);
                };
                float low = key(0), high = low;
                for (u32 token = 1; token < KeyGroupShape::kTokens; ++token) {
                    const float x = key(token);
                    low = is_nan(x) ? x : x < low ? x : low;
                    high = x > high ? x : high;
                }
                const ScaleAndZero both = asymmetric_scale(low, high, shape.bits);
                const float scale = fp16_to_float(both.scale), zero = fp16_to_float(both.zero);
                const u32 s = both.scale, z = both.zero;
                const u32 record[4] = {s & 0xFF, s >> 8, z & 0xFF, z >> 8};
                for (u32 i = 0; i < 4; ++i)
                    *cache.group_byte(sequence, head, first_slot,
                                      shape.record(c * KeyGroupShape::kRecordBytes + i)) =
                        static_cast<std::byte>(record[i]);
                for (u32 token = 0; token < KeyGroupShape::kTokens; ++token) {
                    std::byte* byte =
                        cache.group_byte(sequence, head, first_slot, shape.code(token, c));
                    const u32 before = shape.shift(token) == 0 ? 0 : static_cast<u32>(*byte);
                    const u32 code = asymmetric_code(key(token), scale, zero, shape.bits);
                    *byte = static_cast<std::byte>(before | code << shape.shift(token));
                }
            }
        });
    }
    template <class Block, class Values, class Scales>
    KV_HD void code_value(Block& block, u32 sequence, u32 head, u32 slot, Values& values,
                          Scales& scales) const {
        const KvVector& vector = cache.layout.v;
        block.each([&](u32 t) {
            for (u32 c = t; c < vector.dim; c += kWarp)
                values[c] = waiting(Side::V, sequence, head, slot, c);
        });
        block.sync();
        const u32 at = cache.pool_slot(sequence, head, slot);
        code_vector(block, cache.coded_value(), values, scales,
                    cache.pool.range(cache.offset_of_pool_slot(Side::V, head, at), vector.bytes));
        block.sync();
    }
};

}  // namespace kv::gpu
