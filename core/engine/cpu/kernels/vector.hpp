#pragma once
// What all kernels are written in: a vector type S, the codes that it loads, loops over vectors.
// Only the files of the paths include this and the headers of templates beside it, each with
// compiler options of its own; all lies in an unnamed namespace, so every function made from these
// templates belongs to one of those files alone, and the linker cannot put code for a newer
// processor in the place of another's. For the same reason nothing here calls an inline function
// of another header.
//
// S has
//   V, kWidth            a vector of so many float lanes
//   zero, set1           all lanes 0, or one number
//   load, store          load of float and of each code, store of float, Bf16 and Fp16; the same
//                        with a count for the first lanes only (others are 0)
//   add, mul, div, fma   fma(a, b, c) = a b + c
//   max, min             answer the second operand when either is NaN
//   first_of(v, other, n) the first n lanes of `v`, the others of `other`
//   exponent(v)          2 to the power of n, of v = n + kRoundsToWhole
//   kRoundsToWhole       so large that the floats beside it are integers: n then stands in the
//                        lowest bits of n + kRoundsToWhole
//   total, largest       of the lanes
//   sums(v)              the total of each of kWidth vectors, by a balanced tree of additions
//   kTree, kTreeDepth    the order of lanes in that tree, and how high it is
//   transpose(v)         transposes a square of kWidth vectors
// and says how work is cut to its kRegisters:
//   kMostX                        rows of activations that a product of few takes at once, at most
//                                 (rows_in_registers() in products.hpp has the numbers)
//   kPanelVectors x kPanelX       vectors of sums in a product of many
//   kSumHeads x kSumColumns       of a sum of values
//   kTransposedQueries            of two vectors of scores each

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kv::cpu {
namespace {

struct Bf16 {
    std::uint16_t code;
};
struct Fp16 {
    std::uint16_t code;
};
struct Fp8E4m3 {
    std::uint8_t code;
};
struct Fp8E5m2 {
    std::uint8_t code;
};
struct Int8 {
    std::int8_t code;
};
struct Int4 {  // two of them, the first in the low half
    std::uint8_t codes;
};

// The address of column c of a row; c is even where two columns share a byte.
template <class T>
inline __attribute__((always_inline)) const T* column(const T* row, std::size_t c) {
    return row + c;
}
inline __attribute__((always_inline)) const Int4* column(const Int4* row, std::size_t c) {
    return row + c / 2;
}
// Bytes of n of them.
template <class T>
constexpr std::size_t bytes_of(const T*, std::size_t n) {
    return n * sizeof(T);
}
constexpr std::size_t bytes_of(const Int4*, std::size_t n) {
    return (n + 1) / 2;
}

// f(0), f(1), ... with indices that the compiler knows, so that arrays of vectors become registers.
template <class F, std::size_t... I>
inline __attribute__((always_inline)) void unrolled(F f, std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
}
template <std::size_t N, class F>
inline __attribute__((always_inline)) void unrolled(F f) {
    unrolled(f, std::make_index_sequence<N>{});
}

// One load for all uses; g++ would put it into each of the instructions that use it, and there are
// more of those in a cycle than loads.
template <class V>
inline __attribute__((always_inline)) V in_register(V v) {
#if defined(__x86_64__)
    asm("" : "+v"(v));
#endif
    return v;
}

// Runs f(first column, count...) over n columns; the last, shorter step gets a count.
template <class S, class F>
inline __attribute__((always_inline)) void for_each_vector(std::size_t n, F f) {
    std::size_t c = 0;
    for (; c + S::kWidth <= n; c += S::kWidth) f(c);
    if (c < n) f(c, n - c);
}

// Element (i, j) becomes (j, i), by way of memory.
template <class S>
void transpose_in_memory(typename S::V* v) {
    float rows[S::kWidth][S::kWidth], columns[S::kWidth][S::kWidth];
    for (std::size_t i = 0; i < S::kWidth; ++i) S::store(rows[i], v[i]);
    for (std::size_t i = 0; i < S::kWidth; ++i)
        for (std::size_t j = 0; j < S::kWidth; ++j) columns[i][j] = rows[j][i];
    for (std::size_t i = 0; i < S::kWidth; ++i) v[i] = S::load(columns[i]);
}

}  // namespace
}  // namespace kv::cpu
