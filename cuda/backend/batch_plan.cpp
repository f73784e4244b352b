#include "cuda/backend/batch_plan.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "cuda/kernels/attention_listed/v1_listed.hpp"

namespace kv::gpu {
namespace {

class Planner {
public:
    Planner(const ModelConfig& config, const KvLayout& layout, const PoolSpec& spec,
            const Batch& batch, BatchPlan& plan)
        : config_(config), layout_(layout), spec_(spec), batch_(batch), plan_(plan) {}

    void run() {
        const auto by_head = [](const SequenceWork& work) {
            return work.tables->scope != TableScope::Sequence ||
                   (work.visible != nullptr && work.visible->shape.scope != TableScope::Sequence);
        };
        if (std::any_of(batch_.sequences.begin(), batch_.sequences.end(), by_head))
            plan_.n_lanes = layout_.n_layers * layout_.n_kv_heads;
        for (const SequenceWork& work : batch_.sequences) add_sequence(work);
        map_slots();
        list_keys();
        keep();
        // Lists and tables begin at numbers of 32 bits.
        for (const std::vector<u32>& array : plan_.arrays) KV_ASSERT(array.size() <= 0xFFFFFFFF);
    }

private:
    using A = PlanArray;

    LayerId layer_of(u32 lane) const {
        return LayerId(plan_.n_lanes == 1 ? 0 : lane / layout_.n_kv_heads);
    }
    HeadId head_of(u32 lane) const {
        return HeadId(plan_.n_lanes == 1 ? 0 : lane % layout_.n_kv_heads);
    }
    // block x block_size + slot in it. A hole is no block of the pool.
    u32 pool_slot(const SequenceWork& work, u32 lane, u32 slot) const {
        const std::vector<BlockId>& table = work.tables->of(layer_of(lane), head_of(lane));
        const u32 entry = slot / layout_.block_size;
        KV_ASSERT(entry < table.size() && table[entry].value < layout_.n_blocks);
        return table[entry].value * layout_.block_size + slot % layout_.block_size;
    }

    void add_sequence(const SequenceWork& work) {
        const u32 n = static_cast<u32>(work.tokens.size()), first = plan_.n_rows;
        KV_ASSERT(n > 0);
        plan_.first_rows.push_back(first);
        const std::vector<u32> starts = add_tables(work);
        const u32 of_a_sequence = work.one_by_one ? 1 : n;
        for (u32 i = 0; i < n; ++i) {
            KV_ASSERT(work.tokens[i] < config_.vocab_size);
            // New tokens stand one behind the other where nothing was dropped.
            KV_ASSERT(work.visible != nullptr ||
                      work.token_indices[i] == work.token_indices[0] + i);
            if (i % of_a_sequence == 0) begin_sequence(work, i, of_a_sequence, starts);
            plan_[A::Tokens].push_back(work.tokens[i]);
            plan_[A::Positions].push_back(work.positions[i]);
            plan_[A::Rotated].push_back(rotated_when_stored(work) ? 1 : 0);
            plan_[A::SequenceOf].push_back(plan_.n_sequences - 1);
            plan_[A::AllRows].push_back(first + i);
            plan_[A::Slots].push_back(work.token_indices[i]);
            if (work.visible != nullptr) plan_[A::ListedRows].push_back(first + i);
        }
        for (const u32 row : work.logit_rows) {
            KV_ASSERT(row < n);
            plan_[A::LogitRows].push_back(first + row);
        }
        if (spec_.has_residual()) add_residual(work);
        if (work.visible == nullptr)
            plan_.longest_keys = std::max(plan_.longest_keys, work.token_indices.back() + 1);
        plan_.n_rows += n;
    }
    // n new tokens from the i-th of the work on.
    void begin_sequence(const SequenceWork& work, u32 i, u32 n, const std::vector<u32>& starts) {
        const u32 row = plan_.first_rows.back() + i;
        plan_[A::FirstRow].push_back(row);
        plan_[A::FirstSlot].push_back(work.token_indices[i]);
        plan_[A::NewTokens].push_back(n);
        plan_[A::TableStarts].insert(plan_[A::TableStarts].end(), starts.begin(), starts.end());
        ++plan_.n_sequences;
        if (spec_.has_residual()) plan_[A::RowSets].push_back(work.residual.row_set);
        if (work.visible != nullptr) return;
        if (spec_.has_residual() && (work.one_by_one || !spec_.attends_exactly())) {
            for (u32 each = row; each < row + n; ++each) plan_.in_turn.push_back(each);
        } else {
            plan_[n == 1 ? A::DecodeRows : A::PrefillRows].push_back(row);
            if (n > 1) plan_.longest_chunk = std::max(plan_.longest_chunk, n);
        }
    }

