#pragma once
// Attention of a prompt, or of many sequences at once: there is enough to do for all threads
// without sharing out the keys of a query, and tokens that follow each other are a
// bunch, so that a tile of keys is fetched once for all of them.

#include <cstddef>
#include <span>
#include <vector>

#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/cache_pages.hpp"
#include "core/engine/cpu/thread_pool.hpp"

namespace kv::cpu {

class PromptAttention {
public:
    explicit PromptAttention(const CachePages& kv) : kv_(kv) {}

    void run(ThreadPool& threads, LayerId layer, std::span<const Query> queries);

private:
    struct Work {                    // what a thread needs for a bunch
        std::vector<HeadKeys> keys;  // of each query
        std::vector<float> scores;   // (queries x group, kTileKeys)
        std::vector<float> keep;     // (queries x group)
        AlignedRows<float> k, v;  // transposed (head_dim, kTileKeys), widened (kTileKeys, head_dim)
        AlignedRows<float> rows_k, rows_v;   // (kTileKeys, head_dim), of what no kernel reads
        AlignedRows<float> q, output, more;  // (queries x group, head_dim)
        std::vector<SoftmaxState> states, more_states;  // (queries x group)
    };
    struct Seen {  // slots [begin, end) of a tile that a query sees
        std::uint32_t begin, end;
        bool operator==(const Seen& o) const { return begin == o.begin && end == o.end; }
    };
    struct Tile {  // seen by the queries [first, last) of the bunch
        std::uint32_t begin, end;
        KeyTile v;
        std::size_t first, last;
        Seen by(const HeadKeys& keys) const {
            return {keys.begin > begin ? keys.begin : begin, keys.end < end ? keys.end : end};
        }
    };

    std::size_t bunch_queries() const;
    std::vector<std::span<const Query>> bunches_of(std::span<const Query> queries) const;
    Work make_work() const;
    void attend_bunch(LayerId layer, std::span<const Query> bunch, HeadId head, Work& work) const;
    void attend_span(const HeadKeys& span, KeyWalk& walk, Work& work, SoftmaxState* states,
                     float* output) const;
    void score(const KeyTile& keys, std::size_t first, std::size_t last, Work& work) const;
    void widen(Tile& tile, AlignedRows<float>& room) const;
    void weigh_values(const Tile& tile, Work& work, float* output) const;
    void weigh_some(const Tile& tile, std::size_t first, std::size_t n, Seen seen, Work& work,
                    float* output) const;

    CachePages kv_;
};

}  // namespace kv::cpu
