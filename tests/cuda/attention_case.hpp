#pragma once
// A pool of random coded vectors behind tables that are no identity, queries that look at it, and
// what attention over it should give: in float64, and in float as a plain loop has it.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/base/random.hpp"
#include "core/cache/kv_pool.hpp"
#include "cuda/emulated_block.hpp"
#include "cuda/kernels/all_kernels.hpp"

namespace kv::test {

using gpu::u32;

struct CaseShape {
    u32 n_kv_heads = 2, group = 4, k_dim = 16, v_dim = 16, block_size = 16;
    KvFormat k = KvFormat::F32, v = KvFormat::F32;
    KvOrder order = KvOrder::TokenMajor;
    std::vector<u32> lengths{33, 1, 64};  // of each sequence, its new token included
    u32 window = 0;
    bool exact = false;    // the new tokens are looked at before they are coded
    bool by_head = false;  // each KV head has a table of its own
};

class AttentionCase {
public:
    explicit AttentionCase(const CaseShape& s) : shape(s), pool(layout_of(s), s.k, s.v) {
        pool_bytes.assign((pool.layout().pool_bytes() + 15) / 16 * 16 + 16, std::byte{0xFF});
        make_tables();
        store();
        std::memcpy(aligned_pool(), pool.bytes(), pool.layout().pool_bytes());
    }

    static KvLayout layout_of(const CaseShape& s) {
        u32 blocks = 3;
        for (const u32 n : s.lengths) blocks += (n + s.block_size - 1) / s.block_size;
        if (s.by_head) blocks *= s.n_kv_heads;
        return {2,
                s.n_kv_heads,
                s.block_size,
                blocks,
                s.order,
                vector_of(s.k, s.k_dim, KvSide::K),
                vector_of(s.v, s.v_dim, KvSide::V)};
    }
    u32 n_heads() const { return shape.n_kv_heads * shape.group; }
    u32 n_rows() const { return static_cast<u32>(shape.lengths.size()); }
    std::byte* aligned_pool() {
        const auto at = reinterpret_cast<std::uintptr_t>(pool_bytes.data());
        return pool_bytes.data() + (16 - at % 16) % 16;
    }

    gpu::Attended attended() {
        mixed.assign(std::size_t{n_rows()} * n_heads() * shape.v_dim, NAN);
        gpu::Attended a;
        a.cache = {pool.layout(), shape.k,
                   shape.v,       {aligned_pool(), (pool.layout().pool_bytes() + 15) / 16 * 16},
                   view(scales),  view(tables),
                   view(starts),  {shape.by_head ? 2 * shape.n_kv_heads : 1, shape.n_kv_heads},
                   layer};
        a.q = view(q);
        a.k = view(k);
        a.v = view(v);
        a.mixed = {mixed.data(), mixed.size()};
        a.rows = view(rows);
        a.sequence_of = view(rows);
        a.slots = view(slots);
        a.first_row = view(rows);
        a.first_slot = view(slots);
        a.n_heads = n_heads();
        a.n_kv_heads = shape.n_kv_heads;
        a.window = shape.window;
        a.exact_k = a.exact_v = shape.exact;
        return a;
    }

    // The largest distance of `mixed` from the truth, and that of a plain loop in float.
    struct Errors {
        double ours = 0, naive = 0;
    };
    Errors errors() const {
        Errors e;
        for (u32 row = 0; row < n_rows(); ++row)
            for (u32 head = 0; head < n_heads(); ++head) {
                const auto truth = attend<double>(row, head);
                const auto naive = attend<float>(row, head);
                for (u32 c = 0; c < shape.v_dim; ++c) {
                    const double ours =
                        mixed[(std::size_t{row} * n_heads() + head) * shape.v_dim + c];
                    if (!(std::abs(ours - truth[c]) <= e.ours)) e.ours = std::abs(ours - truth[c]);
                    e.naive = std::max(e.naive, std::abs(double{naive[c]} - truth[c]));
                }
            }
        return e;
    }

    template <class T>
    static gpu::View<const T> view(const std::vector<T>& values) {
        return {values.data(), values.size()};
    }