    // What a row sees coded: of what came with earlier passes, where a pass sees its own tokens
    // exactly; else of all before it.
    void add_residual(const SequenceWork& work) {
        const u32 base = work.residual.base;
        for (const u32 slot : work.token_indices)
            for (const Side side : {Side::K, Side::V}) {
                const u32 n =
                    spec_.attends_exactly(side) && !work.one_by_one ? work.token_indices[0] : slot;
                plan_[side == Side::K ? A::CodedK : A::CodedV].push_back(
                    coded_tokens(side, n, base));
                add_due(plan_[side == Side::K ? A::DueK : A::DueV], side, slot, base);
            }
    }
    static void add_due(std::vector<u32>& to, Side side, u32 slot, u32 base) {
        to.push_back(coded_tokens(side, slot, base));
        to.push_back(coded_tokens(side, slot + 1, base));
    }

    // Adds one copy of each table, however many lanes share it; answers where each lane's begins.
    std::vector<u32> add_tables(const SequenceWork& work) {
        const std::vector<BlockId>* last = nullptr;
        std::vector<u32> starts;
        u32 start = 0;
        for (u32 lane = 0; lane < plan_.n_lanes; ++lane) {
            const std::vector<BlockId>& table = work.tables->of(layer_of(lane), head_of(lane));
            if (&table != last) {
                start = static_cast<u32>(plan_[A::Tables].size());
                for (const BlockId block : table) plan_[A::Tables].push_back(block.value);
                if (work.visible == nullptr) check_table(work, lane);
            }
            last = &table;
            starts.push_back(start);
        }
        return starts;
    }
    // Every block that a query of the sequence sees in that lane, or in a layer that shares it.
    void check_table(const SequenceWork& work, u32 lane) const {
        u32 first = work.token_indices.back();
        for (u32 layer = 0; layer < layout_.n_layers; ++layer)
            if (plan_.n_lanes == 1 || layer == layer_of(lane).value ||
                work.tables->scope == TableScope::Sequence)
                first =
                    std::min(first, first_visible(config_, LayerId(layer), work.token_indices[0]));
        const u32 bs = layout_.block_size;
        for (u32 slot = first / bs * bs; slot <= work.token_indices.back(); slot += bs)
            pool_slot(work, lane, slot);
    }

    void map_slots() {
        for (u32 lane = 0; lane < plan_.n_lanes; ++lane)
            for (const SequenceWork& work : batch_.sequences)
                for (const u32 slot : own_slots(work, layer_of(lane), head_of(lane)))
                    plan_[A::SlotMapping].push_back(pool_slot(work, lane, slot));
    }

