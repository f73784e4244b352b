// Which kernel attends: the decode ladder's last rung for single tokens, tiles for the chunk of a
// prompt, lists for what a policy has thinned out.

#include "cuda/backend/gpu_backend.hpp"

namespace kv::gpu {

using A = PlanArray;

namespace {

constexpr u32 kMostSplits = 64, kLeastTiles = 8;  // of 32 keys each
constexpr u32 kBlocksAtOnce = 2;                  // on a multiprocessor
constexpr double kStartTiles = 4, kMergeTiles = 0.25;

}  // namespace

// More splits keep more multiprocessors at work, but each has to start, and their states have to be
// merged. In units of the time that a tile takes: cost = waves (tiles of a split + start) + merge,
// with a wave of blocks as large as the card has places. What start and merge take is guessed until
// a card was measured. 8,192 keys for 8 KV heads on 132 multiprocessors: 1 split costs 260, 16 cost
// 24, 32 cost 20, and 33 would have fewer than 8 tiles each.
u32 choose_splits(const SplitQuestion& question) {
    const u64 tiles = ceil_of(question.longest_keys, kTileKeys);
    const u64 places = u64{question.multiprocessors} * kBlocksAtOnce;
    u32 best = 1;
    double least = 0;
    for (u32 n = 1; n <= kMostSplits && (n == 1 || tiles / n >= kLeastTiles); ++n) {
        const double waves = static_cast<double>(ceil_of(question.units * n, places));
        const double cost = waves * (static_cast<double>(ceil_of(tiles, n)) + kStartTiles) +
                            (n > 1 ? kMergeTiles * n : 0);
        if (n > 1 && cost >= least) continue;
        best = n;
        least = cost;
    }
    return best;
}

// How many blocks share the keys of a row. The number of keys is rounded up to a power of two
// first, so that a step is not another one, to be recorded anew, for every token.
u32 GpuBackend::splits(u64 units, u32 longest_keys) const {
    u32 rounded = kTileKeys;
    while (rounded < longest_keys) rounded *= 2;
    return options_.splits.value_or(choose_splits({units, rounded, gpu_->multiprocessors()}));
}

// Wide heads in float32, and keys that lie in groups, do not go through stages.
GpuBackend::DecodeWay GpuBackend::decode_way(const Attended& a) const {
    const u32 most = gpu_->most_shared_bytes();
    const auto staged = heads_of_block(DecodeRung::OfCodec, a, most);
    if (staged && !spec_.has_residual()) return {DecodeRung::OfCodec, {*staged}};
    return {DecodeRung::V4, {*heads_of_block(DecodeRung::V4, a, most)}};
}

u32 GpuBackend::splits_for(const BatchPlan& plan) const {
    const Attended a = attended(plan, LayerId(0));
    return splits(decode_way(a).groups.units(a), plan.longest_keys);
}

void GpuBackend::make_split_room(const BatchPlan& plan) {
    Attended a = attended(plan, LayerId(0));
    make_split_room(a, plan.longest_keys);
    if (plan.in_turn.empty()) return;
    a.rows = plan_memory_.part(A::AllRows, 0, 1);
    make_split_room(a, plan.longest_keys);
}
void GpuBackend::make_split_room(const Attended& a, u32 longest_keys) {
    HeadGroups groups = decode_way(a).groups;
    groups.n_splits = splits(groups.units(a), longest_keys);
    const u64 parts = groups.units(a) * groups.n_splits * groups.at_once;
    grow(partial_out_, parts * config_.v_head_dim);
    grow(partial_states_, parts * 2);
    if (grow(tickets_, groups.units(a))) gpu_->fill(tickets_.raw(), 0, tickets_.bytes());
}

Attended GpuBackend::attended(const BatchPlan& plan, LayerId layer) const {
    const u64 n = plan.n_rows, q_width = config_.n_heads * config_.head_dim,
              kv_width = config_.n_kv_heads * config_.head_dim;
    Attended a;
    a.cache = cache(layer, plan.n_lanes);
    a.q = rows_.q.first(n * q_width);
    a.k = rows_.k.first(n * kv_width);
    a.v = rows_.v.first(n * kv_width);
    a.attention_output = rows_.attention_output.first(n * q_width);
    a.rows = plan_memory_.exactly(A::DecodeRows);
    a.sequence_of = plan_memory_.exactly(A::SequenceOf);
    a.slots = plan_memory_.exactly(A::Slots);
    a.first_row = plan_memory_.exactly(A::FirstRow);
    a.first_slot = plan_memory_.exactly(A::FirstSlot);
    a.n_heads = static_cast<u32>(config_.n_heads);
    a.n_kv_heads = layout_.n_kv_heads;
    if (config_.sliding_window && config_.sliding_layers[layer.index()])
        a.window = static_cast<u32>(*config_.sliding_window);
    a.exact_k = spec_.attends_exactly(Side::K);
    a.exact_v = spec_.attends_exactly(Side::V);
    if (spec_.has_residual()) {
        a.coded_k = plan_memory_.exactly(A::CodedK);
        a.coded_v = plan_memory_.exactly(A::CodedV);
    }
    return a;
}

void GpuBackend::attend(const Batch& batch, const BatchPlan& plan, LayerId layer) {
    const Attended all = attended(plan, layer);
    attend_rows(plan, all);
    if (!spec_.has_residual()) return attend_chosen(batch, plan, all);
    code_together(plan, all);
    attend_in_turn(plan, all);
}

void GpuBackend::attend_rows(const BatchPlan& plan, const Attended& all) {
    if (!plan[A::DecodeRows].empty()) attend_decode(plan, all);
    if (!plan[A::PrefillRows].empty()) {
        Attended chunks = all;
        chunks.rows = plan_memory_.exactly(A::PrefillRows);
        gpu_->launch(PrefillTile{chunks, plan_memory_.exactly(A::NewTokens), plan.longest_chunk,
                                 pairs_at_once(all, kTileKeys)});
    }
    if (!plan[A::ListedRows].empty()) {
        Attended listed = all;
        listed.rows = plan_memory_.exactly(A::ListedRows);
        KeyLists lists{.begins = plan_memory_.exactly(A::ListBegins),
                       .slots = plan_memory_.exactly(A::ListSlots),
                       .positions = plan_memory_.exactly(A::ListPositions),
                       .row_positions = plan_memory_.exactly(A::ListQueries)};
        lists.by_query_head = plan.lists_by_query_head;
        lists.of_row = layout_.n_layers * all.n_heads;
        lists.first = all.cache.layer.value * all.n_heads;
        HeadGroups groups;
        groups.at_once = lists.by_query_head ? 1 : heads_at_once(all, kTileKeys);
        gpu_->launch(ListedAttention{listed, lists, model_->frequencies.view(), groups,
                                     plan_memory_.exactly(A::SlotMapping)});
    }
}

void GpuBackend::attend_decode(const BatchPlan& plan, const Attended& a) {
    DecodeWay way = decode_way(a);
    way.groups.n_splits = splits(way.groups.units(a), plan.longest_keys);
    DecodeRoom room;
    room.partials = {partial_out_.view(), partial_states_.view()};
    room.tickets = tickets_.view();
    launch_rung(*gpu_, way.rung, a, way.groups, room);
}

}  // namespace kv::gpu
