// The newest tokens of sequences, where a codec has a residual: their row sets in the memory of the
// card, and the order in which they wait, attend and are coded.

#include <algorithm>

#include "cuda/backend/gpu_backend.hpp"

namespace kv::gpu {

using A = PlanArray;

void GpuBackend::make_residual_room(const BatchPlan& plan) {
    const u64 set_bytes = bytes_of_row_set(layout_);
    for (const u32 row_set : plan[A::RowSets]) {
        if (row_set >= row_sets_.size()) {
            const u64 n = std::max<u64>(row_set + 1, 2 * row_sets_.size());
            Memory<std::byte> larger(*gpu_, n * set_bytes);
            gpu_->fill(larger.raw(), 0xFF, larger.bytes());
            if (!row_sets_.empty()) gpu_->copy(larger.raw(), residual_.raw(), residual_.bytes());
            residual_ = std::move(larger);
            row_sets_.resize(n);
            recordings_.clear();  // they would go on to use where the sets were
        }
        row_sets_[row_set] = true;
    }
}

void GpuBackend::free_residual(std::uint32_t row_set) {
    if (row_set >= row_sets_.size()) return;
    const u64 set_bytes = bytes_of_row_set(layout_);
    gpu_->fill(residual_.raw() + row_set * set_bytes, 0xFF, set_bytes);
    row_sets_[row_set] = false;
}

std::uint64_t GpuBackend::residual_bytes() const {
    return static_cast<u64>(std::count(row_sets_.begin(), row_sets_.end(), true)) *
           bytes_of_row_set(layout_);
}

Residuals GpuBackend::residuals(LayerId layer) const {
    if (!spec_.has_residual()) return {};
    return Residuals::of(layout_, layer, residual_.view(), plan_memory_.exactly(A::RowSets));
}

KeepResidual GpuBackend::residual_of(const Attended& a, u32 first, u32 n) const {
    return {.cache = a.cache,
            .k = a.k,
            .v = a.v,
            .slots = a.slots,
            .sequence_of = a.sequence_of,
            .due_k = plan_memory_.exactly(A::DueK),
            .due_v = plan_memory_.exactly(A::DueV),
            .n_kv_heads = a.n_kv_heads,
            .first = first,
            .n = n};
}

// Codes all rows that are not in turn, in runs of rows that stand side by side.
void GpuBackend::code_together(const BatchPlan& plan, const Attended& all) {
    u32 first = 0;
    const auto launch_up_to = [&](u32 end) {
        if (first < end) gpu_->launch(residual_of(all, first, end - first));
        first = end + 1;
    };
    for (const u32 row : plan.in_turn) launch_up_to(row);
    launch_up_to(plan.n_rows);
}

// Rows in turn: each token attends to what is stored when it comes, and codes change with each.
void GpuBackend::attend_in_turn(const BatchPlan& plan, const Attended& all) {
    for (const u32 row : plan.in_turn) {
        KeepResidual keep = residual_of(all, row, 1);
        keep.codes_due = false;
        gpu_->launch(keep);
        Attended one = all;
        one.rows = plan_memory_.part(A::AllRows, row, 1);
        attend_decode(plan, one);
        keep.takes_in = false;
        keep.codes_due = true;
        gpu_->launch(keep);
    }
}

}  // namespace kv::gpu
