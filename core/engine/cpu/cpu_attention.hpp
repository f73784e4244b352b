#pragma once
// Attention over the pages of the pool, for all query heads that share a KV head at once: a key and
// a value are fetched once for the group. One pass with an online softmax: 32 keys are scored, the
// state takes them in, their values are mixed, and on.
//
// Where sums are cut depends on slot numbers alone: tiles begin at multiples of kTileKeys, and
// spans, which different threads may take, at multiples of kSpanKeys. So no bit of the result
// depends on the number of threads, the block size, the tables or the neighbours in the batch.

#include <cstddef>
#include <span>
#include <vector>

#include "core/cache/kv_pool.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/cpu_kernels.hpp"
#include "core/engine/cpu/key_walk.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/model/config.hpp"

namespace kv::cpu {

constexpr std::uint32_t kSpanKeys = 512;

struct Query {
    const SequenceWork* work;
    std::uint32_t slot;  // of the token that asks; it sees the slots up to its own
    const float* q;      // (n_heads, head_dim)
    float* mixed;        // (n_heads, head_dim)
};

class Attention {
public:
    Attention(const ModelConfig& config, const KvPool& pool, const CpuKernels& kernels);

    void run(ThreadPool& threads, LayerId layer, std::span<const Query> queries);

    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const Query& query, std::uint32_t head) const;

private:
    struct Keys {  // [begin, end) of one KV head, seen by one query
        LayerId layer;
        const Query* query;
        HeadId head;
        std::uint32_t begin, end;
    };
    struct Unit {
        Keys keys;
        std::size_t partial;  // 0: the first span, which goes straight to the result
    };
    struct Pass {  // over keys, and how far it has come
        Keys keys;
        SoftmaxState* states;  // (group)
        float* output;         // (group, head_dim)
        KeyWalk walk;
        std::uint32_t slot;                // the first that no tile has taken
        KeyTile keys_of[2], values_of[2];  // the tile at hand and the next, in turn
    };

    Pass pass_of(const Keys& keys, SoftmaxState* states, float* output) const;
    void take_tile(Pass& pass, std::size_t place) const;
    void prefetch(const Pass& pass, std::size_t place, Range range) const;
    // `scratch` has room for scores and factors: (group, kTileKeys + 1).
    void attend_tile(Pass& pass, std::size_t place, std::vector<float>& scratch) const;
    void attend(std::span<Pass> passes, std::vector<float>& scratch) const;
    void attend_all(const Keys& keys, std::vector<float>& scratch, AlignedRows<float>& work) const;
    void run_split(ThreadPool& threads, LayerId layer, std::span<const Query> queries);
    std::vector<Unit> units_of(LayerId layer, std::span<const Query> queries) const;
    void divide(const SoftmaxState* states, float* output) const;
    Keys visible(LayerId layer, const Query& query, std::uint32_t head) const;
    Keys first_span(Keys keys) const;
    float* output_of(const Keys& keys) const;
    HeadGroup heads_of(const Keys& keys) const;

    const ModelConfig& config_;
    const KvPool& pool_;
    const CpuKernels& kernels_;
    std::size_t group_, dim_;
    AlignedRows<float> partial_outputs_;
    std::vector<SoftmaxState> partial_states_, first_states_;
};

}  // namespace kv::cpu
