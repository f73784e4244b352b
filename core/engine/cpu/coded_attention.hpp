#pragma once
// Attention over a pool whose keys or values are coded with loss: fp8 and the integers. A tile of
// keys is made into floats once for all the queries that look at it; of the pass itself, where that
// is the rule, the floats are taken that the codes were made of.
//
// Where sums are cut depends on slot numbers alone, as in cpu_attention.hpp.

#include <functional>
#include <span>
#include <vector>

#include "core/engine/cpu/cpu_attention.hpp"
#include "core/engine/pool_spec.hpp"

namespace kv::cpu {

class CodedAttention {
public:
    // What is stored of a slot when so many tokens have settled: of codecs with a residual.
    using Read = std::function<void(const SequenceWork& work, LayerId layer, KvSide side,
                                    HeadId head, std::uint32_t slot, std::uint32_t n, float* out)>;
    CodedAttention(const ModelConfig& config, const KvPool& pool, const PoolSpec& spec,
                   const CpuKernels& kernels, Read read);

    bool is_needed() const { return !spec_.k.is_plain() || !spec_.v.is_plain(); }
    void run(ThreadPool& threads, LayerId layer, std::span<const Query> queries) const;

    // Scores of one query head, scaled, oldest key first; for taps.
    std::vector<float> scores(LayerId layer, const Query& query, std::uint32_t head) const;

private:
    struct Room {                          // of a thread
        AlignedRows<float> k, v;           // (kTileKeys, head_dim)
        AlignedRows<float> output;         // (queries x group, head_dim)
        std::vector<SoftmaxState> states;  // (queries x group)
        std::vector<float> scores, keep;   // (group, kTileKeys), (group)
    };
    struct Seen {
        std::uint32_t begin, end;
    };

    Seen seen_by(LayerId layer, const Query& query) const;
    void attend(LayerId layer, std::span<const Query> run, std::uint32_t head, Room& room) const;
    void attend_tile(const Query& query, std::uint32_t head, const KeyTile& keys,
                     const KeyTile& values, SoftmaxState* states, float* output, Room& room) const;
    struct Side {
        LayerId layer;
        KvSide side;
    };
    void widen(KeyTile& tile, const Side& at, const Query& query, std::uint32_t head,
               std::uint32_t first, AlignedRows<float>& room) const;
    float scale() const;

    const ModelConfig& config_;
    const KvPool& pool_;
    PoolSpec spec_;
    const CpuKernels& kernels_;
    Read read_;
    std::size_t group_, dim_;
};

}  // namespace kv::cpu
