#pragma once
// The product of a matrix with many rows of activations, in blocks that stay in the caches: some
// rows of weights, as many columns of them as fill half of the first-level cache, against tile
// after tile of activations. The lanes of every sum wait in memory between two blocks of columns,
// so each is added in the order of columns, as it is for one row of activations alone. See
// simd_kernels.hpp for S and for who may include this.

#include "core/engine/cpu/simd_products.hpp"

namespace kv::cpu {
namespace {

// Adds the products of `columns` columns to the lanes of R x N sums: sum[i * R + r] is w[r] . x[i].
template <class S, class P, std::size_t R, std::size_t N>
inline __attribute__((always_inline)) void add_block(const typename P::Weight* const* w,
                                                     const typename P::X* const* x,
                                                     std::size_t from, std::size_t to,
                                                     typename S::V* sums) {
    typename S::V sum[R * N];
    if (from == 0)
        unrolled<R * N>([&](auto i) { sum[i] = S::zero(); });
    else
        unrolled<R * N>([&](auto i) { sum[i] = sums[i]; });
    add_columns<S, P, R, N>(w, x, from, to, sum);
    unrolled<R * N>([&](auto i) { sums[i] = sum[i]; });
}

template <class S, class P>
struct Blocks {
    static constexpr std::size_t kRows = S::kBlockRows, kX = S::kBlockX;
    static constexpr std::size_t kColumns = 4096 / sizeof(typename P::Weight);
    static constexpr std::size_t kMost = 132;                      // rows of activations at a time
    static constexpr std::size_t kBytes = std::size_t{768} << 10;  // of activations at a time
    static_assert(kMost % kX == 0 && S::kWidth % kRows == 0 && kColumns % P::kStep == 0);

    // As many as the second-level cache holds, in equal shares.
    static std::size_t share(const Product& p) {
        const std::size_t fit = kBytes / (p.x_stride * sizeof(typename P::X));
        const std::size_t most = fit < 4 * kX ? 4 * kX : fit < kMost ? fit : kMost;
        const std::size_t shares = (p.n + most - 1) / most;
        return (p.n + shares - 1) / shares;
    }

    static void multiply(const Product& p) {
        const std::size_t most = share(p);
        for (std::size_t i = 0; i < p.n; i += most)
            multiply_some(p, i, p.n - i < most ? p.n - i : most);
    }

private:
    static void multiply_some(const Product& p, std::size_t first, std::size_t n) {
        const typename P::X* x[kMost];
        for (std::size_t i = 0; i < kMost; ++i)
            x[i] = static_cast<const typename P::X*>(p.x) + (first + (i < n ? i : 0)) * p.x_stride;
        typename S::V sums[kMost * kRows + S::kWidth];  // the last few only fill a vector up
        unrolled<S::kWidth>(
            [&](auto i) { sums[n * kRows / S::kWidth * S::kWidth + i] = S::zero(); });
        for (std::size_t r = 0; r < p.rows; r += kRows) {
            const typename P::Weight* w[kRows];
            for (std::size_t s = 0; s < kRows; ++s) w[s] = row(p, r + s);
            for (std::size_t c = 0; c < p.columns; c += kColumns) {
                const std::size_t end = p.columns - c < kColumns ? p.columns : c + kColumns;
                for (std::size_t i = 0; i < n; i += kX)
                    add_block<S, P, kRows, kX>(w, x + i, c, end, sums + i * kRows);
            }
            store(p, first, n, r, sums);
        }
    }

    static const typename P::Weight* row(const Product& p, std::size_t r) {
        return static_cast<const typename P::Weight*>(p.weights) +
               (r < p.rows ? r : p.rows - 1) * p.columns;
    }

    static void store(const Product& p, std::size_t first, std::size_t n, std::size_t r,
                      const typename S::V* sums) {
        const std::size_t rows = p.rows - r < kRows ? p.rows - r : kRows;
        float* y = p.y + first * p.y_stride + r;
        constexpr std::size_t kTogether = S::kWidth / kRows;  // rows of y
        for (std::size_t i = 0; i < n; i += kTogether) {
            float out[S::kWidth];
            S::store(out, S::sums(sums + i * kRows));
            for (std::size_t k = 0; k < kTogether && i + k < n; ++k, y += p.y_stride)
                if (rows == kRows)
                    __builtin_memcpy(y, out + k * kRows, kRows * sizeof(float));
                else
                    __builtin_memcpy(y, out + k * kRows, rows * sizeof(float));
        }
    }
};

template <class S, class P>
void multiply(const Product& p) {
    if (p.n <= kFew) return multiply_few<S, P>(p);
    Blocks<S, P>::multiply(p);
}

}  // namespace
}  // namespace kv::cpu
