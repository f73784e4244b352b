#pragma once
// Products of activations with weight matrices, cut into runs of output rows that threads take. One
// region may hold several matrices that read the same activations.

#include <initializer_list>
#include <vector>

#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/cpu_kernels.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/model/weights.hpp"

namespace kv::cpu {

// The rows that a product reads: as they are, and as the path packs them for bf16 weights.
struct Activations {
    AlignedRows<float> values;          // (n, columns)
    AlignedRows<std::uint16_t> packed;  // the same numbers, see Packed
    std::size_t rows = 0, columns = 0;

    void resize(std::size_t n, std::size_t width);
    void pack(const CpuKernels& kernels, std::size_t row);  // after the row's values are there
};

struct Projection {
    const Matrix& w;                 // (rows, columns)
    const std::vector<float>& bias;  // (rows) or empty
    float* y;                        // (n, rows)
    std::size_t y_stride;
};

// Y = X W^T + b for the output rows in `range`.
void project_rows(const CpuKernels& kernels, const Projection& p, const Activations& x,
                  std::size_t n, Range range);

// All of them in one region.
void project(ThreadPool& threads, const CpuKernels& kernels,
             std::initializer_list<Projection> projections, const Activations& x, std::size_t n);

// Output rows are shared out in runs of this many: one pass of the widest kernel.
constexpr std::size_t kRowGrain = 16;

}  // namespace kv::cpu
