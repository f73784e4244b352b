#pragma once
// The Walsh-Hadamard transform of a head (QuaRot, arXiv 2404.00456), H = H^T and H H = 1: what one
// channel holds is spread over all of them, so that an outlier of size a leaves a / sqrt(dim)
// everywhere. Queries and keys are both transformed, (Hq).(Hk) = q.k, and so are values before they
// are stored; the attention output is transformed back, which is the same once more. `dim` is a
// power of two.

#include <cmath>
#include <cstddef>

namespace kv {

constexpr bool is_power_of_two(std::size_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

// dim log2(dim) sums in place of a product with the matrix: behind the pass with `half` each run of
// 2 x `half` numbers is transformed by itself, and the scale makes H H = 1.
template <class Real>
void hadamard(Real* head, std::size_t dim) {
    for (std::size_t half = 1; half < dim; half *= 2)
        for (std::size_t first = 0; first < dim; first += 2 * half)
            for (std::size_t i = first; i < first + half; ++i) {
                const Real a = head[i], b = head[i + half];
                head[i] = a + b;
                head[i + half] = a - b;
            }
    const Real scale = Real{1} / std::sqrt(static_cast<Real>(dim));
    for (std::size_t i = 0; i < dim; ++i) head[i] *= scale;
}

// Heads of equal size, side by side.
template <class Real>
void hadamard_heads(Real* heads, std::size_t count, std::size_t dim) {
    for (std::size_t h = 0; h < count; ++h) hadamard(heads + h * dim, dim);
}

}  // namespace kv
