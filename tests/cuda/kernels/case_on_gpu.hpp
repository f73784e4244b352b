#pragma once
// A case of attention in the memory of a GPU, and every kernel that attends, one call each. Over
// the emulated GPU and over a card alike.

#include "cuda/device/decode_rungs.hpp"
#include "tests/cuda/kernels/attention_case.hpp"

namespace kv::test {

// NaN, and no number that somebody would use.
template <class T>
void poison(gpu::Gpu& gpu, const gpu::View<T>& values) {
    gpu.fill(reinterpret_cast<std::byte*>(values.data), 0xFF, values.size * sizeof(T));
}
template <class T>
gpu::Memory<T> poisoned(gpu::Gpu& gpu, u64 n) {
    gpu::Memory<T> memory(gpu, n);
    poison(gpu, memory.view());
    return memory;
}

// What attends, (rows, heads, v_dim), by a rung of the ladder; nothing where a block of it has not
// enough shared memory. `longest`: the most keys that a row sees.
inline std::optional<std::vector<float>> output_by(gpu::Gpu& gpu, gpu::DecodeRung rung,
                                                   const gpu::Attended& a, u32 splits,
                                                   u32 longest) {
    const auto at_once = gpu::heads_of_block(rung, a, gpu.most_shared_bytes());
    if (!at_once) return std::nullopt;
    const gpu::HeadGroups groups{*at_once, splits};
    const u64 parts = groups.units(a) * splits * *at_once;
    const auto scores = poisoned<float>(gpu, a.rows.size * a.n_heads * longest),
               out = poisoned<float>(gpu, parts * a.dim(Side::V)),
               states = poisoned<float>(gpu, 2 * parts);
    const gpu::Memory<u32> tickets(gpu, groups.units(a));
    gpu.fill(tickets.raw(), 0, tickets.bytes());
    poison(gpu, a.attention_output);
    gpu::launch_rung(gpu, rung, a, groups,
                     {scores.view(), longest, {out.view(), states.view()}, tickets.view()});
    for (const u32 ticket : gpu::downloaded(gpu, tickets.view())) KV_ASSERT(ticket == 0);
    return gpu::downloaded(gpu, a.attention_output);
}

class CaseOnGpu {
public:
    CaseOnGpu(gpu::Gpu& gpu, const AttentionCase& of) : gpu_(gpu), case_(of) {
        const KvLayout& layout = of.pool.layout();
        pool_ = gpu::Memory<std::byte>(gpu, gpu::ceil_of(layout.pool_bytes(), 16) * 16);
        gpu.fill(pool_.raw(), 0xFF, pool_.bytes());
        gpu.upload(pool_.raw(), of.pool.bytes(), layout.pool_bytes());
        for (u32 row = 0; row < of.n_rows(); ++row) rows_.push_back(row);
        scales_ = gpu::uploaded(gpu_, of.scales);
        tables_ = gpu::uploaded(gpu_, of.tables);
        starts_ = gpu::uploaded(gpu_, of.starts);
        all_rows_ = gpu::uploaded(gpu_, rows_);
        sequence_of_ = gpu::uploaded(gpu_, of.sequence_of);
        slots_ = gpu::uploaded(gpu_, of.slots);
        first_row_ = gpu::uploaded(gpu_, of.first_row);
        first_slot_ = gpu::uploaded(gpu_, of.first_slot);
        n_of_own_ = gpu::uploaded(gpu_, of.n_of_own);
        q_ = gpu::uploaded(gpu_, of.q);
        k_ = gpu::uploaded(gpu_, of.k);
        v_ = gpu::uploaded(gpu_, of.v);
        output_ = gpu::Memory<float>(gpu, of.n_output());
    }

