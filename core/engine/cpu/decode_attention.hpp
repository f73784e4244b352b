#pragma once
// Attention of a decoding token, or of a few; attention.hpp has the formula. One token has too few
// heads to keep all threads busy, so its keys are cut into spans that threads share out, and the
// softmax states of the spans are merged at the end: split-KV, as Flash-Decoding has it.

#include <cstddef>
#include <span>
#include <vector>

#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/cache_pages.hpp"
#include "core/engine/cpu/rounds.hpp"
#include "core/engine/cpu/thread_pool.hpp"

namespace kv::cpu {

class DecodeAttention {
public:
    explicit DecodeAttention(const CachePages& kv) : kv_(kv) {}

    void run(ThreadPool& threads, LayerId layer, std::span<const Query> queries);

    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const Query& query, std::uint32_t head) const;

private:
    struct Unit {  // a span of the keys of one query and KV head
        HeadKeys keys;
        std::size_t span_index;  // span 0 writes straight to the result, others beside it
    };
    struct Scratch {                // of a thread
        std::vector<float> scores;  // (group, kTileKeys), and a factor for each head behind them
        AlignedRows<float> k, v;    // (kTileKeys, head_dim), of what no kernel reads
    };

    std::vector<Unit> units_of(LayerId layer, std::span<const Query> queries) const;
    std::vector<std::size_t> by_machine_page(std::span<const Unit> units, Range share) const;
    Scratch make_scratch() const;
    void attend_share(std::span<const Unit> units, Range share);
    void attend(std::span<KeyRun> runs, Scratch& scratch) const;
    void attend_tile(KeyRun& run, ReadTile& tile, Rounds& rounds, Scratch& scratch) const;
    void merge_spans(std::span<const Unit> units);

    CachePages kv_;
    AlignedRows<float> partial_outputs_;        // (units, group x head_dim)
    std::vector<SoftmaxState> partial_states_;  // (units, group)
};

}  // namespace kv::cpu
