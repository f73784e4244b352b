#pragma once
// What every rung of the products computes: y = x W^T + b for up to three matrices that share their
// input, so that queries, keys and values are one launch. Gate and up are the third kind of end:
// y = silu(gate) x up, both products in the same threads.

#include <cmath>

#include "cuda/kernels/matmul/weights.hpp"

namespace kv::gpu {

struct ProductPart {
    WeightView w;            // (outputs, columns)
    View<const float> bias;  // (outputs), or none
    View<float> y;           // (n_rows, outputs)
};

enum class ProductEnd : std::uint8_t {
    Store,
    Add,   // y += : the residual stream
    Gated  // parts[0] is the gate, parts[1] what goes through it; into parts[0].y
};

struct Product {
    static constexpr u32 kMostParts = 3;
    ProductPart parts[kMostParts];
    u32 n_parts = 1, n_rows = 0;
    ProductEnd end = ProductEnd::Store;
    View<const float> x;  // (n_rows, columns)

    KV_HD u32 columns() const { return parts[0].w.columns; }
    // Outputs of a row that have sums of their own.
    KV_HD u32 outputs() const {
        if (end == ProductEnd::Gated) return parts[0].w.rows;
        u32 sum = 0;
        for (u32 i = 0; i < n_parts; ++i) sum += parts[i].w.rows;
        return sum;
    }
    // Which matrix and which of its rows makes that output.
    struct Place {
        u32 part, row;
    };
    KV_HD Place place(u32 output) const {
        u32 part = 0;
        while (part + 1 < n_parts && output >= parts[part].w.rows) output -= parts[part++].w.rows;
        return {part, output};
    }
    KV_HD void finish(Place at, u32 row, float sum, float gated_sum) const {
        const ProductPart& part = parts[at.part];
        if (!part.bias.empty()) sum += part.bias[at.row];
        float& y = part.y[u64{row} * part.w.rows + at.row];
        if (end == ProductEnd::Gated) {
            if (!parts[1].bias.empty()) gated_sum += parts[1].bias[at.row];
            sum = sum / (1 + std::exp(-sum)) * gated_sum;
        }
        y = end == ProductEnd::Add ? y + sum : sum;
    }

    u64 flops() const {
        u64 sum = 0;
        for (u32 i = 0; i < n_parts; ++i) sum += 2 * u64{parts[i].w.rows} * columns() * n_rows;
        return sum;
    }
    // Every weight once, every input and output once.
    u64 bytes() const {
        u64 sum = u64{n_rows} * columns() * sizeof(float);
        for (u32 i = 0; i < n_parts; ++i)
            sum += parts[i].w.rows * (parts[i].w.row_bytes() + u64{n_rows} * sizeof(float));
        return sum;
    }
};

}  // namespace kv::gpu
