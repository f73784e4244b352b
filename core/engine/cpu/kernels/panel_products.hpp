#pragma once
// The product of a matrix with many rows of activations. Both are transposed first, so that a
// vector holds one column of several rows of weights and every sum grows in a lane of its own:
// nothing has to be shuffled afterwards, and both are read from one end to the other. Products are
// still added in the order that kernels.hpp promises. For that the columns lie in leaves: those
// that one lane would add follow each other, and the leaves in the order in which a tree adds the
// lanes. S: vector.hpp.

#include <new>

#include "core/engine/cpu/kernels/products.hpp"

namespace kv::cpu {
namespace {

template <class S>
struct Leaves {
    static constexpr std::size_t kN = S::kWidth;
    static constexpr std::size_t kApart = 16;  // floats between two: a power of two would fill few
                                               // places of the cache
    static constexpr std::size_t size(std::size_t steps, std::size_t width) {
        return steps * width + kApart;
    }
    static constexpr std::size_t of_lane(std::size_t lane) {
        std::size_t leaf = 0;
        while (S::kTree[leaf] != lane) ++leaf;
        return leaf;
    }
};

// Column after column of kWidth rows goes to out[0], out[1], ... of its leaf and step. load(i,
// step) answers the numbers of row i in one step of columns.
template <class S, class Load>
inline __attribute__((always_inline)) void transpose_step(std::size_t step, std::size_t steps,
                                                          std::size_t width, float* out,
                                                          const Load& load) {
    typename S::V v[S::kWidth];
    unrolled<S::kWidth>([&](auto i) { v[i] = load(i); });
    S::transpose(v);
    unrolled<S::kWidth>([&](auto lane) {
        constexpr std::size_t leaf = Leaves<S>::of_lane(lane);
        S::store(out + leaf * Leaves<S>::size(steps, width) + step * width, v[lane]);
    });
}

// Up to kTransposedRows rows of activations, see CpuKernels; the last one stands for those that are
// not there.
template <class S>
void transpose_rows(const RowsToTranspose& rows, float* out) {
    const std::size_t steps = (rows.columns + S::kWidth - 1) / S::kWidth;
    for (std::size_t first = 0; first < kTransposedRows; first += S::kWidth) {
        const float* at[S::kWidth];
        for (std::size_t i = 0; i < S::kWidth; ++i)
            at[i] = rows.first + (first + i < rows.n ? first + i : rows.n - 1) * rows.stride;
        const auto transpose = [&](std::size_t step, auto... count) {
            transpose_step<S>(step, steps, kTransposedRows, out + first,
                              [&](auto i) { return S::load(at[i] + step * S::kWidth, count...); });
        };
        const std::size_t whole = rows.columns / S::kWidth;
        for (std::size_t step = 0; step < whole; ++step) transpose(step);
        if (whole < steps) transpose(whole, rows.columns - whole * S::kWidth);
    }
}

// Adds the columns of one leaf for V vectors of rows and N activations, and then the leaves that
// wait for this one. `tree` holds the sums of 1, 2, 4, ... leaves, like the digits of a number that
// counts them; behind the last leaf its highest place holds the sum of all.
template <class S, class P, std::size_t V, std::size_t N>
__attribute__((noinline)) void add_leaf(std::size_t leaf, const float* w, const float* x,
                                        std::size_t steps, typename S::V (*tree)[V * N]) {
    typename S::V sum[V * N];
    unrolled<V * N>([&](auto i) { sum[i] = S::zero(); });
    for (std::size_t s = 0; s < steps; ++s, w += V * S::kWidth, x += kTransposedRows) {
        typename S::V weights[V];
        unrolled<V>([&](auto v) { weights[v] = in_register(S::load(w + v * S::kWidth)); });
        unrolled<N>([&](auto n) {
            const auto value = in_register(S::set1(x[n]));
            unrolled<V>(
                [&](auto v) { sum[n * V + v] = P::add_lanes(sum[n * V + v], weights[v], value); });
        });
    }
    std::size_t level = 0;
    for (; leaf >> level & 1; ++level)
        unrolled<V * N>([&](auto i) { sum[i] = S::add(tree[level][i], sum[i]); });
    unrolled<V * N>([&](auto i) { tree[level][i] = sum[i]; });
}

template <class S, class P>
class Panels {
public:
    explicit Panels(const Product& p)
        : p_(p),
          weights_(static_cast<const typename P::Weight*>(p.weights)),
          steps_((p.columns + P::kStep - 1) / P::kStep),
          room_(static_cast<float*>(
              ::operator new[](kW* Leaves<S>::size(steps_, S::kPanelVectors* kW) * sizeof(float),
                               std::align_val_t{64}))) {}
    ~Panels() { ::operator delete[](room_, std::align_val_t{64}); }
    Panels(const Panels&) = delete;
    Panels& operator=(const Panels&) = delete;

