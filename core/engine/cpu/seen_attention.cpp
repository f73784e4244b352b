#include "core/engine/cpu/seen_attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engine/softmax_state.hpp"

namespace kv::cpu {

SeenAttention::Work SeenAttention::make_work() const {
    Work work;
    work.q.resize(1, group() * config_.head_dim);
    work.k.resize(kTileKeys, config_.head_dim);
    work.scores.resize(group() * (kTileKeys + 1));
    return work;
}

// No position is turned to that lies behind the last token's own.
void SeenAttention::know_angles(std::span<const SeenQuery> queries) {
    const std::size_t n = frequencies_.size();
    std::size_t end = 0;
    for (const SeenQuery& query : queries)
        if (!turned_when_stored(*query.work))
            end = std::max<std::size_t>(end, query.work->positions[query.row] + std::size_t{1});
    for (std::size_t position = cosine_.size() / n; position < end; ++position)
        for (const double frequency : frequencies_) {
            const double angle = static_cast<double>(position) * frequency;
            cosine_.push_back(static_cast<float>(std::cos(angle)));
            sine_.push_back(static_cast<float>(std::sin(angle)));
        }
}

// What the query sees, and the query heads of the group, turned if keys are.
void SeenAttention::find(LayerId layer, const SeenQuery& query, HeadId head, Work& work) const {
    find_seen_keys(config_, pool_.layout(), *query.work, layer, head, query.row, work.seen);
    const std::size_t dim = config_.head_dim, n = frequencies_.size();
    for (std::size_t h = 0; h < group(); ++h) {
        std::copy_n(query.q + (head.index() * group() + h) * dim, dim, work.q[0] + h * dim);
        if (!work.seen.turn) continue;
        const std::size_t at = work.seen.positions.back() * n;
        kernels_.rotate(work.q[0] + h * dim, &cosine_[at], &sine_[at], n);
    }
}

KvFormat SeenAttention::gather(LayerId layer, const SeenQuery& query, HeadId head,
                               std::size_t begin, std::size_t end, Work& work, KeyTile& keys,
                               KeyTile& values) const {
    const KvLayout& layout = pool_.layout();
    const std::vector<BlockId>& table = query.work->tables->of(layer, head);
    keys.n = values.n = end - begin;
    keys.dim = layout.k.dim;
    values.dim = layout.v.dim;
    for (std::size_t j = 0; j < keys.n; ++j) {
        const std::uint32_t at = work.seen.slots[begin + j], entry = at / layout.block_size;
        KV_ASSERT(entry < table.size() && table[entry].value < layout.n_blocks);
        const Slot slot(at % layout.block_size);
        keys.row[j] = pool_.vector(layer, KvSide::K, head, table[entry], slot);
        values.row[j] = pool_.vector(layer, KvSide::V, head, table[entry], slot);
    }
    if (!work.seen.turn) return pool_.format(KvSide::K);
    const std::size_t n = frequencies_.size();
    for (std::size_t j = 0; j < keys.n; ++j) {
        kernels_.decode[static_cast<std::size_t>(pool_.format(KvSide::K))](keys.row[j], keys.dim,
                                                                           work.k[j]);
        const std::size_t angle = work.seen.positions[begin + j] * n;
        kernels_.rotate(work.k[j], &cosine_[angle], &sine_[angle], n);
        keys.row[j] = reinterpret_cast<const std::byte*>(work.k[j]);
    }
    return KvFormat::F32;
}

void SeenAttention::attend(LayerId layer, const SeenQuery& query, HeadId head, Work& work) const {
    const std::size_t dim = config_.head_dim, heads = group();
    float* out = query.mixed + head.index() * heads * dim;
    float* keep = work.scores.data() + heads * kTileKeys;
    std::vector<SoftmaxState> states(heads);
    std::fill_n(out, heads * dim, 0.0f);
    find(layer, query, head, work);
    const float scale = 1.0f / std::sqrt(static_cast<float>(dim));
    const auto v = static_cast<std::size_t>(pool_.format(KvSide::V));
    for (std::size_t at = 0, end; at < work.seen.slots.size(); at = end) {
        end = std::min(work.seen.slots.size(), at + kTileKeys);
        KeyTile keys, values;
        const KvFormat k = gather(layer, query, head, at, end, work, keys, values);
        kernels_.scores[static_cast<std::size_t>(k)]({work.q[0], heads, scale}, keys,
                                                     work.scores.data());
        for (std::size_t h = 0; h < heads; ++h)
            keep[h] = kernels_.soften(&work.scores[h * kTileKeys], keys.n, states[h]);
        kernels_.mix[v]({work.scores.data(), keep, heads, values, out});
    }
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t c = 0; c < dim; ++c) out[h * dim + c] /= states[h].sum;
}

void SeenAttention::run(ThreadPool& threads, LayerId layer, std::span<const SeenQuery> queries) {
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

std::vector<float> SeenAttention::scores(LayerId layer, const SeenQuery& query,
                                         std::uint32_t head) {
    const HeadId kv_head(static_cast<std::uint32_t>(head / group()));
    Work work = make_work();
    know_angles({&query, 1});
    find(layer, query, kv_head, work);
    const float scale = 1.0f / std::sqrt(static_cast<float>(config_.head_dim));
    std::vector<float> all;
    for (std::size_t at = 0, end; at < work.seen.slots.size(); at = end) {
        end = std::min(work.seen.slots.size(), at + kTileKeys);
        KeyTile keys, values;
        const KvFormat k = gather(layer, query, kv_head, at, end, work, keys, values);
        kernels_.scores[static_cast<std::size_t>(k)](
            {work.q[0] + head % group() * config_.head_dim, 1, scale}, keys, work.scores.data());
        all.insert(all.end(), work.scores.begin(),
                   work.scores.begin() + static_cast<std::ptrdiff_t>(keys.n));
    }
    return all;
}

}  // namespace kv::cpu
