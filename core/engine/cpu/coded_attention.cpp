#include "core/engine/cpu/coded_attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/engine/pool_backend.hpp"

namespace kv::cpu {
namespace {

constexpr std::size_t kRunTokens = 32;  // of a prompt, that go together

constexpr auto kF32 = static_cast<std::size_t>(KvCode::F32);

std::uint32_t next_tile(std::uint32_t slot, std::uint32_t end) {
    const auto every = static_cast<std::uint32_t>(kTileKeys);
    return std::min(end, (slot / every + 1) * every);
}

// [first, last) of a tile.
KeyTile part_of(const KeyTile& tile, std::uint32_t first, std::uint32_t last) {
    KeyTile part;
    std::copy(tile.row + first, tile.row + last, part.row);
    part.n = last - first;
    part.dim = tile.dim;
    return part;
}

// Tokens of one sequence that follow each other.
std::vector<std::span<const Query>> runs_of(std::span<const Query> queries) {
    std::vector<std::span<const Query>> runs;
    for (std::size_t i = 0, n; i < queries.size(); i += n) {
        n = 1;
        while (i + n < queries.size() && n < kRunTokens && queries[i + n].work == queries[i].work)
            ++n;
        runs.push_back(queries.subspan(i, n));
    }
    return runs;
}

}  // namespace

CodedAttention::CodedAttention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
                               const CpuKernels& kernels, Read read)
    : config_(config),
      pool_(pool),
      spec_(spec),
      kernels_(kernels),
      read_(std::move(read)),
      group_(config.n_heads / config.n_kv_heads),
      dim_(config.head_dim) {}

void CodedAttention::run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) const {
    const std::vector<std::span<const Query>> runs = runs_of(queries);
    threads.run([&](std::size_t part) {
        Room room;
        for (AlignedRows<float>* rows : {&room.k, &room.v}) rows->resize(kTileKeys, dim_);
        room.scores.resize(group_ * kTileKeys);
        room.keep.resize(group_);
        for (std::size_t unit = part; unit < runs.size() * config_.n_kv_heads;
             unit += threads.size())
            attend(layer, runs[unit / config_.n_kv_heads],
                   static_cast<std::uint32_t>(unit % config_.n_kv_heads), room);
    });
}

CodedAttention::Seen CodedAttention::seen_by(LayerId layer, const Query& query) const {
    return {first_visible(config_, layer, query.slot), query.slot + 1};
}

// The queries of a run in step: each takes of a tile what it sees.
void CodedAttention::attend(LayerId layer, std::span<const Query> run, std::uint32_t head,
                            Room& room) const {
    const std::size_t width = group_ * dim_;
    room.output.resize(1, run.size() * width);
    std::fill_n(room.output[0], run.size() * width, 0.0f);
    room.states.assign(run.size() * group_, {});
    KeyWalk walk(pool_, run[0].work->tables->of(layer, HeadId(head)), layer, HeadId(head));
    const std::uint32_t end = seen_by(layer, run.back()).end;
    KeyTile keys, values;
    for (std::uint32_t slot = seen_by(layer, run[0]).begin, next; slot < end; slot = next) {
        next = next_tile(slot, end);
        walk.gather(slot, next, keys, values);
        widen(keys, {layer, KvSide::K}, run[0], head, slot, room.k);
        widen(values, {layer, KvSide::V}, run[0], head, slot, room.v);
        for (std::size_t i = 0; i < run.size(); ++i) {
            const Seen seen = seen_by(layer, run[i]);
            const std::uint32_t from = std::max(slot, seen.begin), to = std::min(next, seen.end);
            if (from >= to) continue;
            attend_tile(run[i], head, part_of(keys, from - slot, to - slot),
                        part_of(values, from - slot, to - slot), &room.states[i * group_],
                        room.output[0] + i * width, room);
        }
    }
    for (std::size_t i = 0; i < run.size(); ++i)
        for (std::size_t h = 0; h < group_; ++h)
            for (std::size_t c = 0; c < dim_; ++c)
                run[i].mixed[head * width + h * dim_ + c] =
                    room.output[0][i * width + h * dim_ + c] / room.states[i * group_ + h].sum;
}

void CodedAttention::attend_tile(const Query& query, std::uint32_t head, const KeyTile& keys,
                                 const KeyTile& values, SoftmaxState* states, float* output,
                                 Room& room) const {
    float* scores = room.scores.data();
    kernels_.scores[kF32]({query.q + head * group_ * dim_, group_, scale()}, keys, scores);
    for (std::size_t h = 0; h < group_; ++h)
        room.keep[h] = kernels_.soften(scores + h * kTileKeys, keys.n, states[h]);
    kernels_.mix[kF32]({scores, room.keep.data(), group_, values, output});
}

// `first` is the slot of the tile's first row.
void CodedAttention::widen(KeyTile& tile, const Side& at, const Query& query, std::uint32_t head,
                           std::uint32_t first, AlignedRows<float>& room) const {
    const auto [layer, side] = at;
    const KvFormat& format = pool_.format(side);
    const SharedScale shared = pool_.shared_scale(layer, side);
    const bool exact = spec_.attends_exactly(side);
    const std::span<const std::uint32_t> own = query.work->slots;
    const float* rows = side == KvSide::K ? query.own.k : query.own.v;
    const std::size_t stride = side == KvSide::K ? query.own.k_stride : query.own.v_stride;
    for (std::uint32_t j = 0; j < tile.n; ++j) {
        const float* row = room[j];
        const auto mine = std::lower_bound(own.begin(), own.end(), first + j);
        if (exact && mine != own.end() && *mine == first + j)
            row = rows + static_cast<std::size_t>(mine - own.begin()) * stride + head * dim_;
        else if (format.has_residual())
            read_(*query.work, layer, side, HeadId(head), first + j,
                  exact ? own.front() : query.slot, room[j]);
        else
            decode_vector(format, tile.row[j], static_cast<std::uint32_t>(tile.dim), room[j],
                          shared);
        tile.row[j] = reinterpret_cast<const std::byte*>(row);
    }
}

std::vector<float> CodedAttention::scores(LayerId layer, const Query& query,
                                          std::uint32_t head) const {
    const auto kv_head = static_cast<std::uint32_t>(head / group_);
    const Seen seen = seen_by(layer, query);
    KeyWalk walk(pool_, query.work->tables->of(layer, HeadId(kv_head)), layer, HeadId(kv_head));
    AlignedRows<float> room;
    room.resize(kTileKeys, dim_);
    KeyTile keys, values;
    std::vector<float> all;
    for (std::uint32_t slot = seen.begin, next; slot < seen.end; slot = next) {
        next = next_tile(slot, seen.end);
        walk.gather(slot, next, keys, values);
        widen(keys, {layer, KvSide::K}, query, kv_head, slot, room);
        float scores[kTileKeys];
        kernels_.scores[kF32]({query.q + head * dim_, 1, scale()}, keys, scores);
        all.insert(all.end(), scores, scores + keys.n);
    }
    return all;
}

float CodedAttention::scale() const {
    return 1.0f / std::sqrt(static_cast<float>(dim_));
}

}  // namespace kv::cpu
