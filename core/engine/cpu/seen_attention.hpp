#pragma once
// Attention over keys that are listed one by one, as a policy leaves them: behind holes, in a table
// of each KV head, and perhaps not yet turned to their positions. The kernels are those of the
// attention over pages; tiles are cut by places in the list, so no bit of the result depends on
// tables, on the step that a token came with, or on the number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/cpu_kernels.hpp"
#include "core/engine/cpu/thread_pool.hpp"
#include "core/engine/seen_keys.hpp"

namespace kv::cpu {

struct SeenQuery {
    const SequenceWork* work;
    std::size_t row;  // of its new tokens
    const float* q;   // (n_heads, head_dim), not turned where keys are not
    float* mixed;     // (n_heads, head_dim)
};

class SeenAttention {
public:
    SeenAttention(const ModelConfig& config, const KvPool& pool, const CpuKernels& kernels,
                  const std::vector<double>& frequencies)
        : config_(config), pool_(pool), kernels_(kernels), frequencies_(frequencies) {}

    void run(ThreadPool& threads, LayerId layer, std::span<const SeenQuery> queries);
    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const SeenQuery& query, std::uint32_t head);

private:
    struct Work {  // of a thread
        SeenKeys seen;
        AlignedRows<float> q, k;    // (group x head_dim) turned; (kTileKeys, head_dim) likewise
        std::vector<float> scores;  // (group, kTileKeys), and a factor for each head behind them
    };

    Work make_work() const;
    std::size_t group() const { return config_.n_heads / config_.n_kv_heads; }
    void know_angles(std::span<const SeenQuery> queries);
    void find(LayerId layer, const SeenQuery& query, HeadId head, Work& work) const;
    // Of the keys [begin, end) in the list. Returns the format in which the keys stand there.
    KvFormat gather(LayerId layer, const SeenQuery& query, HeadId head, std::size_t begin,
                    std::size_t end, Work& work, KeyTile& keys, KeyTile& values) const;
    void attend(LayerId layer, const SeenQuery& query, HeadId head, Work& work) const;

    const ModelConfig& config_;
    const KvPool& pool_;
    const CpuKernels& kernels_;
    const std::vector<double>& frequencies_;
    std::vector<float> cosine_, sine_;  // (positions, head_dim / 2), as far as they were needed
};

}  // namespace kv::cpu
