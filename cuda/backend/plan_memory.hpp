#pragma once
// The arrays of a plan in the memory of a GPU: one copy a pass, and room that grows by doubling, so
// that addresses stay the same from step to step and a recording can be used again.

#include "cuda/backend/batch_plan.hpp"
#include "cuda/device/gpu.hpp"

namespace kv::gpu {

class PlanMemory {
public:
    // True when the arrays have moved.
    bool upload(Gpu& gpu, const BatchPlan& plan) {
        Numbers rooms = rooms_;
        for (u32 i = 0; i < kPlanArrays; ++i) {
            const u64 n = plan.arrays[i].size();
            while (rooms[i] < n) rooms[i] = rooms[i] == 0 ? 64 : 2 * rooms[i];
            sizes_[i] = n;
        }
        const bool moved = rooms != rooms_;
        if (moved) make_room(gpu, rooms);
        for (u32 i = 0; i < kPlanArrays; ++i)
            std::copy(plan.arrays[i].begin(), plan.arrays[i].end(), staged_.data() + begins_[i]);
        gpu.upload(memory_.raw(), staged_.data(), staged_.size() * sizeof(u32));
        return moved;
    }
    // A view of as many numbers as the plan has.
    View<const u32> exactly(PlanArray which) const { return view(which, sizes_); }
    // A view of as many as there is room for: for arrays that grow from step to step.
    View<const u32> room(PlanArray which) const { return view(which, rooms_); }
    View<const u32> part(PlanArray which, u64 first, u64 n) const {
        return memory_.part(begins_[static_cast<u32>(which)] + first, n);
    }

private:
    using Numbers = std::array<u64, kPlanArrays>;

    // If the new place cannot be had, there is no room at all until the next plan.
    void make_room(Gpu& gpu, const Numbers& rooms) {
        rooms_ = {};
        memory_ = Memory<u32>();
        u64 sum = 0;
        for (u32 i = 0; i < kPlanArrays; ++i) begins_[i] = sum, sum += rooms[i];
        memory_ = Memory<u32>(gpu, sum);
        staged_.assign(sum, 0);
        rooms_ = rooms;
    }
    View<const u32> view(PlanArray which, const Numbers& sizes) const {
        return part(which, 0, sizes[static_cast<u32>(which)]);
    }
    Numbers rooms_{}, begins_{}, sizes_{};
    std::vector<u32> staged_;
    Memory<u32> memory_;
};

}  // namespace kv::gpu
