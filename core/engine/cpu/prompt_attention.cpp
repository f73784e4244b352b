#include "core/engine/cpu/prompt_attention.hpp"

#include <algorithm>
#include <atomic>

namespace kv::cpu {
namespace {

// Query heads of a bunch: so many that what is done to a tile of keys once counts for little, and
// so few that their scores and outputs stay in the nearest caches.
constexpr std::size_t kBunchHeads = 128;

constexpr std::size_t kWorthPreparing = 8;  // query heads that read the same tile

constexpr std::size_t kWeighTogether = 4;  // query heads

KeyTile part_of(const KeyTile& tile, std::size_t first, std::size_t n) {
    KeyTile part;
    std::copy_n(tile.row + first, n, part.row);
    std::copy_n(tile.scale + first, n, part.scale);
    part.n = n;
    part.dim = tile.dim;
    part.code = tile.code;
    part.scaled = tile.scaled;
    return part;
}

}  // namespace

// A free thread takes the next bunch and KV head; late bunches, which see most keys, go first.
void PromptAttention::run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) {
    const std::vector<std::span<const Query>> bunches = bunches_of(queries);
    std::atomic<std::size_t> taken{0};
    threads.run([&](std::size_t) {
        Work work = make_work();
        for (std::size_t unit;
             (unit = taken.fetch_add(1)) < bunches.size() * kv_.config.n_kv_heads;)
            attend_bunch(layer, bunches[bunches.size() - 1 - unit / kv_.config.n_kv_heads],
                         HeadId(static_cast<std::uint32_t>(unit % kv_.config.n_kv_heads)), work);
    });
}

// Queries of a bunch: a whole number of tiles of keys, so that bunches begin where tiles do.
std::size_t PromptAttention::bunch_queries() const {
    return std::max(kBunchHeads / kv_.group / kTileKeys * kTileKeys, kTileKeys);
}

PromptAttention::Work PromptAttention::make_work() const {
    Work work;
    const std::size_t heads = bunch_queries() * kv_.group;
    work.scores.resize(heads * kTileKeys);
    work.keep.resize(heads);
    for (AlignedRows<float>* rows : {&work.q, &work.output, &work.more})
        rows->resize(1, heads * kv_.dim);
    work.k.resize(1, kv_.dim * kTileKeys);
    for (AlignedRows<float>* rows : {&work.v, &work.rows_k, &work.rows_v})
        rows->resize(kTileKeys, kv_.dim);
    return work;
}

// A bunch: tokens of one sequence that follow each other and find the same in a tile.
std::vector<std::span<const Query>> PromptAttention::bunches_of(
    std::span<const Query> queries) const {
    std::vector<std::span<const Query>> bunches;
    for (std::size_t i = 0, n; i < queries.size(); i += n) {
        for (n = 1; i + n < queries.size(); ++n) {
            const Query &one = queries[i + n - 1], &next = queries[i + n];
            const bool finds_others = one.work->one_by_one && one.own.k != nullptr;
            if (next.work != one.work || finds_others || next.token_index != one.token_index + 1 ||
                next.token_index % bunch_queries() == 0)
                break;
        }
        bunches.push_back(queries.subspan(i, n));
    }
    return bunches;
}

// All queries of the bunch go over the keys in step: a tile is fetched once, and each query takes
// of it what it sees. Every query's sums are made as if it were alone: span after span, each merged
// into the result as it comes; the state of a span that a query does not see stays empty.
void PromptAttention::attend_bunch(LayerId layer, std::span<const Query> bunch, HeadId head,
                                   Work& work) const {
    std::vector<HeadKeys>& keys = work.keys;
    keys.clear();
    for (const Query& query : bunch) keys.push_back(kv_.seen_by(query, layer, head));
    const std::size_t heads = bunch.size() * kv_.group, width = kv_.group * kv_.dim;
    for (std::size_t i = 0; i < bunch.size(); ++i)
        std::copy_n(kv_.heads_of(keys[i]).q, width, work.q[0] + i * width);
    KeyWalk walk = kv_.walk(keys[0]);
    const std::uint32_t end = keys.back().end;
    HeadKeys span = first_span({layer, &bunch[0], head, keys.front().begin, end});
    while (true) {
        const bool first = span.begin == keys.front().begin;
        std::vector<SoftmaxState>& states = first ? work.states : work.more_states;
        float* output = first ? work.output[0] : work.more[0];
        states.assign(heads, {});
        std::fill_n(output, heads * kv_.dim, 0.0f);
        attend_span(span, walk, work, states.data(), output);
        for (std::size_t h = 0; !first && h < heads; ++h)
            if (!states[h].empty())
                merge_into(work.states[h], work.output[0] + h * kv_.dim, states[h],
                           output + h * kv_.dim, kv_.dim);
        if (span.end == end) break;
        span = span_after(span, end);
    }
    for (std::size_t i = 0; i < bunch.size(); ++i) {
        kv_.divide(&work.states[i * kv_.group], work.output[0] + i * width);
        std::copy_n(work.output[0] + i * width, width, kv_.output_of(keys[i]));
    }
}

