// Quest on a card: bounds of blocks come from the card, the choice is made here, and attention runs
// over lists, one for each query head.

#include <algorithm>

#include "core/base/kv_head.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "cuda/backend/gpu_backend.hpp"

namespace kv::gpu {

using A = PlanArray;

bool GpuBackend::chooses(const Batch& batch) {
    return std::any_of(batch.sequences.begin(), batch.sequences.end(),
                       [](const SequenceWork& work) { return work.reads != nullptr; });
}

std::vector<GpuBackend::Choosing> GpuBackend::choosing_rows(const Batch& batch,
                                                            const BatchPlan& plan,
                                                            LayerId layer) const {
    std::vector<Choosing> rows;
    for (u32 s = 0; s < batch.sequences.size(); ++s) {
        const SequenceWork& work = batch.sequences[s];
        for (u32 i = 0; work.reads != nullptr && i < work.tokens.size(); ++i)
            if (work.reads->chooses(layer, work.token_indices[i]))
                rows.push_back({&work, i, plan.first_rows[s] + i});
    }
    return rows;
}

// What these rows got from looking at everything is written over.
void GpuBackend::attend_chosen(const Batch& batch, const BatchPlan& plan, const Attended& all) {
    const LayerId layer = all.cache.layer;
    const std::vector<Choosing> rows = choosing_rows(batch, plan, layer);
    if (rows.empty()) return;
    KV_ASSERT(!spec_.has_residual());
    std::vector<u32> ids;
    u32 most = 0;
    for (const Choosing& each : rows) {
        ids.push_back(each.row);
        most = std::max(most, each.work->token_indices[each.index] / layout_.block_size + 1);
    }
    const Memory<u32> ids_there = uploaded(*gpu_, ids);
    Attended a = all;
    a.rows = ids_there.view();
    choose(rows, bounds_of(a, most), most, layer);
    attend_lists(rows, a);
}

std::vector<float> GpuBackend::bounds_of(const Attended& a, u32 most) const {
    const Memory<float> bounds(*gpu_, a.rows.size * a.n_heads * most);
    gpu_->launch(JudgeBlocks{a, bounds.view(), most});
    return downloaded(*gpu_, bounds.view());
}

void GpuBackend::choose(const std::vector<Choosing>& rows, const std::vector<float>& bounds,
                        u32 most, LayerId layer) const {
    const u32 n_heads = static_cast<u32>(config_.n_heads);
    for (u64 r = 0; r < rows.size(); ++r) {
        const Choosing& each = rows[r];
        const u32 own = each.work->token_indices[each.index];
        for (u32 head = 0; head < n_heads; ++head)
            each.work->reads->of(each.index, layer, head) =
                choose_blocks(std::span(bounds).subspan((r * n_heads + head) * most,
                                                        own / layout_.block_size + 1),
                              each.work->reads->choice_for(own));
    }
}

void GpuBackend::attend_lists(const std::vector<Choosing>& rows, const Attended& a) {
    const u32 n_heads = a.n_heads;
    std::vector<u32> begins{0}, slots;
    SeenKeys seen;
    for (const Choosing& each : rows)
        for (u32 head = 0; head < n_heads; ++head) {
            const HeadId kv_head = kv_head_of(head, n_heads, a.n_kv_heads);
            find_keys_of_head(config_, layout_, *each.work, a.cache.layer,
                              {kv_head, head, each.index}, seen);
            const std::vector<BlockId>& table = each.work->tables->of(a.cache.layer, kv_head);
            for (const u32 slot : seen.slots) {
                const auto own = computed_row(*each.work, a.cache.layer, kv_head, slot, each.index);
                const u32 row_of_first = each.row - each.index;
                slots.push_back(own ? KeyLists::kOwn + row_of_first + static_cast<u32>(*own)
                                    : table[slot / layout_.block_size].value * layout_.block_size +
                                          slot % layout_.block_size);
            }
            begins.push_back(static_cast<u32>(slots.size()));
            KV_ASSERT(slots.size() <= 0xFFFFFFFF);
        }
    const Memory<u32> begins_there = uploaded(*gpu_, begins), slots_there = uploaded(*gpu_, slots);
    KeyLists lists{begins_there.view(), slots_there.view(), {}, {}};
    lists.of_row = n_heads;
    lists.by_query_head = true;
    gpu_->launch(ListedAttention{a, lists, {}, {1, 1}, plan_memory_.exactly(A::SlotMapping)});
}

}  // namespace kv::gpu
