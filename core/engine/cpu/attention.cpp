#include "core/engine/cpu/attention.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/engine/pool/seen_keys.hpp"

namespace kv::cpu {
namespace {

// Up to this many queries, spans are shared out and their states kept until all are there; with
// more there is enough to do without, and the states would take room.
constexpr std::size_t kSplitQueries = 4;

constexpr std::size_t kTogether = 8;

// In so many parts, spread over a tile's work, memory is asked for what comes next: many at once
// would wait for each other, and the tile for all of them.
constexpr std::size_t kParts = 3;

// Heads whose runs of a block lie in one page of the machine. A processor that is asked for a page
// from its beginning to its end fetches ahead; asked for two runs of it in turn, it does not.
std::size_t heads_in_page(const KvLayout& layout) {
    constexpr std::uint64_t kPage = 4096;
    if (layout.order != KvOrder::HeadMajor) return 1;
    return std::max<std::uint64_t>(1, kPage / layout.head_stride(Side::K));
}

constexpr std::uintptr_t kLine = 64;

// Part of the caller: g++ takes a call of a function that only prefetches for one without effect,
// and leaves it out.
inline __attribute__((always_inline)) void prefetch(const std::byte* first, std::size_t bytes,
                                                    bool without_first_line) {
    constexpr int kSecondLevel = 2;  // of the caches
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    const std::byte *line = first - at % kLine + (without_first_line ? kLine : 0),
                    *end = first + bytes;
    for (; line < end; line += kLine) __builtin_prefetch(line, 0, kSecondLevel);
}

// The rows [from, to) of a tile: at once where they follow each other, as those of a block do that
// holds head after head. A row that begins in the last line of the one before has that line asked
// for already.
inline __attribute__((always_inline)) void prefetch_rows(const KeyTile& tile, std::size_t from,
                                                         std::size_t to, std::uint32_t bytes) {
    const auto goes_on = [&](std::size_t j) {
        return j > 0 && tile.row[j] == tile.row[j - 1] + bytes &&
               reinterpret_cast<std::uintptr_t>(tile.row[j]) % kLine != 0;
    };
    const std::size_t all = (to - from) * bytes;
    if (tile.row[to - 1] == tile.row[from] + (all - bytes))
        return prefetch(tile.row[from], all, goes_on(from));
    for (std::size_t j = from; j < to; ++j) prefetch(tile.row[j], bytes, goes_on(j));
}

}  // namespace

Attention::Attention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
                     const CpuKernels& kernels, ReadRow read)
    : config_(config),
      pool_(pool),
      kernels_(kernels),
      rows_(pool, spec, kernels, std::move(read)),
      group_(group_size(config.n_heads, config.n_kv_heads)),
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
        for (const std::size_t u :
             in_pages(units, share_of(units.size(), 1, part, threads.size()))) {
            float* output = units[u].partial == 0 ? output_of(units[u].keys) : partial_outputs_[u];
            passes.push_back(pass_of(units[u].keys, &partial_states_[u * group_], output));
        }
        const std::size_t grain = std::min(heads_in_page(pool_.layout()), kTogether),
                          groups = (passes.size() + kTogether - 1) / kTogether;
        for (std::size_t g = 0; g < groups; ++g) {
            const Range some = share_of(passes.size(), grain, g, groups);
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

// A thread's units, those next to each other that read the same slots of heads in the same pages.
std::vector<std::size_t> Attention::in_pages(std::span<const Unit> units, Range share) const {
    const std::size_t heads = heads_in_page(pool_.layout());
    std::vector<std::size_t> order(share.end - share.begin);
    std::iota(order.begin(), order.end(), share.begin);
    const auto place = [&](std::size_t u) {
        const Keys& keys = units[u].keys;
        return std::tuple(keys.query, keys.head.index() / heads, keys.begin);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
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

std::vector<Attention::Ahead> Attention::ahead_of(std::span<const Pass> passes) const {
    const std::size_t heads = heads_in_page(pool_.layout());
    std::vector<Ahead> all;
    for (std::size_t i = 0, end = 0; i < passes.size(); i = end) {
        const Keys& first = passes[i].keys;
        for (end = i + 1; end < passes.size(); ++end) {
            const Keys& keys = passes[end].keys;
            if (keys.query != first.query || keys.begin != first.begin ||
                keys.head.index() / heads != first.head.index() / heads)
                break;
        }
        all.push_back({.passes = passes.subspan(i, end - i)});
    }
    return all;
}

// Asks for rows until so many have been asked for.
inline __attribute__((always_inline)) void Attention::ask(Ahead& ahead, std::size_t place,
                                                          std::size_t until) const {
    const KvLayout& layout = pool_.layout();
    while (ahead.asked < until) {
        const Pass& pass = ahead.passes[ahead.member];
        const KeyTile &keys = pass.keys_of[place], &values = pass.values_of[place];
        const std::size_t end = std::min<std::size_t>(keys.n, ahead.begin + layout.block_size),
                          stop = std::min(end, ahead.row + until - ahead.asked);
        ahead.asked += stop - ahead.row;
        if (ahead.row < stop) {
            prefetch_rows(keys, ahead.row, stop, layout.k.bytes);
            prefetch_rows(values, ahead.row, stop, layout.v.bytes);
        }
        ahead.row = stop;
        if (ahead.row < end) return;
        if (++ahead.member == ahead.passes.size()) {
            ahead.member = 0;
            ahead.begin = end;
        }
        ahead.row = ahead.begin;
    }
}

template <class Ask>
void Attention::attend_tile(Pass& pass, std::size_t place, Scratch& scratch,
                            const Ask& ask_for_part) const {
    const auto [layer, query, head, begin, end] = pass.keys;
    const HeadGroup heads = heads_of(pass.keys);
    KeyTile &keys = pass.keys_of[place], &values = pass.values_of[place];
    ask_for_part(0);
    rows_.prepare(keys, {layer, Side::K, head}, *query, scratch.k);
    rows_.prepare(values, {layer, Side::V, head}, *query, scratch.v);
    float* scores = scratch.scores.data();
    float* keep = scores + heads.size * kTileKeys;
    kernels_.scores[static_cast<std::size_t>(keys.code)](heads, keys, scores);
    ask_for_part(1);
    for (std::size_t h = 0; h < heads.size; ++h)
        keep[h] = kernels_.softmax_step(scores + h * kTileKeys, keys.n, pass.states[h]);
    ask_for_part(2);
    kernels_.weigh_values[static_cast<std::size_t>(values.code)](
        {scores, keep, heads.size, values, pass.output});
}

// softmax(q K^T / sqrt(head_dim)) V over some keys, not yet divided by the sum. Several passes go
// together, a tile of each in turn. Every tile's turn asks for a part of what all of them read in
// the next round: then many runs of memory are under way at a time, as fast memory needs.
void Attention::attend(std::span<Pass> passes, Scratch& scratch) const {
    std::vector<Ahead> ahead = ahead_of(passes);
    // Takes the next tiles of all passes; false when there are none.
    const auto begin_round = [&](std::size_t place) {
        bool more = false;
        for (Pass& pass : passes) {
            take_tile(pass, place);
            more = more || pass.keys_of[place].n > 0;
        }
        for (Ahead& a : ahead) a = {a.passes, a.passes.size() * a.passes[0].keys_of[place].n};
        return more;
    };
    for (Pass& pass : passes) {
        std::fill_n(pass.output, group_ * dim_, 0.0f);
        std::fill_n(pass.states, group_, SoftmaxState{});
    }
    begin_round(0);
    for (Ahead& a : ahead) ask(a, 0, a.rows);
    bool more = true;
    const std::size_t parts = passes.size() * kParts;
    for (std::size_t now = 0; more; now = 1 - now) {
        more = begin_round(1 - now);
        for (std::size_t i = 0; i < passes.size(); ++i) {
            const auto ask_for_part = [&](std::size_t part) {
                for (Ahead& a : ahead) ask(a, 1 - now, a.rows * (i * kParts + part + 1) / parts);
            };
            if (passes[i].keys_of[now].n > 0) attend_tile(passes[i], now, scratch, ask_for_part);
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

std::vector<float> Attention::scores(LayerId layer, const Query& query, std::uint32_t head) const {
    const Keys keys =
        visible(layer, query, kv_head_of(head, config_.n_heads, config_.n_kv_heads).value);
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
        rows_.prepare(tile_k, {layer, Side::K, keys.head}, query, room);
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
    return keys.query->attention_output + keys.head.index() * group_ * dim_;
}

HeadGroup Attention::heads_of(const Keys& keys) const {
    return {keys.query->q + keys.head.index() * group_ * dim_, group_, scale()};
}

float Attention::scale() const {
    return 1.0f / std::sqrt(static_cast<float>(dim_));
}

}  // namespace kv::cpu
