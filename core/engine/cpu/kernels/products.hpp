#pragma once
// The sums of products, written once over a vector type S (vector.hpp) and a way P of multiplying:
// rows of weights with rows of activations, and keys with queries.

#include <algorithm>
#include <cstddef>

#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/kernels/vector.hpp"

namespace kv::cpu {
namespace {

// How one step of a sum goes: weights of any storage times float activations.
template <class S, class W>
struct Widened {
    using Weight = W;
    using X = float;
    static constexpr std::size_t kStep = S::kWidth;
    using V = typename S::V;
    static V weight(const W* p) { return S::load(p); }
    static V weight(const W* p, std::size_t n) { return S::load(p, n); }
    static V x(const float* p) { return S::load(p); }
    static V x(const float* p, std::size_t n) { return S::load(p, n); }
    static V add_product(V sum, V w, V x) { return S::fma(w, x, sum); }
    // The same for panel_products.hpp, which transposes weights as vectors of 32-bit lanes first: a
    // lane holds a float here, and a pair of bf16 in avx512_bf16.cpp.
    static V lanes(const W* p) { return S::load(p); }
    static V lanes(const W* p, std::size_t n) { return S::load(p, n); }
    static V add_lanes(V sum, V w, V x) { return S::fma(w, x, sum); }
};

// The lanes of w[r] . x[i] in sums[i * R + r]. Meanwhile memory is asked for the rows that come
// next, unless x is one row: a processor then finds the rows that stream by itself.
template <class S, class P, std::size_t R, std::size_t N>
inline __attribute__((always_inline)) void accumulate(const typename P::Weight* const* w,
                                                      const typename P::Weight* const* next,
                                                      const typename P::X* const* x,
                                                      std::size_t columns, typename S::V* sums) {
    constexpr std::size_t kLine = 64;  // bytes
    typename S::V sum[R * N];
    unrolled<R * N>([&](auto i) { sum[i] = S::zero(); });
    const auto step = [&](std::size_t c, auto... count) __attribute__((always_inline)) {
        decltype(P::x(x[0])) xs[N];
        unrolled<N>([&](auto i) { xs[i] = in_register(P::x(x[i] + c, count...)); });
        unrolled<R>([&](auto r) {
            const auto weight = in_register(P::weight(column(w[r], c), count...));
            unrolled<N>(
                [&](auto i) { sum[i * R + r] = P::add_product(sum[i * R + r], weight, xs[i]); });
        });
    };
    std::size_t c = 0;
    for (; c + P::kStep <= columns; c += P::kStep) {
        if (N > 1 && bytes_of(w[0], c) % kLine == 0)
            unrolled<R>([&](auto r) { __builtin_prefetch(column(next[r], c), 0, 2); });
        step(c);
    }
    if (c < columns) step(c, columns - c);
    unrolled<R * N>([&](auto i) { sums[i] = sum[i]; });
}

// Rows of weights and activations by pointer, since rows can be keys, which lie in blocks: in
// scores() the keys are the weights `w` and the queries the activations `x`. w[rows] to w[known -
// 1] are the rows that will be read next: memory is asked for them, and nothing is computed of
// them; scores() knows none.
template <class P>
struct Operands {
    const typename P::Weight* const* w;
    std::size_t rows, known;
    const typename P::X* const* x;
    std::size_t n, columns;  // rows of activations; numbers of a row on either side
};

// As many pointers as there are registers for; behind the last row its pointer stands again.
template <class T, std::size_t N>
struct Padded {
    const T* at[N];
    Padded(const T* const* from, std::size_t first, std::size_t end) {
        for (std::size_t i = 0; i < N; ++i) at[i] = from[first + i < end ? first + i : end - 1];
    }
};

// Rows of weights that are multiplied with n rows of activations at once: there is a register for
// each sum and each of the n, and one for the weights. With 16 registers and n 5 that is 2 rows,
// 10 + 5 + 1; with n 6 it would be 1, and each load of activations would serve a single sum. So 5,
// kMostX there, is the most with which 2 rows fit. With 32 registers and n 8 it is 2 rows as well.
template <class S>
constexpr std::size_t rows_in_registers(std::size_t n) {
    std::size_t rows = S::kWidth;
    while (rows > 1 && rows * n + n + 1 > S::kRegisters) rows /= 2;
    return rows;
}

// One row of activations against all rows of weights: the weights stream by once.
template <class S, class P>
void vector_product(const Operands<P>& a, std::size_t i, float* y) {
    constexpr std::size_t kR = S::kWidth < 8 ? S::kWidth : 8;  // rows that are read at once
    for (std::size_t r = 0; r < a.rows; r += S::kWidth) {
        const Padded<typename P::Weight, S::kWidth> w(a.w, r, a.rows);
        typename S::V sum[S::kWidth];
        unrolled<S::kWidth / kR>([&](auto part) {
            accumulate<S, P, kR, 1>(w.at + part * kR, nullptr, a.x + i, a.columns, sum + part * kR);
        });
        if (r + S::kWidth <= a.rows)
            S::store(y + r, S::sums(sum));
        else
            S::store(y + r, S::sums(sum), a.rows - r);
    }
}

// N rows of activations against all rows of weights, as many of these at a time as there are
// registers for: what is loaded, and widened, serves N sums.
template <class S, class P, std::size_t N>
void rows_product(const Operands<P>& a, std::size_t i, float* y, std::size_t y_stride) {
    constexpr std::size_t kR = rows_in_registers<S>(N);
    for (std::size_t r = 0; r < a.rows; r += S::kWidth) {
        const std::size_t after = r + S::kWidth < a.known ? r + S::kWidth : r;
        const Padded<typename P::Weight, S::kWidth> w(a.w, r, a.rows), next(a.w, after, a.known);
        const std::size_t rows = a.rows - r < S::kWidth ? a.rows - r : S::kWidth;
        typename S::V sums[N][S::kWidth];
        if (rows < S::kWidth)
            for (auto& of_one : sums) std::fill_n(of_one, S::kWidth, S::zero());
        for (std::size_t part = 0; part < rows; part += kR) {
            typename S::V sum[kR * N];
            accumulate<S, P, kR, N>(w.at + part, next.at + part, a.x + i, a.columns, sum);
            unrolled<kR * N>([&](auto s) { sums[s / kR][part + s % kR] = sum[s]; });
        }
        for (std::size_t t = 0; t < N; ++t) {
            float* out = y + (i + t) * y_stride + r;
            if (rows == S::kWidth)
                S::store(out, S::sums(sums[t]));
            else
                S::store(out, S::sums(sums[t]), rows);
        }
    }
}

// The rows of activations in parts as equal as can be, of at most kMostX rows: 7 rows are 4 and 3
// where kMostX is 5. How many there are is known when this runs, rows_product() wants it when it is
// compiled: so there is one for each of 2 to kMostX, and the one that fits is called.
template <class S, class P>
void product(const Operands<P>& a, float* y, std::size_t y_stride) {
    std::size_t parts = (a.n + S::kMostX - 1) / S::kMostX;
    for (std::size_t i = 0; parts > 0; --parts) {
        const std::size_t n = (a.n - i + parts - 1) / parts;
        if (n == 1) vector_product<S, P>(a, i, y + i * y_stride);
        unrolled<S::kMostX - 1>([&](auto behind_2) {
            constexpr std::size_t kN = 2 + behind_2;
            if (n == kN) rows_product<S, P, kN>(a, i, y, y_stride);
        });
        i += n;
    }
}

// The rows of a matrix in the order in which they are taken: one of each eighth, the next of each,
// and so on. A processor fetches long runs ahead, several at a time; rows next to each other would
// be many short ones, and memory would give half of what it can.
struct RowOrder {
    static constexpr std::size_t kRuns = 8;
    std::size_t run;  // rows of each; what is left over comes last
    std::size_t operator[](std::size_t i) const {
        return i < kRuns * run ? i % kRuns * run + i / kRuns : i;
    }
};

// A few rows of activations against all rows of weights, which stream by once.
template <class S, class P>
void multiply_few(const Product& p) {
    constexpr std::size_t kPanel = 64;
    const auto* weights = static_cast<const typename P::Weight*>(p.weights);
    const auto* x = static_cast<const typename P::X*>(p.x);
    const RowOrder order{p.rows / RowOrder::kRuns};
    const typename P::X* xs[kFew];
    for (std::size_t i = 0; i < p.n; ++i) xs[i] = x + i * p.x_stride;
    for (std::size_t r = 0; r < p.rows; r += kPanel) {
        const std::size_t rows = p.rows - r < kPanel ? p.rows - r : kPanel;
        const std::size_t known = p.rows - r < kPanel + S::kWidth ? p.rows - r : kPanel + S::kWidth;
        const typename P::Weight* ws[kPanel + S::kWidth];
        for (std::size_t s = 0; s < known; ++s) ws[s] = weights + order[r + s] * p.columns;
        float out[kFew * kPanel];
        product<S, P>(
            {.w = ws, .rows = rows, .known = known, .x = xs, .n = p.n, .columns = p.columns}, out,
            kPanel);
        for (std::size_t i = 0; i < p.n; ++i)
            for (std::size_t s = 0; s < rows; ++s)
                p.y[i * p.y_stride + order[r + s]] = out[i * kPanel + s];
    }
}

}  // namespace
}  // namespace kv::cpu