// Tile after tile, the three kernels of attention.hpp: the queries that see any of a tile,
// [tile.first, tile.last), are scored against all its keys; then each takes into its softmax state,
// and weighs, what it sees.
void PromptAttention::attend_span(const HeadKeys& span, KeyWalk& walk, Work& work,
                                  SoftmaxState* states, float* output) const {
    KeyTile k;
    Tile tile{span.begin, 0, {}, 0, 0};
    const std::vector<HeadKeys>& keys = work.keys;
    for (; tile.begin < span.end; tile.begin = tile.end) {
        tile.end = next_cut(tile.begin, kTileKeys, span.end);
        walk.gather(tile.begin, tile.end, k, tile.v);
        kv_.rows.prepare(k, {span.layer, Side::K, span.head}, *span.query, work.rows_k);
        kv_.rows.prepare(tile.v, {span.layer, Side::V, span.head}, *span.query, work.rows_v);
        while (keys[tile.first].end <= tile.begin) ++tile.first;
        while (tile.last < keys.size() && keys[tile.last].begin < tile.end) ++tile.last;
        score(k, tile.first, tile.last, work);
        for (std::size_t i = tile.first; i < tile.last; ++i) {
            const Seen seen = tile.by(keys[i]);
            for (std::size_t h = i * kv_.group; h < (i + 1) * kv_.group; ++h)
                work.keep[h] =
                    kv_.kernels.softmax_step(&work.scores[h * kTileKeys + seen.begin - tile.begin],
                                             seen.end - seen.begin, states[h]);
        }
        widen(tile, work.v);
        weigh_values(tile, work, output);
    }
}

// q K^T / sqrt(head_dim). Where many query heads read the tile its keys are transposed first, which
// costs once and gives the same bits.
void PromptAttention::score(const KeyTile& keys, std::size_t first, std::size_t last,
                            Work& work) const {
    const auto k = static_cast<std::size_t>(keys.code);
    const std::size_t from = first * kv_.group, heads = (last - first) * kv_.group;
    const HeadGroup group{work.q[0] + from * kv_.dim, heads, kv_.scale()};
    float* scores = &work.scores[from * kTileKeys];
    if (heads < kWorthPreparing) return kv_.kernels.scores[k](group, keys, scores);
    kv_.kernels.transpose_keys[k](keys, work.k[0]);
    kv_.kernels.scores_of_transposed(group, work.k[0], keys, scores);
}

// Makes the values of a tile that many query heads read into floats, once for all of them.
void PromptAttention::widen(Tile& tile, AlignedRows<float>& room) const {
    if (tile.v.code == ElementCode::F32 || (tile.last - tile.first) * kv_.group < kWorthPreparing)
        return;
    for (std::size_t j = 0; j < tile.v.n; ++j) {
        kv_.kernels.decode[static_cast<std::size_t>(tile.v.code)](tile.v.row[j], tile.v.dim,
                                                                  room[j]);
        tile.v.row[j] = reinterpret_cast<const std::byte*>(room[j]);
    }
    tile.v.code = ElementCode::F32;
}

// out = out x keep + sum of p_j v_j. Queries that see the same keys of the tile weigh its values
// together. On the diagonal of the causal mask each sees one key more than the one before: there a
// few weigh together what all of them see, and then each by itself what is left, with keep = 1.
void PromptAttention::weigh_values(const Tile& tile, Work& work, float* output) const {
    const std::vector<HeadKeys>& keys = work.keys;
    const std::size_t some = std::max<std::size_t>(kWeighTogether / kv_.group, 1);
    for (std::size_t i = tile.first, n; i < tile.last; i += n) {
        const Seen seen = tile.by(keys[i]);
        const auto next = [&] { return i + n < tile.last ? tile.by(keys[i + n]) : Seen{}; };
        for (n = 1; next() == seen;) ++n;
        if (n < some)
            while (n < some && next().begin == seen.begin && next().end > seen.end) ++n;
        weigh_some(tile, i, n, seen, work, output);
        for (std::size_t more = i + 1; more < i + n; ++more)
            if (const std::uint32_t end = tile.by(keys[more]).end; end > seen.end) {
                std::fill_n(&work.keep[more * kv_.group], kv_.group, 1.0f);
                weigh_some(tile, more, 1, {seen.end, end}, work, output);
            }
    }
}

void PromptAttention::weigh_some(const Tile& tile, std::size_t first, std::size_t n, Seen seen,
                                 Work& work, float* output) const {
    const std::size_t from = seen.begin - tile.begin, head = first * kv_.group;
    kv_.kernels.weigh_values[static_cast<std::size_t>(tile.v.code)](
        {.weights = &work.scores[head * kTileKeys + from],
         .keep = &work.keep[head],
         .heads = n * kv_.group,
         .values = part_of(tile.v, from, seen.end - seen.begin),
         .out = output + head * kv_.dim});
}

}  // namespace kv::cpu
