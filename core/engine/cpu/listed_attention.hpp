#pragma once
// Attention over keys that are listed one by one, as a policy leaves them: behind holes, in a table
// of each KV head, and perhaps not yet rotated to their positions. The kernels are those of the
// attention over pages (attention.hpp has their formula); tiles are cut by places in the list, so
// no bit of the result depends on tables, on the step that a token came with, or on the number of
// threads.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/kv_head.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/coded_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/pool/spec.hpp"

namespace kv::cpu {

struct ListedQuery {
    const SequenceWork* work;
    std::size_t row;          // of its new tokens
    const float* q;           // (n_heads, head_dim), not rotated where keys are not
    float* attention_output;  // (n_heads, head_dim)
    OwnRows own = {};         // of its pass, where tokens see each other before they are coded
};

class ListedAttention {
public:
    ListedAttention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
                    const CpuKernels& kernels, const std::vector<double>& frequencies)
        : config_(config), pool_(pool), spec_(spec), kernels_(kernels), frequencies_(frequencies) {}

    void run(ThreadPool& threads, LayerId layer, std::span<const ListedQuery> queries);
    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const ListedQuery& query, std::uint32_t head);

private:
    struct Work {  // what a thread needs
        SeenKeys seen;
        AlignedRows<float> q;       // (group x head_dim), rotated if keys are
        AlignedRows<float> k, v;    // (kTileKeys, head_dim): keys and values made into floats
        std::vector<float> scores;  // (group, kTileKeys), and a factor for each head behind them
    };

    Work make_work() const;
    std::size_t group() const { return group_size(config_.n_heads, config_.n_kv_heads); }
    void know_angles(std::span<const ListedQuery> queries);
    struct Heads {  // query heads that see the same keys of a KV head
        HeadId kv_head;
        std::size_t first, count;  // counted from the first of its group
    };
    void find(LayerId layer, const ListedQuery& query, const Heads& heads, Work& work) const;
    struct Tiles {  // keys [begin, end) of the list and their values
        KeyTile keys, values;
    };
    struct HeadRows {
        LayerId layer;
        Side side;
        HeadId head;
    };
    Tiles gather(LayerId layer, const ListedQuery& query, HeadId head, std::size_t begin,
                 std::size_t end, Work& work) const;
    void find_rows(KeyTile& tile, const HeadRows& at, const ListedQuery& query, std::size_t begin,
                   const Work& work) const;
    void widen(KeyTile& tile, const HeadRows& at, const ListedQuery& query, std::size_t begin,
               const Work& work, AlignedRows<float>& room) const;
    bool as_they_lie(KeyTile& tile, const HeadRows& at, const ListedQuery& query, std::size_t begin,
                     const Work& work) const;
    void rotate(KeyTile& keys, std::size_t begin, Work& work) const;
    void attend(LayerId layer, const ListedQuery& query, HeadId head, Work& work) const;
    void attend(LayerId layer, const ListedQuery& query, const Heads& heads, Work& work) const;

    const ModelConfig& config_;
    const KvPool& pool_;
    PoolSpec spec_;
    const CpuKernels& kernels_;
    const std::vector<double>& frequencies_;
    std::vector<float> cosine_, sine_;  // (positions, head_dim / 2), as far as they were needed
};

}  // namespace kv::cpu
