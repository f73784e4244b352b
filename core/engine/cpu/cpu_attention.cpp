#include "core/engine/cpu/cpu_attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/pool_backend.hpp"

namespace kv::cpu {
namespace {

// Up to this many queries, spans are shared out and their states kept until all are there; with
// more there is enough to do without, and the states would take room.
constexpr std::size_t kSplitQueries = 4;

constexpr std::size_t kTogether = 8;

// Heads whose runs of a block lie in one page of the machine. A processor follows one run in a page
// and fetches ahead of it; asked for two in turn, it takes them for none.
std::uint32_t heads_in_page(const KvLayout& layout) {
    constexpr std::uint64_t kPage = 4096;
    if (layout.order != KvOrder::HeadMajor) return 1;
    return std::max(1u, static_cast<std::uint32_t>(kPage / layout.head_stride(KvSide::K)));
}

// A row that begins in the last line of the one before has that line asked for already.
inline __attribute__((always_inline)) void prefetch_row(const KeyTile& tile, std::size_t j,
                                                        std::uint32_t bytes) {
    constexpr std::uintptr_t kLine = 64;
    constexpr int kSecondLevel = 2;  // of the caches
    const auto first = reinterpret_cast<std::uintptr_t>(tile.row[j]), last = first + bytes - 1;
    const bool goes_on = j > 0 && tile.row[j] == tile.row[j - 1] + bytes && first % kLine != 0;
    for (std::uintptr_t line = first / kLine + (goes_on ? 1 : 0); line <= last / kLine; ++line)
        __builtin_prefetch(tile.row[j] + (line * kLine - first), 0, kSecondLevel);
}

// Part of the caller, and so must its callers be: g++ takes a call of a function that only
// prefetches for one without effect, and leaves it out.
inline __attribute__((always_inline)) void prefetch(const KvLayout& layout, const KeyTile& keys,
                                                    const KeyTile& values, Range range) {
    for (std::size_t j = range.begin; j < range.end; ++j) {
        prefetch_row(keys, j, layout.k.bytes);
        prefetch_row(values, j, layout.v.bytes);
    }
}

}  // namespace

Attention::Attention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
                     const CpuKernels& kernels, ReadRow read)
    : config_(config),
      pool_(pool),
      kernels_(kernels),
      rows_(pool, spec, kernels, std::move(read)),
      group_(config.n_heads / config.n_kv_heads),
      dim_(config.head_dim) {}

void Attention::run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    if (queries.size() <= kSplitQueries)
        run_split(threads, layer, queries);
    else
        run_many(threads, layer, queries);
}

// A few queries, with the spans of all of them as units that threads share, merged at the end.
void Attention::run_split(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    const std::vector<Unit> units = units_of(layer, queries);
    partial_outputs_.resize(units.size(), group_ * dim_);
    partial_states_.assign(units.size() * group_, {});
    threads.run([&](std::size_t part) {
        Scratch scratch = make_scratch();
        std::vector<Pass> passes;
        for (const std::size_t u : apart(units, share_of(units.size(), 1, part, threads.size()))) {
            float* output = units[u].partial == 0 ? output_of(units[u].keys) : partial_outputs_[u];
            passes.push_back(pass_of(units[u].keys, &partial_states_[u * group_], output));
        }
        const std::size_t groups = (passes.size() + kTogether - 1) / kTogether;
        for (std::size_t g = 0; g < groups; ++g) {
            const Range some = share_of(passes.size(), 1, g, groups);
            attend(std::span(passes).subspan(some.begin, some.end - some.begin), scratch);
        }
    });
    for (std::size_t u = 0; u < units.size();) {
        SoftmaxState* all = &partial_states_[u * group_];
        float* output = output_of(units[u].keys);
        for (++u; u < units.size() && units[u].partial != 0; ++u)
            for (std::size_t h = 0; h < group_; ++h)
                merge_into(all[h], output + h * dim_, partial_states_[u * group_ + h],
                           partial_outputs_[u] + h * dim_, dim_);
        divide(all, output);
    }
}

// A thread's units, in an order in which heads of one page are far from each other.
std::vector<std::size_t> Attention::apart(std::span<const Unit> units, Range share) const {
    const std::uint32_t heads = heads_in_page(pool_.layout());
    std::vector<std::size_t> order;
    for (std::uint32_t i = 0; i < heads; ++i)
        for (std::size_t u = share.begin; u < share.end; ++u)
            if (units[u].keys.head.value % heads == i) order.push_back(u);
    return order;
}

std::vector<Attention::Unit> Attention::units_of(LayerId layer,
                                                 std::span<const Query> queries) const {
    std::vector<Unit> units;
    for (const Query& query : queries)
        for (std::uint32_t head = 0; head < config_.n_kv_heads; ++head) {
            const Keys keys = visible(layer, query, head);
            Keys span = first_span(keys);
            for (std::size_t i = 0; span.begin < keys.end; ++i) {
                units.push_back({span, i});
                span.begin = span.end;
                span.end = next_cut(span.begin, kSpanKeys, keys.end);
            }
        }
    return units;
}

