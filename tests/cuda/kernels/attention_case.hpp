#pragma once
// A pool of random coded vectors behind tables that are no identity, queries that look at it, and
// what attention over it should give: in float64, and in float as a plain loop has it.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/random.hpp"
#include "core/cache/kv_pool.hpp"
#include "cuda/grid/view.hpp"
#include "tests/cuda/kernels/plain_attention.hpp"

namespace kv::test {

using gpu::u32;

struct CaseShape {
    u32 n_kv_heads = 2, group = 4, k_dim = 16, v_dim = 16, block_size = 16;
    Codec k = Codec::F32, v = Codec::F32;
    KvOrder order = KvOrder::TokenMajor;
    std::vector<u32> lengths{33, 1, 64};  // of each sequence, its new tokens included
    std::vector<u32> new_tokens;          // of each sequence; empty: one
    std::vector<u32> block_order;  // in which they are given out; empty: from the last to the first
    bool sharing = false;  // blocks that are full before all new tokens are those of the first
    u32 window = 0;
    bool exact = false;    // the new tokens are looked at before they are coded
    bool by_head = false;  // each KV head has a table of its own
};

class AttentionCase {
public:
    explicit AttentionCase(const CaseShape& s) : shape(s), pool(layout_of(s), s.k, s.v) {
        make_rows();
        make_tables();
        store();
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
                vector_of(s.k, s.k_dim, Side::K),
                vector_of(s.v, s.v_dim, Side::V)};
    }
    u32 n_heads() const { return shape.n_kv_heads * shape.group; }
    u32 n_sequences() const { return static_cast<u32>(shape.lengths.size()); }
    u32 n_rows() const { return static_cast<u32>(slots.size()); }
    u32 n_new(u32 sequence) const {
        return shape.new_tokens.empty() ? 1 : shape.new_tokens[sequence];
    }
    u32 n_lanes() const { return shape.by_head ? 2 * shape.n_kv_heads : 1; }
    std::size_t n_output() const { return std::size_t{n_rows()} * n_heads() * shape.v_dim; }

    // What attention of a row's head gives, by a plain loop in Real.
    template <class Real>
    std::vector<Real> attend(u32 row, u32 head) const {
        return plain_attention(query_of<Real>(row, head), all_seen<Real>(Side::K, row, head),
                               all_seen<Real>(Side::V, row, head));
    }
    // The largest distance of `output` from the truth, and that of a plain loop in float.
    struct Errors {
        double ours = 0, naive = 0;
    };
    Errors errors(const std::vector<float>& output) const {
        Errors e;
        for (u32 row = 0; row < n_rows(); ++row)
            for (u32 head = 0; head < n_heads(); ++head) {
                const auto truth = attend<double>(row, head);
                const auto naive = attend<float>(row, head);
                for (u32 c = 0; c < shape.v_dim; ++c) {
                    const double ours =
                        output[(std::size_t{row} * n_heads() + head) * shape.v_dim + c];
                    if (!(std::abs(ours - truth[c]) <= e.ours)) e.ours = std::abs(ours - truth[c]);
                    e.naive = std::max(e.naive, std::abs(double{naive[c]} - truth[c]));
                }
            }
        return e;
    }

    double allowed(u32 row, u32 head) const {
        return attention_rounding(query_of<double>(row, head), all_seen<double>(Side::K, row, head),
                                  all_seen<double>(Side::V, row, head));
    }
    // What is true of all outputs, for several kernels that are held against it.
    struct Truth {
        std::vector<double> values;   // (rows, heads, v_dim)
        std::vector<double> allowed;  // (rows, heads)
    };
    Truth truth() const {
        Truth t;
        for (u32 row = 0; row < n_rows(); ++row)
            for (u32 head = 0; head < n_heads(); ++head) {
                const auto values = attend<double>(row, head);
                t.values.insert(t.values.end(), values.begin(), values.end());
                t.allowed.push_back(allowed(row, head));
            }
        return t;
    }

    CaseShape shape;
    KvPool pool;
    LayerId layer{1};
    std::vector<std::uint16_t> scales = std::vector<std::uint16_t>(4, 0x2400);  // 2^-6
    std::vector<u32> tables, starts;                   // starts: (sequences, lanes)
    std::vector<u32> sequence_of, slots;               // (rows)
    std::vector<u32> first_row, first_slot, n_of_own;  // (sequences)
    std::vector<float> q, k, v;

    const std::byte* stored(Side side, u32 sequence, u32 head, u32 slot) const {
        const u32 entry = tables[start_of(sequence, head) + slot / shape.block_size];
        return pool.vector(layer, side, HeadId(head), BlockId(entry),
                           Slot(slot % shape.block_size));
    }
    u32 first_seen(u32 row) const {
        const u32 end = slots[row] + 1;
        return shape.window != 0 && end > shape.window ? end - shape.window : 0;
    }

