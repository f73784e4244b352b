#pragma once
// The cache as attention over pages reads it, for a decoding token and for a prompt: which keys a
// query sees (CachePages::seen_by), where their sums are cut (spans, tiles), where each key and
// value lies (KeyWalk), and where the queries and outputs of a KV head lie.
//
// Where sums are cut depends on slot numbers alone: tiles begin at multiples of kTileKeys, and
// spans at multiples of kSpanKeys. So no bit of the result depends on the number of threads, the
// block size, the tables or the neighbours in the batch.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/kv_head.hpp"
#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/coded_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/pool/seen_keys.hpp"
#include "core/model/config/config.hpp"

namespace kv::cpu {

constexpr std::uint32_t kSpanKeys = 512;

// The first place after `slot` where a sum is cut, or `end`.
inline std::uint32_t next_cut(std::uint32_t slot, std::uint32_t every, std::uint32_t end) {
    const std::uint32_t cut = (slot / every + 1) * every;
    return cut < end ? cut : end;
}

struct HeadKeys {  // [begin, end) of one KV head, seen by one query
    LayerId layer;
    const Query* query;
    HeadId head;
    std::uint32_t begin, end;
};

// Keys span by span: the first, and the one behind it, none of which goes beyond `end`.
inline HeadKeys first_span(HeadKeys keys) {
    keys.end = next_cut(keys.begin, kSpanKeys, keys.end);
    return keys;
}
inline HeadKeys span_after(HeadKeys span, std::uint32_t end) {
    span.begin = span.end;
    span.end = next_cut(span.begin, kSpanKeys, end);
    return span;
}

// Finds the keys and values of one head, slot after slot: the table is asked once per block, the
// rest is a step of one stride.
class KeyWalk {
public:
    KeyWalk(const KvPool& pool, const std::vector<BlockId>& table, LayerId layer, HeadId head)
        : pool_(pool),
          table_(table),
          first_k_(pool.vector(layer, Side::K, head, BlockId(0), Slot(0))),
          first_v_(pool.vector(layer, Side::V, head, BlockId(0), Slot(0))),
          k_block_(pool.layout().block_bytes(Side::K)),
          v_block_(pool.layout().block_bytes(Side::V)) {}

    // Finds where the slots [begin, end) lie, at most kTileKeys of them. Slots never go back.
    void gather(std::uint32_t begin, std::uint32_t end, KeyTile& keys, KeyTile& values) {
        const KvLayout& layout = pool_.layout();
        const std::uint64_t k_stride = layout.slot_stride(Side::K),
                            v_stride = layout.slot_stride(Side::V);
        keys.n = values.n = end - begin;
        keys.dim = layout.k.dim;
        values.dim = layout.v.dim;
        keys.first = values.first = begin;
        keys.code = pool_.codec(Side::K).code;
        values.code = pool_.codec(Side::V).code;
        keys.scaled = values.scaled = false;
        std::size_t j = 0;
        for (std::uint32_t slot = begin; slot < end;) {
            if (slot >= block_end_) enter(slot);
            const std::uint32_t stop = end < block_end_ ? end : block_end_;
            // In the block, whose first slot is block_end_ - block_size.
            std::uint64_t at = slot + layout.block_size - block_end_;
            for (; slot < stop; ++slot, ++at, ++j) {
                keys.row[j] = k_ + at * k_stride;
                values.row[j] = v_ + at * v_stride;
            }
        }
    }

private:
    void enter(std::uint32_t slot) {
        const std::uint32_t size = pool_.layout().block_size;
        // A division takes as long as some keys; most blocks follow the one before.
        const std::uint32_t entry = slot == block_end_ ? next_ : slot / size;
        KV_ASSERT(entry < table_.size() && table_[entry].value < pool_.layout().n_blocks);
        k_ = first_k_ + table_[entry].value * k_block_;
        v_ = first_v_ + table_[entry].value * v_block_;
        next_ = entry + 1;
        block_end_ = next_ * size;
    }

    const KvPool& pool_;
    const std::vector<BlockId>& table_;
    const std::byte *first_k_, *first_v_;          // slot 0 of block 0
    std::uint64_t k_block_, v_block_;              // bytes from block to block
    const std::byte *k_ = nullptr, *v_ = nullptr;  // slot 0 of the block that the walk is in
    std::uint32_t next_ = 0, block_end_ = 0;       // entry behind it, first slot behind it
};

struct CachePages {
    const ModelConfig& config;
    const KvPool& pool;
    const CpuKernels& kernels;
    CodedRows rows;
    // Query heads that share a KV head, and the numbers of a head.
    std::size_t group = group_size(config.n_heads, config.n_kv_heads), dim = config.head_dim;

    HeadKeys seen_by(const Query& query, LayerId layer, HeadId head) const {
        return {layer, &query, head, first_visible(config, layer, query.token_index),
                query.token_index + 1};
    }
    KeyWalk walk(const HeadKeys& keys) const {
        return {pool, keys.query->work->tables->of(keys.layer, keys.head), keys.layer, keys.head};
    }
    HeadGroup heads_of(const HeadKeys& keys) const {
        return {keys.query->q + keys.head.index() * group * dim, group, scale()};
    }
    float* output_of(const HeadKeys& keys) const {  // (group, dim)
        return keys.query->attention_output + keys.head.index() * group * dim;
    }
    float scale() const { return 1.0f / std::sqrt(static_cast<float>(dim)); }  // of scores
    void divide(const SoftmaxState* states, float* output) const {
        for (std::size_t h = 0; h < group; ++h)
            kernels.divide(states[h].sum, dim, output + h * dim);
    }
};

}  // namespace kv::cpu