    // Takes as many rows of weights at a time as there are registers for, then what is left over.
    void run() {
        constexpr std::size_t kMost = S::kPanelVectors;
        std::size_t r = 0;
        for (; r + kMost * kW <= p_.rows; r += kMost * kW) panel<kMost>(r);
        if constexpr (kMost > 2)
            for (; r + 2 * kW <= p_.rows; r += 2 * kW) panel<2>(r);
        for (; r < p_.rows; r += kW) panel<1>(r);
    }

private:
    static constexpr std::size_t kW = S::kWidth, kX = S::kPanelX, kTiles = kTransposedRows / kX;
    static_assert(kTransposedRows % kX == 0 && kTransposedRows % kW == 0);
    static constexpr std::size_t kLine = 64;  // bytes

    template <std::size_t V>
    void panel(std::size_t r) {
        for (std::size_t v = 0; v < V; ++v) transpose_weights(r + v * kW, V * kW, room_ + v * kW);
        const std::size_t w_leaf = Leaves<S>::size(steps_, V * kW),
                          x_leaf = Leaves<S>::size(steps_, kTransposedRows);
        Ahead ahead = behind(r + V * kW);
        typename S::V trees[kTiles][S::kTreeDepth + 1][V * kX];
        for (std::size_t i = 0; i < p_.n; i += kTransposedRows) {
            const float* x = static_cast<const float*>(p_.x) + i / kTransposedRows * p_.x_stride;
            for (std::size_t leaf = 0; leaf < kW; ++leaf) {
                for (std::size_t k = 0; k < ahead.lines; ++k, ahead.next += kLine)
                    __builtin_prefetch(ahead.next, 0, 2);
                for (std::size_t t = 0; t < kTiles && i + t * kX < p_.n; ++t)
                    add_leaf<S, P, V, kX>(leaf, room_ + leaf * w_leaf, x + leaf * x_leaf + t * kX,
                                          steps_, trees[t]);
            }
            for (std::size_t k = 0; k < kTransposedRows && i + k < p_.n; ++k)
                store<V>(trees[k / kX][S::kTreeDepth] + k % kX * V, i + k, r);
        }
    }

    // Rows that there are not are the last one again.
    void transpose_weights(std::size_t r, std::size_t width, float* out) const {
        const typename P::Weight* at[kW];
        for (std::size_t i = 0; i < kW; ++i)
            at[i] = weights_ + (r + i < p_.rows ? r + i : p_.rows - 1) * p_.columns;
        const auto transpose = [&](std::size_t step, auto... count) {
            transpose_step<S>(step, steps_, width, out,
                              [&](auto i) { return P::lanes(at[i] + step * P::kStep, count...); });
        };
        const std::size_t whole = p_.columns / P::kStep;
        for (std::size_t step = 0; step < whole; ++step) transpose(step);
        if (whole < steps_) transpose(whole, p_.columns - whole * P::kStep);
    }

    // Memory is asked for the next panel's weights while this one's are multiplied, some lines with
    // every leaf. What lies behind the matrix is asked for as well, which is no read.
    struct Ahead {
        const char* next;
        std::size_t lines;
    };
    Ahead behind(std::size_t r) const {
        const std::size_t left = r < p_.rows ? p_.rows - r : 0, most = S::kPanelVectors * kW,
                          rows = left < most ? left : most,
                          leaves = (p_.n + kTransposedRows - 1) / kTransposedRows * kW;
        const std::size_t lines = rows * p_.columns * sizeof(typename P::Weight) / kLine;
        return {reinterpret_cast<const char*>(weights_ + r * p_.columns),
                (lines + leaves - 1) / leaves};
    }

    template <std::size_t V>
    void store(const typename S::V* sums, std::size_t i, std::size_t r) const {
        float* y = p_.y + i * p_.y_stride + r;
        for (std::size_t v = 0; v < V; ++v, y += kW, r += kW)
            if (r + kW <= p_.rows)
                S::store(y, sums[v]);
            else
                S::store(y, sums[v], p_.rows - r);
    }

    const Product& p_;
    const typename P::Weight* weights_;
    std::size_t steps_;  // of columns
    float* room_;        // the weights of a panel, transposed
};

template <class S, class P>
void multiply(const Product& p) {
    if (p.n <= kFew) return multiply_few<S, P>(p);
    Panels<S, P>(p).run();
}

}  // namespace
}  // namespace kv::cpu
