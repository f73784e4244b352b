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

constexpr std::size_t kWorthWidening = 8;  // query heads that read the same tile

KeyTile part_of(const KeyTile& tile, std::size_t first, std::size_t n) {
    KeyTile part;
    std::copy_n(tile.row + first, n, part.row);
    part.n = n;
    part.dim = tile.dim;
    return part;
}

std::uint32_t next_cut(std::uint32_t slot, std::uint32_t every, std::uint32_t end) {
    return std::min(end, (slot / every + 1) * every);
}

}  // namespace

Attention::Attention(const ModelConfig& config, const KvPool& pool, const CpuKernels& kernels)
    : config_(config),
      pool_(pool),
      kernels_(kernels),
      group_(config.n_heads / config.n_kv_heads),
      dim_(config.head_dim) {}

void Attention::run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    if (queries.size() <= kSplitQueries) return run_split(threads, layer, queries);
    const std::vector<std::span<const Query>> runs = runs_of(queries);
    threads.run([&](std::size_t part) {
        RunWork work;
        work.scores.resize(kRunQueries * group_ * (kTileKeys + 1));
        for (AlignedRows<float>* rows : {&work.q, &work.output, &work.more})
            rows->resize(1, kRunQueries * group_ * dim_);
        for (AlignedRows<float>* rows : {&work.k, &work.v}) rows->resize(kTileKeys, dim_);
        for (std::size_t unit = part; unit < runs.size() * config_.n_kv_heads;
             unit += threads.size())
            attend_run(layer, runs[unit / config_.n_kv_heads],
                       static_cast<std::uint32_t>(unit % config_.n_kv_heads), work);
    });
}

// Tokens of one sequence that follow each other, cut where a tile of keys may end: so the last key
// of all lies in one tile.
std::vector<std::span<const Query>> Attention::runs_of(std::span<const Query> queries) {
    std::vector<std::span<const Query>> runs;
    for (std::size_t i = 0, n; i < queries.size(); i += n) {
        for (n = 1; i + n < queries.size(); ++n) {
            const Query &one = queries[i + n - 1], &next = queries[i + n];
            if (next.work != one.work || next.slot != one.slot + 1 || next.slot % kRunQueries == 0)
                break;
        }
        runs.push_back(queries.subspan(i, n));
    }
    return runs;
}

// The queries of a run, in step: a tile is fetched once, and each takes of it what it sees. Every
// query's sums are made as if it were alone, all spans one after the other, merged as they come.
void Attention::attend_run(LayerId layer, std::span<const Query> run, std::uint32_t head,
                           RunWork& work) const {
    std::vector<Keys>& keys = work.keys;
    keys.clear();
    for (const Query& query : run) keys.push_back(visible(layer, query, head));
    if (keys.front().begin / kSpanKeys != keys.back().begin / kSpanKeys) {  // a window's edge
        for (const Query& query : run) attend_run(layer, {&query, 1}, head, work);
        return;
    }
    const std::size_t heads = run.size() * group_, width = group_ * dim_;
    for (std::size_t i = 0; i < run.size(); ++i)
        std::copy_n(heads_of(keys[i]).q, width, work.q[0] + i * width);
    KeyWalk walk(pool_, run[0].work->tables->of(layer, HeadId(head)), layer, HeadId(head));
    const std::uint32_t end = keys.back().end;
    for (Keys span = first_span({layer, &run[0], HeadId(head), keys.front().begin, end});;) {
        const bool first = span.begin == keys.front().begin;
        std::vector<SoftmaxState>& states = first ? work.states : work.more_states;
        float* output = first ? work.output[0] : work.more[0];
        states.assign(heads, {});
        std::fill_n(output, heads * dim_, 0.0f);
        attend_span(span, walk, work, states.data(), output);
        for (std::size_t h = 0; !first && h < heads; ++h)
            merge_into(work.states[h], work.output[0] + h * dim_, states[h], output + h * dim_,
                       dim_);
        if (span.end == end) break;
        span.begin = span.end;
        span.end = next_cut(span.begin, kSpanKeys, end);
    }
    for (std::size_t i = 0; i < run.size(); ++i) {
        divide(&work.states[i * group_], work.output[0] + i * width);
        std::copy_n(work.output[0] + i * width, width, output_of(keys[i]));
    }
}

// Of one tile, the scores of all queries are computed, also those that a query does not look at; it
// takes in and mixes what it sees.
void Attention::attend_span(const Keys& span, KeyWalk& walk, RunWork& work, SoftmaxState* states,
                            float* output) const {
    KeyTile k, v;
    const std::vector<Keys>& keys = work.keys;
    float* scores = work.scores.data();
    float* keep = scores + keys.size() * group_ * kTileKeys;
    for (std::uint32_t slot = span.begin, next; slot < span.end; slot = next) {
        next = next_cut(slot, kTileKeys, span.end);
        walk.gather(slot, next, k, v);
        const bool many = keys.size() * group_ >= kWorthWidening;
        if (many) widen(k, KvSide::K, work.k);
        if (many) widen(v, KvSide::V, work.v);
        const auto f32 = static_cast<std::size_t>(KvCode::F32);
        const auto as = [&](KvSide side) {
            return many ? f32 : static_cast<std::size_t>(pool_.format(side).code);
        };
        kernels_.scores[as(KvSide::K)]({work.q[0], keys.size() * group_, scale()}, k, scores);
        for (std::size_t i = 0, n; i < keys.size(); i += n) {
            const auto seen = [&](const Keys& one) {
                return std::pair(std::max(slot, one.begin), std::min(next, one.end));
            };
            const auto [begin, end] = seen(keys[i]);
            for (n = 1; i + n < keys.size() && seen(keys[i + n]) == std::pair(begin, end);) ++n;
            if (begin >= end) continue;
            const std::size_t from = begin - slot, first = i * group_, heads = n * group_;
            float* weights = scores + first * kTileKeys + from;
            for (std::size_t h = 0; h < heads; ++h)
                keep[h] = kernels_.soften(weights + h * kTileKeys, end - begin, states[first + h]);
            kernels_.mix[as(KvSide::V)](
                {weights, keep, heads, part_of(v, from, end - begin), output + first * dim_});
        }
    }
}

