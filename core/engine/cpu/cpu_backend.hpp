#pragma once
// The forward pass over this machine's processor, and what it keeps between its steps: tables with
// a row for each token of the chunk at hand. cpu_backend.cpp has the pass itself,
// forward_attend.cpp who attends and what is tapped, forward_store.cpp what goes into the pool and
// what is computed once more. Nobody else includes this but the factory, backend.cpp.

#include <span>
#include <string_view>
#include <vector>

#include "core/engine/cpu/attention.hpp"
#include "core/engine/cpu/kernels/path.hpp"
#include "core/engine/cpu/listed_attention.hpp"
#include "core/engine/cpu/projection.hpp"
#include "core/engine/pool/backend.hpp"
#include "core/engine/reference/hadamard.hpp"
#include "core/engine/work/pass_parts.hpp"

namespace kv::cpu {

// Rows that go through the layers together: enough to use each weight often, since all of them come
// from memory for every chunk; few enough that the tables below stay small beside the weights.
// Cutting a prompt into such chunks changes no bit; where it would, the pass is one chunk
// (goes_together).
constexpr std::size_t kChunkRows = 512;

struct Row {  // one new token of the batch
    const SequenceWork* work;
    std::uint32_t sequence, index;
    std::uint32_t token_index() const { return work->token_indices[index]; }
    std::uint32_t position() const { return work->positions[index]; }
};

struct Angles {                       // of a head's rotation at each row's position
    AlignedRows<float> cosine, sine;  // (n, head_dim / 2)
};

class CpuBackend final : public PoolBackend {
public:
    CpuBackend(const ModelConfig& config, const Weights& weights, const PoolSpec& pool,
               CpuPath path, std::size_t workers);
    std::string_view name() const override { return "cpu"; }
    ForwardResult forward(const Batch& batch, TapSink* taps) override;

private:
    void forward_chunk(std::span<const Row> rows, TapSink* taps);
    bool goes_together() const;
    void make_kv_room(std::size_t n, Angles& angles);
    void make_room(std::size_t n);
    void embed(std::uint32_t token, float* x) const;
    void find_angles(std::uint32_t position, Angles& angles, std::size_t i) const;
    void norm(const float* x, const std::vector<float>& weight, Activations& to, std::size_t i);
    void norm_and_rotate(float* heads, u64 count, const std::vector<float>& norm,
                         const Angles* angles, std::size_t i) const;

    void attend(LayerId layer, std::span<const Row> rows);
    void attend_pages(LayerId layer, std::span<const Row> rows);
    bool is_listed(LayerId layer, const Row& row) const;
    void choose_blocks_of(LayerId layer, const Row& row, std::size_t i);
    OwnRows own_rows(const Row& row, std::size_t i) const;
    Query query_of(const Row& row, std::size_t i) {
        return {row.work, row.token_index(), q_[i], attention_output_.values[i], own_rows(row, i)};
    }
    ListedQuery listed_query_of(const Row& row, std::size_t i) {
        return {row.work, row.index, q_[i], attention_output_.values[i], own_rows(row, i)};
    }
    void tap_rows(TapSink* taps, Tap tap, LayerId layer, std::span<const Row> rows,
                  const AlignedRows<float>& values, std::size_t width) const;
    void tap_heads(TapSink* taps, LayerId layer, std::span<const Row> rows) const;
    void tap_weights(TapSink* taps, LayerId layer, std::span<const Row> rows);
    std::vector<float> scores_of(LayerId layer, const Row& row, std::size_t i, std::uint32_t head);

    // visit(new tokens): those of each sequence that are in the chunk.
    template <class Visit>
    static void each_sequence(std::span<const Row> rows, const Visit& visit) {
        for (std::size_t i = 0, end; i < rows.size(); i = end) {
            for (end = i + 1; end < rows.size() && rows[end].work == rows[i].work;) ++end;
            visit(NewTokens{*rows[i].work, rows[i].index, rows[end - 1].index + std::size_t{1}});
        }
    }

    void use_kept_inputs(std::span<const Row> rows, LayerId layer);
    void recompute(const SequenceWork& work, LayerId layer);
    void append(const Row& row, LayerId layer, const float* k, const float* v);
    void write(const SequenceWork& work, LayerId layer, HeadId head, std::uint32_t slot,
               const float* k, const float* v);
    void encode(LayerId layer, Side side, const float* values, std::byte* out) const;

    // One row is too little to wake anybody for.
    template <class PerRow>
    void for_rows(std::size_t n, const PerRow& per_row) {
        if (n == 1) return per_row(0);
        threads_.run([&](std::size_t part) {
            const Range range = share_of(n, 1, part, threads_.size());
            for (std::size_t i = range.begin; i < range.end; ++i) per_row(i);
        });
    }

    // Heads go through the Hadamard transform before they are stored, if the pool has it; done
    // twice, it is undone.
    void apply_hadamard(float* heads, u64 count) const {
        if (spec().rotation == Rotation::Hadamard) hadamard_heads(heads, count, config_.head_dim);
    }

    const ModelConfig& config_;
    const Weights& weights_;
    const CpuKernels& kernels_;
    std::vector<double> frequencies_;
    const std::vector<float> no_bias_;
    ThreadPool threads_;
    PassMark mark_;
    Attention attention_;
    ListedAttention listed_attention_;

    // The chunk at hand, a row for each token.
    AlignedRows<float> x_, out_;        // (n, hidden): the residual stream, what is added to it
    AlignedRows<float> q_, k_, v_;      // (n, q_width), (n, kv_width), (n, kv_width)
    AlignedRows<float> gate_;           // (n, intermediate)
    Angles angles_, earlier_angles_;    // of the new tokens, of recomputed ones
    Activations h_, attention_output_;  // (n, hidden), (n, q_width)
    Activations up_, last_;             // (n, intermediate), (rows asked for, hidden)
    std::vector<Query> queries_;
    std::vector<ListedQuery> listed_queries_;
};

}  // namespace kv::cpu
