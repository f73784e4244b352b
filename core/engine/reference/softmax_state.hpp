#pragma once
// A softmax over some of the keys, and how two of them become one. A query that has looked at a set
// of keys remembers the largest score, the sum of exp(score - largest), and beside them the output:
// the sum of exp(score - largest) x value, not yet divided. Two disjoint sets merge to the state of
// their union, in any order and grouping up to rounding. The state of no keys has the sum 0, by
// which it is known; what its maximum and output hold does not matter. Host and device share this;
// std::exp is the one function that both have beside memcpy. The step of one state over a tile of
// keys is softmax_step, in core/engine/cpu/kernels/tile_attention.hpp and in
// cuda/kernels/attention/tile.hpp.
// Milakov, Gimelshein: "Online normalizer calculation for softmax", arXiv 1805.02867.

#include <cmath>
#include <cstddef>

#include "core/base/kv_hd.hpp"

namespace kv {

struct SoftmaxState {
    float max = 0, sum = 0;
    KV_HD bool empty() const { return sum == 0; }
};

// What each side's output is multiplied by before they are added.
struct SoftmaxMerge {
    SoftmaxState state;
    float keep_a, keep_b;
};

KV_HD inline SoftmaxMerge merge(SoftmaxState a, SoftmaxState b) {
    if (b.empty()) return {a, 1, 0};
    if (a.empty()) return {b, 0, 1};
    const float max = a.max > b.max ? a.max : b.max;
    const float keep_a = std::exp(a.max - max), keep_b = std::exp(b.max - max);
    return {{max, a.sum * keep_a + b.sum * keep_b}, keep_a, keep_b};
}

// a := a and b, outputs included: (dim) each.
KV_HD inline void merge_into(SoftmaxState& a, float* output_a, SoftmaxState b,
                             const float* output_b, std::size_t dim) {
    const SoftmaxMerge merged = merge(a, b);
    for (std::size_t c = 0; c < dim; ++c) {
        const float from_a = a.empty() ? 0 : output_a[c] * merged.keep_a;
        const float from_b = b.empty() ? 0 : output_b[c] * merged.keep_b;
        output_a[c] = from_a + from_b;
    }
    a = merged.state;
}

}  // namespace kv
