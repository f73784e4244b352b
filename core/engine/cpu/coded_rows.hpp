#pragma once
// Makes a tile of keys or values ready for the kernels, whatever the pool holds. Codes that kernels
// read stay where they are, and their scales are fetched; what no kernel reads is made into floats.
// Where tokens of a pass attend to each other exactly, the floats are taken that codes were made
// of.
//
// Whether a row was read as it lies or made into floats before changes no bit: floats are then the
// codes, and the scale still comes last.

#include <functional>
#include <span>

#include "core/cache/kv_pool.hpp"
#include "core/engine/cpu/aligned_rows.hpp"
#include "core/engine/cpu/kernels/kernels.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/batch.hpp"

namespace kv::cpu {

// Keys and values of a sequence's new tokens before they were coded, a row for each.
struct OwnRows {
    const float *k = nullptr, *v = nullptr;  // (new tokens, n_kv_heads x head_dim)
    std::size_t k_stride = 0, v_stride = 0;
};

struct Query {
    const SequenceWork* work;
    std::uint32_t token_index;  // of the token that asks; without holes it sees the slots up to it
    const float* q;             // (n_heads, head_dim)
    float* attention_output;    // (n_heads, head_dim)
    OwnRows own = {};           // where a pass attends to these
};

// Reads a slot of a codec with a residual as it is once `n` tokens are stored (PoolBackend::read).
using ReadRow = std::function<void(const SequenceWork& work, LayerId layer, Side side, HeadId head,
                                   std::uint32_t slot, std::uint32_t n, float* out)>;

// Kernels read vectors of that format, with a scale of their own or with none.
constexpr bool is_read(const Codec& codec) {
    return is_read(codec.code) &&
           (codec.scale == ScaleMode::None || codec.scale == ScaleMode::PerVector);
}

class CodedRows {
public:
    CodedRows(const KvPool& pool, const PoolSpec& spec, const CpuKernels& kernels, ReadRow read);

    struct HeadRows {
        LayerId layer;
        Side side;
        HeadId head;
    };
    // Makes a tile of the pool ready as `query`, and those that go with it, find it. `room` has
    // kTileKeys rows.
    void prepare(KeyTile& tile, const HeadRows& at, const Query& query,
                 AlignedRows<float>& room) const {
        if (!pool_.codec(at.side).is_plain()) prepare_coded(tile, at, query, room);
    }

private:
    void prepare_coded(KeyTile& tile, const HeadRows& at, const Query& query,
                       AlignedRows<float>& room) const;
    std::span<const std::uint32_t> computed_by(const Query& query, Side side) const;
    std::uint32_t stored_before(const Query& query, Side side) const;
    void widen(KeyTile& tile, std::size_t j, const HeadRows& at, const Query& query,
               float* out) const;

    const KvPool& pool_;
    PoolSpec spec_;
    const CpuKernels& kernels_;
    ReadRow read_;
};

// The scales of a tile that lies in the pool, if rows of that format have any.
void read_scales(const CpuKernels& kernels, const Codec& codec, KeyTile& tile);

}  // namespace kv::cpu