// Many queries read a tile as floats, which mean what its codes mean and are made of them once.
void Attention::widen(KeyTile& tile, KvSide side, AlignedRows<float>& room) const {
    const KvFormat format = pool_.format(side);
    if (format == KvFormat::F32) return;
    for (std::size_t j = 0; j < tile.n; ++j) {
        kernels_.decode[static_cast<std::size_t>(format.code)](tile.row[j], tile.dim, room[j]);
        tile.row[j] = reinterpret_cast<const std::byte*>(room[j]);
    }
}

// A few queries, with the spans of all of them as units that threads share, merged at the end.
void Attention::run_split(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    const std::vector<Unit> units = units_of(layer, queries);
    partial_outputs_.resize(units.size(), group_ * dim_);
    partial_states_.assign(units.size() * group_, {});
    threads.run([&](std::size_t part) {
        std::vector<float> scratch(group_ * (kTileKeys + 1));
        std::vector<Pass> passes;
        const Range share = share_of(units.size(), 1, part, threads.size());
        for (std::size_t u = share.begin; u < share.end; ++u) {
            float* output = units[u].partial == 0 ? output_of(units[u].keys) : partial_outputs_[u];
            passes.push_back(pass_of(units[u].keys, &partial_states_[u * group_], output));
        }
        for (std::size_t at = 0; at < passes.size(); at += kTogether)
            attend(std::span(passes).subspan(at, std::min(kTogether, passes.size() - at)), scratch);
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
void Attention::attend(std::span<Pass> passes, std::vector<float>& scratch) const {
    for (Pass& pass : passes) {
        std::fill_n(pass.output, group_ * dim_, 0.0f);
        std::fill_n(pass.states, group_, SoftmaxState{});
        take_tile(pass, 0);
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
                prefetch(pass, 1 - now, share_of(pass.keys_of[1 - now].n, 1, i, passes.size()));
            Pass& pass = passes[i];
            if (pass.keys_of[now].n > 0)
                attend_tile(heads_of(pass.keys), pass.keys_of[now], pass.values_of[now],
                            pass.states, pass.output, scratch);
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

void Attention::prefetch(const Pass& pass, std::size_t place, Range range) const {
    constexpr std::uint32_t kLine = 64;
    constexpr int kSecondLevel = 2;  // of the caches
    for (std::size_t j = range.begin; j < range.end; ++j) {
        for (std::uint32_t at = 0; at < pool_.layout().k.bytes; at += kLine)
            __builtin_prefetch(pass.keys_of[place].row[j] + at, 0, kSecondLevel);
        for (std::uint32_t at = 0; at < pool_.layout().v.bytes; at += kLine)
            __builtin_prefetch(pass.values_of[place].row[j] + at, 0, kSecondLevel);
    }
}

void Attention::attend_tile(const HeadGroup& heads, const KeyTile& keys, const KeyTile& values,
                            SoftmaxState* states, float* output,
                            std::vector<float>& scratch) const {
    float* scores = scratch.data();
    float* keep = scores + heads.size * kTileKeys;
    const auto k = static_cast<std::size_t>(pool_.format(KvSide::K).code),
               v = static_cast<std::size_t>(pool_.format(KvSide::V).code);
    kernels_.scores[k](heads, keys, scores);
    for (std::size_t h = 0; h < heads.size; ++h)
        keep[h] = kernels_.soften(scores + h * kTileKeys, keys.n, states[h]);
    kernels_.mix[v]({scores, keep, heads.size, values, output});
}

std::vector<float> Attention::scores(LayerId layer, const Query& query, std::uint32_t head) const {
    const std::size_t k = static_cast<std::size_t>(pool_.format(KvSide::K).code);
    const Keys keys = visible(layer, query, static_cast<std::uint32_t>(head / group_));
    HeadGroup one = heads_of(keys);
    one.q = query.q + head * dim_;
    one.size = 1;
    KeyWalk walk(pool_, query.work->tables->of(layer, keys.head), layer, keys.head);
    KeyTile tile_k, tile_v;
    std::vector<float> all;
    for (std::uint32_t slot = keys.begin, next; slot < keys.end; slot = next) {
        next = next_cut(slot, kTileKeys, keys.end);
        walk.gather(slot, next, tile_k, tile_v);
        float scores[kTileKeys];
        kernels_.scores[k](one, tile_k, scores);
        all.insert(all.end(), scores, scores + tile_k.n);
    }
    return all;
}

void Attention::divide(const SoftmaxState* states, float* output) const {
    for (std::size_t h = 0; h < group_; ++h)
        for (std::size_t c = 0; c < dim_; ++c) output[h * dim_ + c] /= states[h].sum;
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
