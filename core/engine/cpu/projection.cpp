#include "core/engine/cpu/projection.hpp"

#include <algorithm>

namespace kv::cpu {

void Activations::resize(std::size_t n, std::size_t width) {
    columns = width;
    values.resize(n, width);
    if (packs) packed.resize(packed_rows(n), packed_columns(width));
    rows = n;
}

void Activations::pack(const CpuKernels& kernels, std::size_t row) {
    if (packs && kernels.pack != nullptr)
        kernels.pack(values[row], {packed[0], rows, columns}, row);
}

namespace {

bool reads_codes(const CpuKernels& kernels, WeightStorage storage) {
    return storage == WeightStorage::Bf16 && kernels.pack != nullptr;
}
bool transposes(const CpuKernels& kernels, WeightStorage storage, std::size_t n) {
    return n > kFew && (!reads_codes(kernels, storage) || kernels.transposes_packed);
}

}  // namespace

void Activations::transpose(ThreadPool& threads, const CpuKernels& kernels, WeightStorage storage) {
    if (!transposes(kernels, storage, rows)) return;
    const bool codes = reads_codes(kernels, storage);
    const std::size_t groups = (rows + kTransposedRows - 1) / kTransposedRows;
    RowsToTranspose all{values[0], values.stride(), rows, columns};
    if (codes)
        all = {reinterpret_cast<const float*>(packed[0]), packed.stride() / 2, rows,
               packed_columns(columns) / 2};
    AlignedRows<float>& to = transposed_[codes];
    to.resize(groups, transposed_room(columns));
    threads.run([&](std::size_t part) {
        const Range share = share_of(groups, 1, part, threads.size());
        for (std::size_t group = share.begin; group < share.end; ++group) {
            const std::size_t first = group * kTransposedRows;
            kernels.transpose_rows({all.first + first * all.stride, all.stride,
                                    std::min(kTransposedRows, rows - first), all.columns},
                                   to[group]);
        }
    });
}

void Activations::give(const CpuKernels& kernels, WeightStorage storage, Product& to) const {
    const bool codes = reads_codes(kernels, storage);
    if (transposes(kernels, storage, rows)) {
        to.x = transposed_[codes][0];
        to.x_stride = transposed_[codes].stride();
    } else if (codes) {
        to.x = packed[0];
        to.x_stride = packed.stride();
    } else {
        to.x = values[0];
        to.x_stride = values.stride();
    }
}

namespace {

void transpose(ThreadPool& threads, const CpuKernels& kernels,
               std::initializer_list<Projection> projections, Activations& x) {
    for (const WeightStorage storage : {WeightStorage::F32, WeightStorage::Bf16})
        if (std::any_of(projections.begin(), projections.end(),
                        [&](const Projection& p) { return p.w.storage() == storage; }))
            x.transpose(threads, kernels, storage);
}

// Y = X W^T + b for the output rows in `range`.
void project_rows(const CpuKernels& kernels, const Projection& p, const Activations& x,
                  Range range) {
    if (range.begin >= range.end) return;
    const bool bf16 = p.w.storage() == WeightStorage::Bf16;
    const std::size_t first = range.begin * p.w.columns();
    Product product{.weights = nullptr,
                    .rows = range.end - range.begin,
                    .columns = static_cast<std::size_t>(p.w.columns()),
                    .x = nullptr,
                    .n = x.rows,
                    .x_stride = 0,
                    .y = p.y + range.begin,
                    .y_stride = p.y_stride};
    x.give(kernels, p.w.storage(), product);
    if (bf16) {
        product.weights = p.w.bf16() + first;
        kernels.multiply_bf16(product);
    } else {
        product.weights = p.w.f32() + first;
        kernels.multiply_f32(product);
    }
    if (p.bias.empty()) return;
    for (std::size_t i = 0; i < x.rows; ++i)
        kernels.add(p.bias.data() + range.begin, product.rows, product.y + i * p.y_stride);
}

}  // namespace

void project(ThreadPool& threads, const CpuKernels& kernels,
             std::initializer_list<Projection> projections, Activations& x) {
    transpose(threads, kernels, projections, x);
    std::size_t rows = 0;
    for (const Projection& p : projections) rows += p.w.rows();
    threads.run([&](std::size_t part) {
        const Range share = share_of(rows, kRowGrain, part, threads.size());
        std::size_t first = 0;  // of the matrix, among the rows of all
        for (const Projection& p : projections) {
            const std::size_t begin = std::max(share.begin, first),
                              end = std::min<std::size_t>(share.end, first + p.w.rows());
            if (begin < end) project_rows(kernels, p, x, {begin - first, end - first});
            first += p.w.rows();
        }
    });
}

void project_and_add(ThreadPool& threads, const CpuKernels& kernels, const Projection& p,
                     Activations& x, AlignedRows<float>& sums) {
    transpose(threads, kernels, {p}, x);
    threads.run([&](std::size_t part) {
        const Range range = share_of(p.w.rows(), kRowGrain, part, threads.size());
        project_rows(kernels, p, x, range);
        for (std::size_t i = 0; i < x.rows; ++i)
            kernels.add(p.y + i * p.y_stride + range.begin, range.end - range.begin,
                        sums[i] + range.begin);
    });
}

void project_gated(ThreadPool& threads, const CpuKernels& kernels, const Projection& gate,
                   const Projection& up, Activations& x) {
    transpose(threads, kernels, {gate, up}, x);
    threads.run([&](std::size_t part) {
        const Range range = share_of(gate.w.rows(), kRowGrain, part, threads.size());
        project_rows(kernels, gate, x, range);
        project_rows(kernels, up, x, range);
        for (std::size_t i = 0; i < x.rows; ++i)
            kernels.gate(gate.y + i * gate.y_stride + range.begin, range.end - range.begin,
                         up.y + i * up.y_stride + range.begin);
    });
}

}  // namespace kv::cpu
