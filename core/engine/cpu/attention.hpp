#pragma once
// Attention over the pages of the pool, for all query heads that share a KV head at once: a key and
// a value are fetched once for the group, and for many tokens of a prompt that follow each other.
// One pass with an online softmax: 32 keys are scored, the state takes them in, their values are
// weighed, and on. A few queries are in attention.cpp, a prompt in prompt_attention.cpp.
//
// Where sums are cut depends on slot numbers alone: tiles begin at multiples of kTileKeys, and
// spans, which different threads may take, at multiples of kSpanKeys. So no bit of the result
// depends on the number of threads, the block size, the tables or the neighbours in the batch.

#include <cstddef>
#include <span>
#include <vector>

#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/coded_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/key_walk.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/model/config/config.hpp"

namespace kv::cpu {

constexpr std::uint32_t kSpanKeys = 512;

// The first place after `slot` where a sum is cut, or `end`.
inline std::uint32_t next_cut(std::uint32_t slot, std::uint32_t every, std::uint32_t end) {
    const std::uint32_t cut = (slot / every + 1) * every;
    return cut < end ? cut : end;
}

class Attention {
public:
    Attention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
              const CpuKernels& kernels, ReadRow read = {});

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

    struct RunWork {                // of a thread, for queries that go together
        std::vector<Keys> keys;     // of each query
        std::vector<float> scores;  // (queries x group, kTileKeys)
        std::vector<float> keep;    // (queries x group)
        AlignedRows<float> k, v;  // transposed (head_dim, kTileKeys), widened (kTileKeys, head_dim)
        AlignedRows<float> rows_k, rows_v;   // (kTileKeys, head_dim), of what no kernel reads
        AlignedRows<float> q, output, more;  // (queries x group, head_dim)
        std::vector<SoftmaxState> states, more_states;  // (queries x group)
    };
    struct Seen {  // of a tile, by a query
        std::uint32_t begin, end;
        bool operator==(const Seen& o) const { return begin == o.begin && end == o.end; }
    };
    struct SeenTile {  // by the queries [first, last) of a run
        std::uint32_t begin, end;
        KeyTile v;
        std::size_t first, last;
        Seen by(const Keys& keys) const {
            return {keys.begin > begin ? keys.begin : begin, keys.end < end ? keys.end : end};
        }
    };

    Pass pass_of(const Keys& keys, SoftmaxState* states, float* output) const;
    void take_tile(Pass& pass, std::size_t place) const;
    struct Scratch {                // of a thread
        std::vector<float> scores;  // (heads, kTileKeys), and a factor for each head behind them
        AlignedRows<float> k, v;    // (kTileKeys, head_dim), of what no kernel reads
    };
    Scratch make_scratch() const;
    // Passes over the same slots of heads that share pages of the machine, and how far memory has
    // been asked for what they read next: a run of slots of one head, the same of the next head.
    struct Ahead {
        std::span<const Pass> passes;
        std::size_t rows = 0, asked = 0;             // of all of them, in this round
        std::size_t begin = 0, member = 0, row = 0;  // of the run, in the passes, in the tile
    };
    std::vector<Ahead> ahead_of(std::span<const Pass> passes) const;
    void ask(Ahead& ahead, std::size_t place, std::size_t until) const;
    template <class Ask>
    void attend_tile(Pass& pass, std::size_t place, Scratch& scratch,
                     const Ask& ask_for_part) const;
    void attend(std::span<Pass> passes, Scratch& scratch) const;
    void run_many(ThreadPool& threads, LayerId layer, std::span<const Query> queries);
    std::size_t run_queries() const;
    std::vector<std::span<const Query>> runs_of(std::span<const Query> queries) const;
    RunWork run_work() const;
    void attend_run(LayerId layer, std::span<const Query> run, std::uint32_t head,
                    RunWork& work) const;
    void attend_span(const Keys& span, KeyWalk& walk, RunWork& work, SoftmaxState* states,
                     float* output) const;
    void score(const KeyTile& keys, std::size_t first, std::size_t last, RunWork& work) const;
    void weigh_values(const SeenTile& tile, RunWork& work, float* output) const;
    void weigh_some(const SeenTile& tile, std::size_t first, std::size_t n, Seen seen,
                    RunWork& work, float* output) const;
    void widen(SeenTile& tile, AlignedRows<float>& room) const;
    void run_split(ThreadPool& threads, LayerId layer, std::span<const Query> queries);
    std::vector<Unit> units_of(LayerId layer, std::span<const Query> queries) const;
    std::vector<std::size_t> in_pages(std::span<const Unit> units, Range share) const;
    void divide(const SoftmaxState* states, float* output) const;
    Keys visible(LayerId layer, const Query& query, std::uint32_t head) const;
    Keys first_span(Keys keys) const;
    float* output_of(const Keys& keys) const;
    HeadGroup heads_of(const Keys& keys) const;
    float scale() const;

    const ModelConfig& config_;
    const KvPool& pool_;
    const CpuKernels& kernels_;
    CodedRows rows_;
    std::size_t group_, dim_;
    AlignedRows<float> partial_outputs_;
    std::vector<SoftmaxState> partial_states_, first_states_;
};

}  // namespace kv::cpu
