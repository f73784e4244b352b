#pragma once
// Products of activations with weight matrices, cut into runs of output rows that threads take. One
// region may hold several matrices that read the same activations.

#include <initializer_list>
#include <vector>

#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/model/checkpoint/weights.hpp"

namespace kv::cpu {

// The rows that a product reads: as they are, and as the path packs them for bf16 weights.
struct Activations {
    AlignedRows<float> values;          // (n, columns)
    AlignedRows<std::uint16_t> packed;  // the same numbers, see Packed
    std::size_t rows = 0, columns = 0;
    bool packs = true;  // false where no weights are bf16

    void resize(std::size_t n, std::size_t width);
    void pack(const CpuKernels& kernels, std::size_t row);  // after the row's values are there
    // After all rows are there, and before they are given to a product with weights of that
    // storage.
    void transpose(ThreadPool& threads, const CpuKernels& kernels, WeightStorage storage);
    void give(const CpuKernels& kernels, WeightStorage storage, Product& to) const;

private:
    AlignedRows<float> transposed_[2];  // the values, the packed numbers
};

struct Projection {
    const Matrix& w;                 // (rows, columns)
    const std::vector<float>& bias;  // (rows) or empty
    float* y;                        // (n, rows)
    std::size_t y_stride;
};

// Y = X W^T + b, all of them in one region.
void project(ThreadPool& threads, const CpuKernels& kernels,
             std::initializer_list<Projection> projections, Activations& x);

// The same, added to rows of `sums`; y is where the products wait for that.
void project_and_add(ThreadPool& threads, const CpuKernels& kernels, const Projection& p,
                     Activations& x, AlignedRows<float>& sums);

// up := silu(gate) * up, each thread for the same rows of both matrices.
void project_gated(ThreadPool& threads, const CpuKernels& kernels, const Projection& gate,
                   const Projection& up, Activations& x);

// Output rows are shared out in runs of this many: one pass of the widest kernel.
constexpr std::size_t kRowGrain = 16;

}  // namespace kv::cpu
