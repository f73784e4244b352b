#include "core/engine/cpu/decode_attention.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace kv::cpu {
namespace {

constexpr std::size_t kTogether = 8;  // runs that go in rounds, a tile of each

}  // namespace

void DecodeAttention::run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    const std::vector<Unit> units = units_of(layer, queries);
    partial_outputs_.resize(units.size(), kv_.group * kv_.dim);
    partial_states_.assign(units.size() * kv_.group, {});
    threads.run([&](std::size_t thread) {
        attend_share(units, share_of(units.size(), 1, thread, threads.size()));
    });
    merge_spans(units);
}

std::vector<DecodeAttention::Unit> DecodeAttention::units_of(LayerId layer,
                                                             std::span<const Query> queries) const {
    std::vector<Unit> units;
    for (const Query& query : queries)
        for (std::uint32_t head = 0; head < kv_.config.n_kv_heads; ++head) {
            const HeadKeys keys = kv_.seen_by(query, layer, HeadId(head));
            HeadKeys span = first_span(keys);
            for (std::size_t i = 0; span.begin < keys.end; ++i) {
                units.push_back({span, i});
                span = span_after(span, keys.end);
            }
        }
    return units;
}

void DecodeAttention::attend_share(std::span<const Unit> units, Range share) {
    Scratch scratch = make_scratch();
    std::vector<KeyRun> runs;
    for (const std::size_t u : by_machine_page(units, share)) {
        const HeadKeys& keys = units[u].keys;
        float* output = units[u].span_index == 0 ? kv_.output_of(keys) : partial_outputs_[u];
        runs.push_back({.keys = keys,
                        .states = &partial_states_[u * kv_.group],
                        .output = output,
                        .walk = kv_.walk(keys),
                        .slot = keys.begin});
    }
    // Cut at multiples of the heads in a page of the machine, which follow each other: a batch
    // keeps them together, unless the share begins amid such a page.
    const std::size_t grain = std::min(heads_in_machine_page(kv_.pool.layout()), kTogether);
    const std::size_t batches = (runs.size() + kTogether - 1) / kTogether;
    for (std::size_t b = 0; b < batches; ++b) {
        const Range some = share_of(runs.size(), grain, b, batches);
        attend(std::span(runs).subspan(some.begin, some.end - some.begin), scratch);
    }
}

// The order in which a thread takes its units: those that read the same slots of heads in the same
// pages of the machine (4 KiB of memory, no block of the pool) follow each other; why,
// heads_in_machine_page() says (read_ahead.hpp).
std::vector<std::size_t> DecodeAttention::by_machine_page(std::span<const Unit> units,
                                                          Range share) const {
    const std::size_t heads = heads_in_machine_page(kv_.pool.layout());
    std::vector<std::size_t> order(share.end - share.begin);
    std::iota(order.begin(), order.end(), share.begin);
    const auto place = [&](std::size_t u) {
        const HeadKeys& keys = units[u].keys;
        return std::tuple(keys.query, keys.head.index() / heads, keys.begin);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    return order;
}

DecodeAttention::Scratch DecodeAttention::make_scratch() const {
    Scratch scratch;
    scratch.scores.resize(kv_.group * (kTileKeys + 1));
    for (AlignedRows<float>* rows : {&scratch.k, &scratch.v}) rows->resize(kTileKeys, kv_.dim);
    return scratch;
}

// softmax(q K^T / sqrt(head_dim)) V over some keys, not yet divided by the sum. Several runs go
// together, a tile of each in a round.
void DecodeAttention::attend(std::span<KeyRun> runs, Scratch& scratch) const {
    for (KeyRun& run : runs) {
        std::fill_n(run.output, kv_.group * kv_.dim, 0.0f);
        std::fill_n(run.states, kv_.group, SoftmaxState{});
    }
    Rounds rounds(kv_.pool.layout(), runs);
    while (rounds.next())
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (ReadTile* tile = rounds.start(i)) attend_tile(runs[i], *tile, rounds, scratch);
}

// One tile, the three kernels of attention.hpp. Before each, rounds.ask() asks memory for a share
// of the next tiles.
void DecodeAttention::attend_tile(KeyRun& run, ReadTile& tile, Rounds& rounds,
                                  Scratch& scratch) const {
    const HeadKeys& span = run.keys;
    const HeadGroup heads = kv_.heads_of(span);
    auto& [keys, values] = tile;
    float* scores = scratch.scores.data();
    float* keep = scores + heads.size * kTileKeys;
    rounds.ask();
    kv_.rows.prepare(keys, {span.layer, Side::K, span.head}, *span.query, scratch.k);
    kv_.rows.prepare(values, {span.layer, Side::V, span.head}, *span.query, scratch.v);
    kv_.kernels.scores[static_cast<std::size_t>(keys.code)](heads, keys, scores);
    rounds.ask();
    for (std::size_t h = 0; h < heads.size; ++h)
        keep[h] = kv_.kernels.softmax_step(scores + h * kTileKeys, keys.n, run.states[h]);
    rounds.ask();
    const ValueSum sum{
        .weights = scores, .keep = keep, .heads = heads.size, .values = values, .out = run.output};
    kv_.kernels.weigh_values[static_cast<std::size_t>(values.code)](sum);
}

// The spans of a query and KV head follow each other; the first of them has the result's place.
void DecodeAttention::merge_spans(std::span<const Unit> units) {
    for (std::size_t u = 0; u < units.size();) {
        SoftmaxState* all = &partial_states_[u * kv_.group];
        float* output = kv_.output_of(units[u].keys);
        for (++u; u < units.size() && units[u].span_index != 0; ++u)
            for (std::size_t h = 0; h < kv_.group; ++h)
                merge_into(all[h], output + h * kv_.dim, partial_states_[u * kv_.group + h],
                           partial_outputs_[u] + h * kv_.dim, kv_.dim);
        kv_.divide(all, output);
    }
}

std::vector<float> DecodeAttention::scores(LayerId layer, const Query& query,
                                           std::uint32_t head) const {
    const HeadKeys keys =
        kv_.seen_by(query, layer, kv_head_of(head, kv_.config.n_heads, kv_.config.n_kv_heads));
    HeadGroup one = kv_.heads_of(keys);
    one.q = query.q + head * kv_.dim;
    one.size = 1;
    KeyWalk walk = kv_.walk(keys);
    KeyTile tile_k, tile_v;
    AlignedRows<float> room;
    room.resize(kTileKeys, kv_.dim);
    std::vector<float> all;
    for (std::uint32_t slot = keys.begin, next; slot < keys.end; slot = next) {
        next = next_cut(slot, kTileKeys, keys.end);
        walk.gather(slot, next, tile_k, tile_v);
        kv_.rows.prepare(tile_k, {layer, Side::K, keys.head}, query, room);
        float scores[kTileKeys];
        kv_.kernels.scores[static_cast<std::size_t>(tile_k.code)](one, tile_k, scores);
        all.insert(all.end(), scores, scores + tile_k.n);
    }
    return all;
}

}  // namespace kv::cpu
