#include "core/engine/cpu/projection.hpp"

#include <algorithm>

namespace kv::cpu {

void Activations::resize(std::size_t n, std::size_t width) {
    columns = width;
    values.resize(n, width);
    packed.resize(packed_rows(n), packed_columns(width));
    rows = n;
}

void Activations::pack(const CpuKernels& kernels, std::size_t row) {
    if (kernels.pack != nullptr) kernels.pack(values[row], {packed[0], rows, columns}, row);
}

void project_rows(const CpuKernels& kernels, const Projection& p, const Activations& x,
                  std::size_t n, Range range) {
    if (range.begin >= range.end) return;
    Product product{.weights = nullptr,
                    .rows = range.end - range.begin,
                    .columns = p.w.columns(),
                    .x = x.values[0],
                    .n = n,
                    .x_stride = x.values.stride(),
                    .y = p.y + range.begin,
                    .y_stride = p.y_stride};
    const std::size_t first = range.begin * product.columns;
    if (p.w.storage() == WeightStorage::F32) {
        product.weights = p.w.f32() + first;
        kernels.multiply_f32(product);
    } else {
        product.weights = p.w.bf16() + first;
        if (kernels.pack != nullptr) {
            product.x = x.packed[0];
            product.x_stride = x.packed.stride();
        }
        kernels.multiply_bf16(product);
    }
    if (p.bias.empty()) return;
    for (std::size_t i = 0; i < n; ++i)
        kernels.add(p.bias.data() + range.begin, product.rows, product.y + i * p.y_stride);
}

void project(ThreadPool& threads, const CpuKernels& kernels,
             std::initializer_list<Projection> projections, const Activations& x, std::size_t n) {
    std::size_t rows = 0;
    for (const Projection& p : projections) rows += p.w.rows();
    threads.run([&](std::size_t part) {
        const Range share = share_of(rows, kRowGrain, part, threads.size());
        std::size_t first = 0;  // of the matrix, among the rows of all
        for (const Projection& p : projections) {
            const std::size_t begin = std::max(share.begin, first),
                              end = std::min<std::size_t>(share.end, first + p.w.rows());
            if (begin < end) project_rows(kernels, p, x, n, {begin - first, end - first});
            first += p.w.rows();
        }
    });
}

}  // namespace kv::cpu