    gpu::Attended attended() const {
        gpu::Attended a;
        a.cache = {case_.pool.layout(), case_.shape.k,
                   case_.shape.v,       pool_.view(),
                   scales_.view(),      tables_.view(),
                   starts_.view(),      {case_.n_lanes(), case_.shape.n_kv_heads},
                   case_.layer};
        a.q = q_.view();
        a.k = k_.view();
        a.v = v_.view();
        a.attention_output = output_.view();
        a.rows = all_rows_.view();
        a.sequence_of = sequence_of_.view();
        a.slots = slots_.view();
        a.first_row = first_row_.view();
        a.first_slot = first_slot_.view();
        a.n_heads = case_.n_heads();
        a.n_kv_heads = case_.shape.n_kv_heads;
        a.window = case_.shape.window;
        a.exact_k = a.exact_v = case_.shape.exact;
        return a;
    }

    std::optional<std::vector<float>> run(gpu::DecodeRung rung, u32 splits) {
        return output_by(gpu_, rung, attended(), splits,
                         *std::max_element(case_.shape.lengths.begin(), case_.shape.lengths.end()));
    }
    // As a chunk of new tokens of each sequence, with so many pairs to a block.
    std::vector<float> prefill(u32 pairs) {
        gpu::Attended a = attended();
        a.rows = first_row_.view();
        const u32 longest = *std::max_element(case_.n_of_own.begin(), case_.n_of_own.end());
        pairs = std::min(pairs, gpu::pairs_at_once(a, gpu::kTileKeys));
        poison(gpu_, output_.view());
        gpu_.launch(gpu::PrefillTile{a, n_of_own_.view(), longest, pairs});
        return gpu::downloaded(gpu_, output_.view());
    }
    // With every key that a row sees in a list of its own.
    std::vector<float> listed() {
        std::vector<u32> begins{0}, keys, own;
        for (u32 row = 0; row < case_.n_rows(); ++row)
            for (u32 lane = 0; lane < case_.n_lanes(); ++lane) {
                list_keys(row, lane, keys);
                begins.push_back(static_cast<u32>(keys.size()));
            }
        for (u32 lane = 0; lane < case_.n_lanes(); ++lane)
            for (u32 row = 0; row < case_.n_rows(); ++row)
                own.push_back(pool_slot(row, lane, case_.slots[row]).value_or(0));
        const gpu::Memory<u32> begins_there = gpu::uploaded(gpu_, begins),
                               keys_there = gpu::uploaded(gpu_, keys),
                               own_there = gpu::uploaded(gpu_, own);
        poison(gpu_, output_.view());
        const gpu::Attended a = attended();
        gpu_.launch(gpu::ListedAttention{a,
                                         {begins_there.view(), keys_there.view(), {}, {}},
                                         {},
                                         {gpu::heads_at_once(a, gpu::kTileKeys)},
                                         own_there.view()});
        return gpu::downloaded(gpu_, output_.view());
    }

private:
    // Nothing in lanes of the layer that nobody looks at.
    std::optional<u32> pool_slot(u32 row, u32 lane, u32 slot) const {
        const u32 heads = case_.shape.n_kv_heads, size = case_.shape.block_size;
        if (case_.shape.by_head && lane / heads != case_.layer.value) return std::nullopt;
        const u32 start = case_.starts[case_.sequence_of[row] * case_.n_lanes() + lane];
        return case_.tables[start + slot / size] * size + slot % size;
    }
    void list_keys(u32 row, u32 lane, std::vector<u32>& keys) const {
        const u32 s = case_.sequence_of[row];
        for (u32 slot = case_.first_seen(row); slot <= case_.slots[row]; ++slot)
            if (const auto stored = pool_slot(row, lane, slot))
                keys.push_back(slot < case_.first_slot[s]
                                   ? *stored
                                   : gpu::KeyLists::kOwn +
                                         (case_.first_row[s] + slot - case_.first_slot[s]));
    }

    gpu::Gpu& gpu_;
    const AttentionCase& case_;
    std::vector<u32> rows_;
    gpu::Memory<std::byte> pool_;
    gpu::Memory<std::uint16_t> scales_;
    gpu::Memory<u32> tables_, starts_, all_rows_, sequence_of_, slots_, first_row_, first_slot_,
        n_of_own_;
    gpu::Memory<float> q_, k_, v_, output_;
};

}  // namespace kv::test
