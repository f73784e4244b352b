#pragma once
// The arithmetic of the cpu backend as a table of functions, one table for each instruction set. A
// table is made of the same templates over another vector type (kernels_of in row_kernels.hpp), so
// the paths differ in width and rounding only.
//
// Every sum of products is made the same way wherever it stands: lane i of one vector adds the
// products i, i + width, i + 2 width, ... from the first column on, and then the lanes are added as
// a tree. Products with bf16 weights on avx512_bf16 and amx add pairs of columns instead, in the
// order that those files give. So a result does not depend on how many rows or keys were computed
// together with it.
//
// Attention is scores, softmax_step, weigh_values and divide: attention.hpp, one folder up, has
// their formulas together.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/numbers/codec.hpp"
#include "core/engine/reference/softmax_state.hpp"

namespace kv::cpu {

// y[i][r] = weights[r] . x[i]; rows of weights follow each other, rows of x and y have a stride.
struct Product {
    const void* weights;  // (rows, columns), float or bf16
    std::size_t rows, columns;
    const void* x;  // (n, columns): float, or what pack() or transpose_rows() have made of that
    std::size_t n, x_stride;
    float* y;  // (n, rows)
    std::size_t y_stride;
};

// Rows of activations as multiply_bf16 takes them on the paths that round them to bf16, in an order
// that is theirs. There is room for a few more rows and columns than there are.
struct Packed {
    std::uint16_t* codes;  // packed_rows(n) x packed_columns(columns), at a cache line
    std::size_t n, columns;
};
constexpr std::size_t packed_rows(std::size_t n) {
    return (n + 31) / 32 * 32;
}
constexpr std::size_t packed_columns(std::size_t columns) {
    return (columns + 31) / 32 * 32;
}

// Products read this many rows of activations, or fewer, as they are, not transposed.
constexpr std::size_t kFew = 8;

// Rows of activations for transpose_rows(), all of them 32 bits wide: floats, or pairs of packed
// bf16.
struct RowsToTranspose {
    const float* first;
    std::size_t stride, n, columns;
};
constexpr std::size_t kTransposedRows = 16;  // that lie together; floats of so many:
constexpr std::size_t transposed_room(std::size_t columns) {
    return kTransposedRows * (columns + 2 * kTransposedRows);
}

constexpr std::size_t kTileKeys = 32;  // keys that are attended to at a time

// Codes that kernels read as they lie, those up to Int4 in the order of ElementCode. A number that
// has a scale stands for itself times that; sums are made of the codes, and the scale comes last.
constexpr std::size_t kReadCodes = 7;
static_assert(kReadCodes == static_cast<std::size_t>(ElementCode::Int4) + 1,
              "the tables below are indexed by ElementCode up to Int4");
constexpr bool is_read(ElementCode code) {
    return static_cast<std::size_t>(code) < kReadCodes;
}

// A tile: up to kTileKeys keys, or their values, wherever each of them lies.
struct KeyTile {
    const std::byte* row[kTileKeys];
    std::size_t n;
    std::size_t dim;
    std::uint32_t first;  // slot of the first
    ElementCode code;
    bool scaled;  // each number stands for itself times scale[j]
    float scale[kTileKeys];
};

// Some query heads that read the same keys.
struct HeadGroup {
    const float* q;  // (size, dim)
    std::size_t size;
    float scale;  // of the scores: 1 / sqrt(head_dim)
};

// out := out x keep + sum over keys j of weights[j] x value j, for each head.
struct ValueSum {
    const float* weights;  // (heads, kTileKeys)
    const float* keep;     // (heads)
    std::size_t heads;
    const KeyTile& values;
    float* out;  // (heads, dim)
};

struct CpuKernels {
    void (*multiply_f32)(const Product&);
    void (*multiply_bf16)(const Product&);
    // Puts one row among the others; null where multiply_bf16 takes floats.
    void (*pack)(const float* x, const Packed& to, std::size_t row);
    // Puts up to kTransposedRows rows into the order in which products with more than kFew read
    // them; those of pack() only if transposes_packed.
    void (*transpose_rows)(const RowsToTranspose& rows, float* out);
    bool transposes_packed;

    void (*rms_norm)(const float* x, const float* weight, std::size_t n, float eps, float* y);
    // Rotates pairs (i, i + half) by the angles whose cosines and sines are given: (half) each.
    void (*rotate)(float* head, const float* cosine, const float* sine, std::size_t half);
    void (*add)(const float* more, std::size_t n, float* y);
    void (*gate)(const float* gate, std::size_t n, float* up);  // up *= gate / (1 + exp(-gate))

    // Indexed by ElementCode: F32, Bf16, Fp16. Values become the codes of encode_vector.
    void (*encode[3])(const float* values, std::size_t n, std::byte* out);
    // Indexed by ElementCode, all that are read, as every table below is. Codes without their
    // scale.
    void (*decode[kReadCodes])(const std::byte* codes, std::size_t n, float* out);
    // Reads the fp16 scales, which lie `offset` bytes behind the beginnings of the rows.
    void (*read_scales)(std::size_t offset, KeyTile& tile);

    // scores[h * kTileKeys + j] = scale x (q of head h . key j)
    void (*scores[kReadCodes])(const HeadGroup& heads, const KeyTile& keys, float* scores);
    // The same scores of many heads: with the codes of the keys transposed once, (dim, kTileKeys).
    void (*transpose_keys[kReadCodes])(const KeyTile& keys, float* transposed);
    void (*scores_of_transposed)(const HeadGroup& heads, const float* transposed,
                                 const KeyTile& keys, float* scores);
    // A step of the online softmax: m' = max(m, scores), scores := exp(scores - m'),
    // l' = l keep + their sum. Answers keep = exp(m - m'), by which the output so far is
    // multiplied.
    float (*softmax_step)(float* scores, std::size_t n, SoftmaxState& state);
    void (*weigh_values[kReadCodes])(const ValueSum& sum);
    void (*divide)(float by, std::size_t n, float* values);
};

// What the path computes with; null where this build has no code for it.
const CpuKernels* portable_kernels();
const CpuKernels* avx2_kernels();
const CpuKernels* avx512_kernels();
const CpuKernels* avx512_bf16_kernels();
const CpuKernels* amx_kernels();

}  // namespace kv::cpu
