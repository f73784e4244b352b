#pragma once
// The decoder on a GPU: what `reference` computes, up to rounding, launch by launch. It holds the
// pool and the tables of a pass in the memory of the card and starts kernels; a step that is like
// the one before is started as one recording. gpu_backend.cpp has the contract, forward.cpp the
// pass, attend.cpp which kernel attends, taps.cpp what a tap is shown, residual.cpp who waits in
// fp16, reads.cpp who chooses what it reads. The factory is in backend.hpp.

#include <compare>
#include <map>

#include "core/engine/pool/seen_keys.hpp"
#include "core/engine/pool/spec.hpp"
#include "core/engine/seam/backend.hpp"
#include "core/engine/seam/tap_point.hpp"
#include "cuda/backend/device_model.hpp"
#include "cuda/backend/plan_memory.hpp"
#include "cuda/device/decode_rungs.hpp"

namespace kv::gpu {

// Throws kv::Error (Usage) with what cuda_objection() says, if it says something.
void refuse_unserved(const ModelConfig& config);

// How many blocks share the keys of one row: by the time that whole waves of blocks take, their
// start, and the merge. Where they are split at all, a block has at least 8 tiles of 32 keys.
struct SplitQuestion {
    u64 units;         // blocks without splits
    u32 longest_keys;  // that a row sees
    u32 multiprocessors;
};
u32 choose_splits(const SplitQuestion& question);

struct GpuOptions {
    std::optional<u32> splits;  // for tests: else choose_splits
    bool record = true;
    bool poison = true;  // initcheck takes a poisoned pool for a written one
};

class GpuBackend final : public Backend {
public:
    // Throws kv::Error where the pool does not fit, or is not served.
    GpuBackend(std::shared_ptr<Gpu> gpu, std::shared_ptr<const DeviceModel> model,
               const ModelConfig& config, const Weights& weights, const PoolSpec& pool,
               const GpuOptions& options = {});

    std::string_view name() const override { return "cuda"; }
    const KvLayout& layout() const override { return layout_; }
    ForwardResult forward(const Batch& batch, TapSink* taps) override;
    void read_pool(std::uint64_t offset, std::span<std::byte> out) const override;
    void write_pool(std::uint64_t offset, std::span<const std::byte> bytes) override;
    void copy_block(BlockId from, BlockId to, std::uint32_t slots) override;
    SharedScale shared_scale(LayerId layer, Side side) const override;
    void set_shared_scale(LayerId layer, Side side, SharedScale scale) override;
    void free_residual(std::uint32_t row_set) override;
    std::uint64_t residual_bytes() const override;

    u32 recordings() const;  // of kinds of steps

private:
    // Tables with a row for each token of a pass.
    struct Rows {
        Memory<float> x, h, q, k, v, attention_output, up, cosine, sine;
    };
    // A pass over new tokens, or over tokens whose K and V are computed once more.
    struct Pass {
        u32 n;
        View<const u32> rotated, mapping;
        View<float> h, q, k, v, cosine, sine;
    };
    struct DecodeWay {
        DecodeRung rung;
        HeadGroups groups;  // not split yet
    };
    struct Choosing {  // a new token whose heads choose what they look at
        const SequenceWork* work;
        u32 index, row;  // in its sequence, in the pass
    };
    // A part of a pass with a clock. Mark 0 stands before the first part and mark i + 1 behind part
    // i, so part i took the time between the marks i and i + 1.
    struct Timed {
        Op op;
        std::optional<LayerId> layer;
    };
    struct Recorded {
        std::unique_ptr<Recording> steps;
        std::vector<Timed> timed;  // as the launches of `steps` were marked
    };
    // Passes of one kind are the same launches, with other numbers in the arrays of their plans.
    struct RecordingKey {
        u64 rows, logit_rows, decode_rows;
        u32 lanes, splits;
        bool timed;
        auto operator<=>(const RecordingKey&) const = default;
    };