// softmax(q K^T / sqrt(head_dim)) V over some keys, not yet divided by the sum. Several passes go
// together, a tile of each in turn. Every tile's turn asks for a part of what all of them read in
// the next round: then many runs of memory are under way at a time, as fast memory needs.
void Attention::attend(std::span<Pass> passes, Scratch& scratch) const {
    for (Pass& pass : passes) {
        std::fill_n(pass.output, group_ * dim_, 0.0f);
        std::fill_n(pass.states, group_, SoftmaxState{});
        take_tile(pass, 0);
        prefetch(pool_.layout(), pass.keys_of[0], pass.values_of[0], {0, pass.keys_of[0].n});
    }
    bool more = true;
    for (std::size_t now = 0; more; now = 1 - now) {
        more = false;
        for (Pass& pass : passes) {
            take_tile(pass, 1 - now);
            more = more || pass.keys_of[1 - now].n > 0;
        }
        for (std::size_t i = 0; i < passes.size(); ++i) {
            for (const Pass& pass : passes)
                prefetch(pool_.layout(), pass.keys_of[1 - now], pass.values_of[1 - now],
                         share_of(pass.keys_of[1 - now].n, 1, i, passes.size()));
            if (passes[i].keys_of[now].n > 0) attend_tile(passes[i], now, scratch);
        }
    }
}

Attention::Pass Attention::pass_of(const Keys& keys, SoftmaxState* states, float* output) const {
    const auto& table = keys.query->work->tables->of(keys.layer, keys.head);
    return {keys, states, output, KeyWalk(pool_, table, keys.layer, keys.head), keys.begin, {}, {}};
}

void Attention::take_tile(Pass& pass, std::size_t place) const {
    const std::uint32_t end = next_cut(pass.slot, kTileKeys, pass.keys.end);
    pass.walk.gather(pass.slot, end, pass.keys_of[place], pass.values_of[place]);
    pass.slot = end;
}

Attention::Scratch Attention::make_scratch() const {
    Scratch scratch;
    scratch.scores.resize(group_ * (kTileKeys + 1));
    for (AlignedRows<float>* rows : {&scratch.k, &scratch.v}) rows->resize(kTileKeys, dim_);
    return scratch;
}

void Attention::attend_tile(Pass& pass, std::size_t place, Scratch& scratch) const {
    const auto [layer, query, head, begin, end] = pass.keys;
    const HeadGroup heads = heads_of(pass.keys);
    KeyTile &keys = pass.keys_of[place], &values = pass.values_of[place];
    rows_.prepare(keys, {layer, KvSide::K, head}, *query, scratch.k);
    rows_.prepare(values, {layer, KvSide::V, head}, *query, scratch.v);
    float* scores = scratch.scores.data();
    float* keep = scores + heads.size * kTileKeys;
    kernels_.scores[static_cast<std::size_t>(keys.code)](heads, keys, scores);
    for (std::size_t h = 0; h < heads.size; ++h)
        keep[h] = kernels_.soften(scores + h * kTileKeys, keys.n, pass.states[h]);
    kernels_.mix[static_cast<std::size_t>(values.code)](
        {scores, keep, heads.size, values, pass.output});
}

std::vector<float> Attention::scores(LayerId layer, const Query& query, std::uint32_t head) const {
    const Keys keys = visible(layer, query, static_cast<std::uint32_t>(head / group_));
    HeadGroup one = heads_of(keys);
    one.q = query.q + head * dim_;
    one.size = 1;
    KeyWalk walk(pool_, query.work->tables->of(layer, keys.head), layer, keys.head);
    KeyTile tile_k, tile_v;
    AlignedRows<float> room;
    room.resize(kTileKeys, dim_);
    std::vector<float> all;
    for (std::uint32_t slot = keys.begin, next; slot < keys.end; slot = next) {
        next = next_cut(slot, kTileKeys, keys.end);
        walk.gather(slot, next, tile_k, tile_v);
        rows_.prepare(tile_k, {layer, KvSide::K, keys.head}, query, room);
        float scores[kTileKeys];
        kernels_.scores[static_cast<std::size_t>(tile_k.code)](one, tile_k, scores);
        all.insert(all.end(), scores, scores + tile_k.n);
    }
    return all;
}

void Attention::divide(const SoftmaxState* states, float* output) const {
    for (std::size_t h = 0; h < group_; ++h)
        kernels_.divide(states[h].sum, dim_, output + h * dim_);
}

Attention::Keys Attention::visible(LayerId layer, const Query& query, std::uint32_t head) const {
    return {layer, &query, HeadId(head), first_visible(config_, layer, query.slot), query.slot + 1};
}

Attention::Keys Attention::first_span(Keys keys) const {
    keys.end = next_cut(keys.begin, kSpanKeys, keys.end);
    return keys;
}

float* Attention::output_of(const Keys& keys) const {
    return keys.query->mixed + keys.head.index() * group_ * dim_;
}

HeadGroup Attention::heads_of(const Keys& keys) const {
    return {keys.query->q + keys.head.index() * group_ * dim_, group_, scale()};
}

float Attention::scale() const {
    return 1.0f / std::sqrt(static_cast<float>(dim_));
}

}  // namespace kv::cpu