    double query(u32 row, u32 head, u32 c) const {
        return q[(std::size_t{row} * n_heads() + head) * shape.k_dim + c];
    }
    std::vector<float> decoded(Side side, u32 sequence, u32 head, u32 slot) const {
        std::vector<float> values(side == Side::K ? shape.k_dim : shape.v_dim);
        decode_vector(side == Side::K ? shape.k : shape.v, stored(side, sequence, head, slot),
                      static_cast<u32>(values.size()), values.data(), scales[0]);
        return values;
    }

private:
    template <class Real>
    std::vector<Real> query_of(u32 row, u32 head) const {
        const auto first = q.begin() + (std::ptrdiff_t{row} * n_heads() + head) * shape.k_dim;
        return {first, first + shape.k_dim};
    }
    // Of every slot that the query of a row's head sees: (seen, dim).
    template <class Real>
    std::vector<Real> all_seen(Side side, u32 row, u32 head) const {
        std::vector<Real> all;
        for (u32 slot = first_seen(row); slot <= slots[row]; ++slot) {
            const auto one = seen<Real>(side, row, head / shape.group, slot);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
    template <class Real>
    std::vector<Real> seen(Side side, u32 row, u32 head, u32 slot) const {
        const u32 s = sequence_of[row], dim = side == Side::K ? shape.k_dim : shape.v_dim;
        if (!shape.exact || slot < first_slot[s]) {
            const auto values = decoded(side, s, head, slot);
            return {values.begin(), values.end()};
        }
        const float* own = (side == Side::K ? k : v).data() +
                           own_at(side, first_row[s] + slot - first_slot[s], head);
        return {own, own + dim};
    }
    void make_rows() {
        for (u32 s = 0; s < n_sequences(); ++s) {
            first_row.push_back(n_rows());
            first_slot.push_back(shape.lengths[s] - n_new(s));
            n_of_own.push_back(n_new(s));
            for (u32 i = 0; i < n_new(s); ++i) {
                sequence_of.push_back(s);
                slots.push_back(first_slot[s] + i);
            }
        }
    }
    u32 in_common() const {
        const u32 first = *std::min_element(first_slot.begin(), first_slot.end());
        return shape.sharing ? first / shape.block_size : 0;
    }
    // Each lane has tables of its own.
    void make_tables() {
        u32 given = 0;
        const u32 n = pool.layout().n_blocks;
        const auto next = [&] {
            ++given;
            return shape.block_order.empty() ? n - given : shape.block_order[given - 1];
        };
        for (u32 s = 0; s < n_sequences(); ++s)
            for (u32 lane = 0; lane < n_lanes(); ++lane) {
                starts.push_back(static_cast<u32>(tables.size()));
                if (shape.by_head && lane / shape.n_kv_heads != layer.value) continue;
                const u32 blocks = (shape.lengths[s] + shape.block_size - 1) / shape.block_size;
                for (u32 i = 0; i < blocks; ++i)
                    tables.push_back(s > 0 && i < in_common() ? tables[starts[lane] + i] : next());
            }
    }
    u32 start_of(u32 sequence, u32 head) const {
        if (!shape.by_head) return starts[sequence];
        return starts[sequence * n_lanes() + layer.value * shape.n_kv_heads + head];
    }
    std::byte* place(Side side, u32 sequence, u32 head, u32 slot) {
        return const_cast<std::byte*>(std::as_const(*this).stored(side, sequence, head, slot));
    }
    std::size_t own_at(Side side, u32 row, u32 head) const {
        return (std::size_t{row} * shape.n_kv_heads + head) *
               (side == Side::K ? shape.k_dim : shape.v_dim);
    }
    void store() {
        const Random random(9, shape.k_dim + 7 * shape.block_size);
        std::uint64_t n = 0;
        const auto some = [&](std::size_t count, double reach) {
            std::vector<float> values(count);
            for (float& x : values) x = static_cast<float>((2 * random.unit(n++) - 1) * reach);
            return values;
        };
        q = some(std::size_t{n_rows()} * n_heads() * shape.k_dim, 2);
        k.resize(own_at(Side::K, n_rows(), 0));
        v.resize(own_at(Side::V, n_rows(), 0));
        for (u32 s = 0; s < n_sequences(); ++s)
            for (u32 head = 0; head < shape.n_kv_heads; ++head)
                for (u32 slot = 0; slot < shape.lengths[s]; ++slot)
                    for (const Side side : {Side::K, Side::V}) {
                        const u32 dim = side == Side::K ? shape.k_dim : shape.v_dim;
                        const auto values = some(dim, slot % 5 == 2 ? 8 : 1);  // no flat softmax
                        encode_vector(side == Side::K ? shape.k : shape.v, values.data(), dim,
                                      place(side, s, head, slot), scales[0]);
                        if (slot < first_slot[s]) continue;
                        std::copy(values.begin(), values.end(),
                                  (side == Side::K ? k : v).data() +
                                      own_at(side, first_row[s] + slot - first_slot[s], head));
                        if (shape.exact)  // nobody is to look there
                            std::memset(place(side, s, head, slot), 0xFF,
                                        pool.layout().vector(side).bytes);
                    }
    }
};

}  // namespace kv::test