    void make_room(const BatchPlan& plan);
    void make_split_room(const BatchPlan& plan);
    void make_split_room(const Attended& a, u32 longest_keys);
    void make_residual_room(const BatchPlan& plan);
    // What moves takes all recordings with it, which would go on to use where it was; first, since
    // the new place may not be had. The old one first as well: both may not fit.
    template <class T>
    bool grow(Memory<T>& memory, u64 size) {
        if (memory.size() >= size) return false;
        recordings_.clear();
        memory = Memory<T>();
        memory = Memory<T>(*gpu_, size);
        return true;
    }
    void run_layers(const Batch& batch, const BatchPlan& plan, TapSink* taps);
    void project_heads(const Pass& pass, LayerId layer, bool queries);
    void rotate_and_append(const Pass& pass, LayerId layer, const Batch& batch,
                           const BatchPlan& plan, TapSink* taps);
    void take_scales(const Pass& pass, LayerId layer, const BatchPlan& plan);
    void recompute(const Batch& batch, const BatchPlan& plan, LayerId layer);
    void attend(const Batch& batch, const BatchPlan& plan, LayerId layer);
    void attend_rows(const BatchPlan& plan, const Attended& all);
    void attend_decode(const BatchPlan& plan, const Attended& all);
    void attend_in_turn(const BatchPlan& plan, const Attended& all);
    void code_together(const BatchPlan& plan, const Attended& all);
    static bool chooses(const Batch& batch);
    std::vector<Choosing> choosing_rows(const Batch& batch, const BatchPlan& plan,
                                        LayerId layer) const;
    void attend_chosen(const Batch& batch, const BatchPlan& plan, const Attended& all);
    std::vector<float> bounds_of(const Attended& a, u32 most) const;
    void choose(const std::vector<Choosing>& rows, const std::vector<float>& bounds, u32 most,
                LayerId layer) const;
    void attend_lists(const std::vector<Choosing>& rows, const Attended& a);
    Residuals residuals(LayerId layer) const;
    KeepResidual residual_of(const Attended& all, u32 first, u32 n) const;
    void logits(const BatchPlan& plan);

    PagedKv cache(LayerId layer, u32 n_lanes) const;
    NewHeads new_heads(const Pass& pass, LayerId layer, u32 n_lanes, bool queries) const;
    NormAndRope rope_of(const Pass& pass, LayerId layer) const;
    Attended attended(const BatchPlan& plan, LayerId layer) const;
    void multiply(const Product& product);
    void norm(View<const float> x, View<const float> weight, View<float> y, View<const u32> rows,
              u32 n);

    void start_recorded(const RecordingKey& key, const Batch& batch, const BatchPlan& plan);
    bool can_record(const Batch& batch, const BatchPlan& plan, const TapSink* taps) const;
    void mark(Op op, std::optional<LayerId> layer = std::nullopt);  // the end of a part
    void tell_times(PassClock& clock);
    u32 splits(u64 units, u32 longest_keys) const;
    u32 splits_for(const BatchPlan& plan) const;
    DecodeWay decode_way(const Attended& a) const;
    void tap_rows(TapSink* taps, Tap tap, LayerId layer, const Batch& batch,
                  const View<float>& values, u64 width) const;
    void tap_heads(TapSink* taps, LayerId layer, const Batch& batch, const Pass& pass) const;
    void tap_weights(TapSink* taps, LayerId layer, const Batch& batch, const Pass& pass) const;
    void read_held_or_group(const SequenceWork& work, LayerId layer, HeadId head, u32 slot,
                            float* out) const;
    std::vector<float> keys_of(const SequenceWork& work, LayerId layer, HeadId head, u32 row,
                               const SeenKeys& seen, const float* own_keys) const;

    // The GPU first: it owns the memory that everything below lies in.
    std::shared_ptr<Gpu> gpu_;
    std::shared_ptr<const DeviceModel> model_;
    const ModelConfig& config_;
    const Weights& weights_;
    PoolSpec spec_;
    KvLayout layout_;
    GpuOptions options_;
    Memory<std::byte> pool_;
    Memory<u16> scales_;          // (n_layers, 2)
    Memory<std::byte> residual_;  // row set by row set
    std::vector<bool> row_sets_;  // which of them somebody has
    bool scales_known_ = true;
    PlanMemory plan_memory_;
    Rows rows_;
    Memory<float> logits_, last_, partial_out_, partial_states_;
    Memory<u32> tickets_;
    std::vector<Timed> timed_;
    bool timing_ = false;
    std::map<RecordingKey, Recorded> recordings_;
};

}  // namespace kv::gpu