    void list_keys() {
        if (plan_[A::ListedRows].empty()) return;
        plan_.lists_by_query_head = std::any_of(
            batch_.sequences.begin(), batch_.sequences.end(), [&](const SequenceWork& work) {
                return work.visible != nullptr && sees_by_head(config_, work, LayerId(0), 0);
            });
        // All keys of a batch are rotated when they are read, or none: those of the other sequences
        // stand at 0, which rotates nothing.
        any_rotated_when_read_ =
            std::any_of(batch_.sequences.begin(), batch_.sequences.end(),
                        [](const SequenceWork& each) { return !rotated_when_stored(each); });
        const u32 n_heads = static_cast<u32>(config_.n_heads);
        plan_[A::ListBegins].push_back(0);
        for (const u32 row : plan_[A::ListedRows]) {
            if (plan_.lists_by_query_head)
                for (u32 i = 0; i < layout_.n_layers * n_heads; ++i)
                    list_keys_of(row, LayerId(i / n_heads), i % n_heads);
            else
                for (u32 lane = 0; lane < plan_.n_lanes; ++lane)
                    list_keys_of(row, layer_of(lane),
                                 head_of(lane).value * group_size(n_heads, layout_.n_kv_heads));
        }
    }
    void list_keys_of(u32 row, LayerId layer, u32 query_head) {
        const auto behind = std::upper_bound(plan_.first_rows.begin(), plan_.first_rows.end(), row);
        const u32 own_first = *(behind - 1);
        const SequenceWork& work =
            batch_.sequences[static_cast<std::size_t>(behind - plan_.first_rows.begin()) - 1];
        const HeadId head = kv_head_of(query_head, config_.n_heads, layout_.n_kv_heads);
        const u32 lane = plan_.n_lanes == 1 ? 0 : layer.value * layout_.n_kv_heads + head.value;
        find_keys_of_head(config_, layout_, work, layer, {head, query_head, row - own_first},
                          seen_);
        for (const u32 slot : seen_.slots) {
            const auto own = computed_row(work, layer, head, slot, row - own_first);
            plan_[A::ListSlots].push_back(own ? KeyLists::kOwn + own_first + static_cast<u32>(*own)
                                              : pool_slot(work, lane, slot));
        }
        for (std::size_t i = 0; any_rotated_when_read_ && i < seen_.slots.size(); ++i)
            plan_[A::ListPositions].push_back(seen_.rotated_when_read ? seen_.positions[i] : 0);
        plan_[A::ListQueries].push_back(seen_.rotated_when_read ? seen_.positions.back() : 0);
        plan_[A::ListBegins].push_back(static_cast<u32>(plan_[A::ListSlots].size()));
    }

    void keep() {
        for (u32 s = 0; s < batch_.sequences.size(); ++s) {
            const SequenceWork& work = batch_.sequences[s];
            if (work.kept_inputs == nullptr || work.recomputed == 0) continue;
            plan_.kept.push_back(
                {s, work.recomputed, plan_[A::KeptPositions].size(), plan_[A::KeptMapping].size()});
            for (u32 slot = 0; slot < work.recomputed; ++slot) {
                plan_[A::KeptPositions].push_back(work.kept_inputs->position(slot));
                plan_[A::KeptRotated].push_back(1);
                if (!spec_.has_residual()) continue;
                plan_[A::KeptSequence].push_back(plan_[A::SequenceOf][plan_.first_rows[s]]);
                plan_[A::KeptSlots].push_back(slot);
                const u32 base = work.residual.base;
                add_due(plan_[A::KeptDueK], Side::K, slot, base);
                add_due(plan_[A::KeptDueV], Side::V, slot, base);
            }
            for (u32 lane = 0; lane < plan_.n_lanes; ++lane)
                for (u32 slot = 0; slot < work.recomputed; ++slot)
                    plan_[A::KeptMapping].push_back(pool_slot(work, lane, slot));
        }
    }

    const ModelConfig& config_;
    const KvLayout& layout_;
    const PoolSpec& spec_;
    const Batch& batch_;
    BatchPlan& plan_;
    bool any_rotated_when_read_ = false;
    SeenKeys seen_;
};

}  // namespace

BatchPlan::BatchPlan(const ModelConfig& config, const KvLayout& layout, const PoolSpec& spec,
                     const Batch& batch) {
    Planner(config, layout, spec, batch, *this).run();
}

}  // namespace kv::gpu
