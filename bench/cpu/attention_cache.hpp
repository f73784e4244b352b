#pragma once
// A filled cache and one query that looks at all of it, as the rows about attention time them.
// Logical slot s holds the same numbers whatever the block size and the format.

#include <cstdint>
#include <vector>

#include "bench/cpu/model.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/attention.hpp"

namespace kv::bench {

class AttentionCache {
public:
    AttentionCache(const ModelConfig& config, std::uint32_t depth, std::uint32_t block_size,
                   const Codec& codec, cpu::ThreadPool& threads);

    struct Took {
        double seconds, processor_seconds;  // by the clock, of all threads together
    };
    Took attend();          // in all layers
    void attend_naively();  // the same by plain loops
    const std::vector<float>& attention_output() const { return attention_output_; }
    double bytes() const;

private:
    void fill();
    void attend_naively(LayerId layer, std::uint32_t head);
    BlockId block_of(std::uint32_t slot) const {
        return tables_.tables[0][slot / spec_.block_size];
    }

    const ModelConfig& config_;
    cpu::ThreadPool& threads_;
    PoolSpec spec_;
    KvPool pool_;
    cpu::Attention attention_;
    BlockTables tables_;
    std::vector<float> q_, attention_output_;
    std::uint32_t depth_;
};

// Two caches in turn, a moment after each other and each first in every other pair. What the
// machine does meanwhile strikes both of a pair, or few pairs; and the processor time of the
// threads, whose ratio counts, leaves out what others computed on their processors.
struct Pairs {
    std::vector<double> ms, other_ms, ratios;  // by the clock; of processor time, to the other's
};
void measure_pairs(AttentionCache& cache, AttentionCache& other, std::size_t n, Pairs& to);

}  // namespace kv::bench