    CaseShape shape;
    KvPool pool;
    LayerId layer{1};
    std::vector<std::byte> pool_bytes;
    std::vector<std::uint16_t> scales = std::vector<std::uint16_t>(4, kNoScale);
    std::vector<u32> tables, starts, rows, slots;
    std::vector<float> q, k, v, mixed;

private:
    // Blocks are given out from the last to the first; each lane has tables of its own.
    void make_tables() {
        u32 next = pool.layout().n_blocks;
        const u32 lanes = shape.by_head ? 2 * shape.n_kv_heads : 1;
        for (u32 s = 0; s < n_rows(); ++s) {
            rows.push_back(s);
            slots.push_back(shape.lengths[s] - 1);
            for (u32 lane = 0; lane < lanes; ++lane) {
                starts.push_back(static_cast<u32>(tables.size()));
                if (shape.by_head && lane / shape.n_kv_heads != layer.value) continue;
                const u32 blocks = (shape.lengths[s] + shape.block_size - 1) / shape.block_size;
                for (u32 i = 0; i < blocks; ++i) tables.push_back(--next);
            }
        }
    }
    u32 start_of(u32 row, u32 head) const {
        if (!shape.by_head) return starts[row];
        return starts[row * 2 * shape.n_kv_heads + layer.value * shape.n_kv_heads + head];
    }
    std::byte* place(KvSide side, u32 row, u32 head, u32 slot) {
        return const_cast<std::byte*>(std::as_const(*this).stored(side, row, head, slot));
    }
    const std::byte* stored(KvSide side, u32 row, u32 head, u32 slot) const {
        const u32 entry = tables[start_of(row, head) + slot / shape.block_size];
        return pool.vector(layer, side, HeadId(head), BlockId(entry),
                           Slot(slot % shape.block_size));
    }
    void store() {
        const Random random(9, shape.k_dim + 7 * shape.block_size);
        std::uint64_t n = 0;
        const auto some = [&](std::vector<float>& to, std::size_t count, double reach) {
            for (std::size_t i = 0; i < count; ++i)
                to.push_back(static_cast<float>((2 * random.unit(n++) - 1) * reach));
        };
        some(q, std::size_t{n_rows()} * n_heads() * shape.k_dim, 2);
        for (u32 i = 0; i < 4; ++i) scales[i] = 0x2400;  // 2^-6, of ':tensor' codecs
        for (u32 row = 0; row < n_rows(); ++row)
            for (u32 head = 0; head < shape.n_kv_heads; ++head)
                for (u32 slot = 0; slot < shape.lengths[row]; ++slot)
                    for (const KvSide side : {KvSide::K, KvSide::V}) {
                        std::vector<float> values;
                        const u32 dim = side == KvSide::K ? shape.k_dim : shape.v_dim;
                        some(values, dim, slot % 5 == 2 ? 8 : 1);  // not a flat softmax
                        encode_vector(side == KvSide::K ? shape.k : shape.v, values.data(), dim,
                                      place(side, row, head, slot), 0x2400);
                        if (slot + 1 == shape.lengths[row])
                            (side == KvSide::K ? k : v)
                                .insert((side == KvSide::K ? k : v).end(), values.begin(),
                                        values.end());
                    }
        if (!shape.exact) return;
        for (u32 row = 0; row < n_rows(); ++row)  // nobody is to look at these
            for (u32 head = 0; head < shape.n_kv_heads; ++head)
                for (const KvSide side : {KvSide::K, KvSide::V})
                    std::memset(place(side, row, head, slots[row]), 0xFF,
                                pool.layout().vector(side).bytes);
    }

    template <class Real>
    std::vector<Real> seen(KvSide side, u32 row, u32 head, u32 slot) const {
        const u32 dim = side == KvSide::K ? shape.k_dim : shape.v_dim;
        std::vector<float> values(dim);
        if (shape.exact && slot == slots[row]) {
            const float* own = (side == KvSide::K ? k : v).data() +
                               (std::size_t{row} * shape.n_kv_heads + head) * dim;
            values.assign(own, own + dim);
        } else {
            decode_vector(side == KvSide::K ? shape.k : shape.v, stored(side, row, head, slot), dim,
                          values.data(), 0x2400);
        }
        return {values.begin(), values.end()};
    }
    template <class Real>
    std::vector<Real> attend(u32 row, u32 head) const {
        const u32 kv_head = head / shape.group, end = slots[row] + 1;
        const u32 begin = shape.window != 0 && end > shape.window ? end - shape.window : 0;
        std::vector<Real> weights, out(shape.v_dim);
        Real top = -INFINITY, sum = 0;
        for (u32 slot = begin; slot < end; ++slot) {
            const auto key = seen<Real>(KvSide::K, row, kv_head, slot);
            Real score = 0;
            for (u32 c = 0; c < shape.k_dim; ++c)
                score +=
                    static_cast<Real>(q[(std::size_t{row} * n_heads() + head) * shape.k_dim + c]) *
                    key[c];
            weights.push_back(score / std::sqrt(static_cast<Real>(shape.k_dim)));
            top = std::max(top, weights.back());
        }
        for (Real& w : weights) sum += w = std::exp(w - top);
        for (u32 slot = begin; slot < end; ++slot) {
            const auto value = seen<Real>(KvSide::V, row, kv_head, slot);
            for (u32 c = 0; c < shape.v_dim; ++c) out[c] += weights[slot - begin] / sum * value[c];
        }
        return out;
    }
};

}  // namespace kv::test
