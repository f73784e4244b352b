#include "core/engine/cpu/listed_attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/base/numbers/elementary.hpp"
#include "core/cache/layout/place_in.hpp"
#include "core/engine/reference/softmax_state.hpp"

namespace kv::cpu {

ListedAttention::Work ListedAttention::make_work() const {
    Work work;
    work.q.resize(1, group() * config_.head_dim);
    for (AlignedRows<float>* rows : {&work.k, &work.v}) rows->resize(kTileKeys, config_.head_dim);
    work.scores.resize(group() * (kTileKeys + 1));
    return work;
}

// Computes the angles of all positions up to the last query's own: nothing is rotated further.
void ListedAttention::know_angles(std::span<const ListedQuery> queries) {
    const std::size_t n = frequencies_.size();
    std::size_t end = 0;
    for (const ListedQuery& query : queries)
        if (!rotated_when_stored(*query.work))
            end = std::max<std::size_t>(end, query.work->positions[query.row] + std::size_t{1});
    for (std::size_t position = cosine_.size() / n; position < end; ++position)
        for (const double frequency : frequencies_) {
            const double angle = static_cast<double>(position) * frequency;
            cosine_.push_back(static_cast<float>(math::cos(angle)));
            sine_.push_back(static_cast<float>(math::sin(angle)));
        }
}

// Finds what the query sees and copies the query heads that see it, rotated to the position of the
// newest key they see (which is their own token's) where keys are rotated when they are read.
void ListedAttention::find(LayerId layer, const ListedQuery& query, const Heads& heads,
                           Work& work) const {
    const std::size_t first = heads.kv_head.index() * group() + heads.first;
    find_keys_of_head(config_, pool_.layout(), *query.work, layer,
                      {heads.kv_head, static_cast<std::uint32_t>(first), query.row}, work.seen);
    const std::size_t dim = config_.head_dim, n = frequencies_.size();
    for (std::size_t h = 0; h < heads.count; ++h) {
        std::copy_n(query.q + (first + h) * dim, dim, work.q[0] + h * dim);
        if (!work.seen.rotated_when_read) continue;
        const std::size_t at = work.seen.positions.back() * n;
        kernels_.rotate(work.q[0] + h * dim, &cosine_[at], &sine_[at], n);
    }
}

ListedAttention::Tiles ListedAttention::gather(LayerId layer, const ListedQuery& query, HeadId head,
                                               std::size_t begin, std::size_t end,
                                               Work& work) const {
    Tiles tiles{};
    tiles.keys.n = tiles.values.n = end - begin;
    const HeadRows k{layer, Side::K, head}, v{layer, Side::V, head};
    find_rows(tiles.keys, k, query, begin, work);
    find_rows(tiles.values, v, query, begin, work);
    if (work.seen.rotated_when_read || !as_they_lie(tiles.keys, k, query, begin, work))
        widen(tiles.keys, k, query, begin, work, work.k);
    if (!as_they_lie(tiles.values, v, query, begin, work))
        widen(tiles.values, v, query, begin, work, work.v);
    if (work.seen.rotated_when_read) rotate(tiles.keys, begin, work);
    return tiles;
}

void ListedAttention::find_rows(KeyTile& tile, const HeadRows& at, const ListedQuery& query,
                                std::size_t begin, const Work& work) const {
    const KvLayout& layout = pool_.layout();
    const std::vector<BlockId>& table = query.work->tables->of(at.layer, at.head);
    tile.dim = layout.vector(at.side).dim;
    tile.code = spec_.codec(at.side).code;
    for (std::size_t j = 0; j < tile.n; ++j) {
        const auto [block, slot] = place_in(table, work.seen.slots[begin + j], layout);
        tile.row[j] = pool_.vector(at.layer, at.side, at.head, block, slot);
    }
}

// Whether kernels can read a tile where it lies in the pool; then its scales are fetched.
bool ListedAttention::as_they_lie(KeyTile& tile, const HeadRows& at, const ListedQuery& query,
                                  std::size_t begin, const Work& work) const {
    const Codec& codec = spec_.codec(at.side);
    if (!is_read(codec)) return false;
    for (std::size_t j = 0; spec_.attends_exactly(at.side) && j < tile.n; ++j)
        if (computed_row(*query.work, at.layer, at.head, work.seen.slots[begin + j], query.row))
            return false;
    read_scales(kernels_, codec, tile);
    return true;
}

// Makes a tile into floats. Where tokens of a pass attend to each other exactly, the floats are
// taken that the codes were made of.
void ListedAttention::widen(KeyTile& tile, const HeadRows& at, const ListedQuery& query,
                            std::size_t begin, const Work& work, AlignedRows<float>& room) const {
    const Codec& codec = spec_.codec(at.side);
    const SharedScale shared = pool_.shared_scale(at.layer, at.side);
    const bool key = at.side == Side::K, exact = spec_.attends_exactly(at.side);
    const float* own = key ? query.own.k : query.own.v;
    const std::size_t stride = key ? query.own.k_stride : query.own.v_stride;
    for (std::size_t j = 0; j < tile.n; ++j) {
        const auto row = exact ? computed_row(*query.work, at.layer, at.head,
                                              work.seen.slots[begin + j], query.row)
                               : std::nullopt;
        if (row)
            std::copy_n(own + *row * stride + at.head.index() * tile.dim, tile.dim, room[j]);
        else if (codec.is_plain())
            kernels_.decode[static_cast<std::size_t>(codec.code)](tile.row[j], tile.dim, room[j]);
        else
            decode_vector(codec, tile.row[j], static_cast<std::uint32_t>(tile.dim), room[j],
                          shared);
        tile.row[j] = reinterpret_cast<const std::byte*>(room[j]);
    }
    tile.code = ElementCode::F32;
}

void ListedAttention::rotate(KeyTile& keys, std::size_t begin, Work& work) const {
    const std::size_t n = frequencies_.size();
    for (std::size_t j = 0; j < keys.n; ++j) {
        const std::size_t angle = work.seen.positions[begin + j] * n;
        kernels_.rotate(work.k[j], &cosine_[angle], &sine_[angle], n);
    }
}

void ListedAttention::attend(LayerId layer, const ListedQuery& query, HeadId head,
                             Work& work) const {
    if (!sees_by_head(config_, *query.work, layer, query.row))
        return attend(layer, query, Heads{head, 0, group()}, work);
    for (std::size_t h = 0; h < group(); ++h) attend(layer, query, Heads{head, h, 1}, work);
}

void ListedAttention::attend(LayerId layer, const ListedQuery& query, const Heads& heads,
                             Work& work) const {
    const std::size_t dim = config_.head_dim;
    const HeadId head = heads.kv_head;
    float* out = query.attention_output + (head.index() * group() + heads.first) * dim;
    float* keep = work.scores.data() + heads.count * kTileKeys;
    std::vector<SoftmaxState> states(heads.count);
    std::fill_n(out, heads.count * dim, 0.0f);
    find(layer, query, heads, work);
    const float scale = 1.0f / std::sqrt(static_cast<float>(dim));
    for (std::size_t at = 0, end; at < work.seen.slots.size(); at = end) {
        end = std::min(work.seen.slots.size(), at + kTileKeys);
        const Tiles tiles = gather(layer, query, head, at, end, work);
        kernels_.scores[static_cast<std::size_t>(tiles.keys.code)]({work.q[0], heads.count, scale},
                                                                   tiles.keys, work.scores.data());
        for (std::size_t h = 0; h < heads.count; ++h)
            keep[h] = kernels_.softmax_step(&work.scores[h * kTileKeys], tiles.keys.n, states[h]);
        kernels_.weigh_values[static_cast<std::size_t>(tiles.values.code)](
            {.weights = work.scores.data(),
             .keep = keep,
             .heads = heads.count,
             .values = tiles.values,
             .out = out});
    }
    for (std::size_t h = 0; h < heads.count; ++h)
        for (std::size_t c = 0; c < dim; ++c) out[h * dim + c] /= states[h].sum;
}

void ListedAttention::run(ThreadPool& threads, LayerId layer,
                          std::span<const ListedQuery> queries) {
    if (queries.empty()) return;
    know_angles(queries);
    threads.run([&](std::size_t part) {
        Work work = make_work();
        for (std::size_t unit = part; unit < queries.size() * config_.n_kv_heads;
             unit += threads.size())
            attend(layer, queries[unit / config_.n_kv_heads],
                   HeadId(static_cast<std::uint32_t>(unit % config_.n_kv_heads)), work);
    });
}

std::vector<float> ListedAttention::scores(LayerId layer, const ListedQuery& query,
                                           std::uint32_t head) {
    const HeadId kv_head = kv_head_of(head, config_.n_heads, config_.n_kv_heads);
    Work work = make_work();
    know_angles({&query, 1});
    find(layer, query, {kv_head, head % group(), 1}, work);
    const float scale = 1.0f / std::sqrt(static_cast<float>(config_.head_dim));
    std::vector<float> all;
    for (std::size_t at = 0, end; at < work.seen.slots.size(); at = end) {
        end = std::min(work.seen.slots.size(), at + kTileKeys);
        const Tiles tiles = gather(layer, query, kv_head, at, end, work);
        kernels_.scores[static_cast<std::size_t>(tiles.keys.code)]({work.q[0], 1, scale},
                                                                   tiles.keys, work.scores.data());
        all.insert(all.end(), work.scores.begin(),
                   work.scores.begin() + static_cast<std::ptrdiff_t>(tiles.keys.n));
    }
    return all;
}

}  // namespace kv::cpu
