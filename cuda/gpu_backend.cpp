#include "cuda/gpu_backend.hpp"

#include <algorithm>

#include "core/engine/count_work.hpp"
#include "core/engine/pass_parts.hpp"
#include "cuda/out_of_memory.hpp"

namespace kv::gpu {
namespace {

constexpr u32 kMostHeadDim = 256;

u64 padded(u64 bytes) {
    return ceil_of(std::max<u64>(bytes, 1), kPiece) * kPiece;
}

}  // namespace

std::optional<std::string> gpu_objection(const ModelConfig& config, const PoolSpec& pool) {
    if (config.head_dim > kMostHeadDim || config.v_head_dim > kMostHeadDim)
        return "heads of " + std::to_string(std::max(config.head_dim, config.v_head_dim)) +
               " elements do not fit into the shared memory that its attention uses (at most 256)";
    if (pool.has_residual()) return "a codec with a residual (:kivi) is not among its kernels";
    return std::nullopt;
}

GpuBackend::GpuBackend(std::shared_ptr<Gpu> gpu, std::shared_ptr<const DeviceModel> model,
                       const ModelConfig& config, const Weights& weights, const PoolSpec& pool,
                       const GpuOptions& options)
    : gpu_(std::move(gpu)),
      model_(std::move(model)),
      config_(config),
      weights_(weights),
      spec_(pool),
      layout_(layout_of(config, pool)),
      options_(options) {
    KV_ASSERT(config.head_dim == config.v_head_dim);
    if (const auto why = gpu_objection(config, pool))
        throw Error(ErrorCode::Usage,
                    "The cuda backend cannot run this: " + *why + ". Use --backend cpu.");
    const u64 bytes = padded(layout_.pool_bytes());
    if (bytes > gpu_->free_bytes())
        refuse_memory("The blocks of the pool", bytes, gpu_->free_bytes());
    pool_ = Memory<std::byte>(*gpu_, bytes);
    gpu_->fill(pool_.raw(), 0xFF, bytes);  // NaN in every format, until it is written
    scales_ = Memory<u16>(*gpu_, 2 * u64{layout_.n_layers});
    gpu_->fill(scales_.raw(), 0xFF, scales_.bytes());
    scales_known_ = pool.k.scale != ScaleMode::Tensor && pool.v.scale != ScaleMode::Tensor;
    static_assert(kNoScale == 0xFFFF);
}

ForwardResult GpuBackend::forward(const Batch& batch, TapSink* taps) {
    const BatchPlan plan(config_, layout_, batch);
    ForwardResult result;
    timed_.clear();
    timing_ = batch.clock != nullptr;
    if (timing_) batch.clock->start(layout_.n_layers);
    if (plan_memory_.upload(*gpu_, plan)) recordings_.clear();
    make_room(plan);

    if (can_record(batch, plan, taps)) {
        const auto wanted = plan[PlanArray::LogitRows].size();
        const u64 decode = plan[PlanArray::DecodeRows].size();
        const RecordingKey key{plan.n_rows,  wanted,           decode,
                               plan.n_lanes, splits_for(plan), timing_};
        if (recordings_.count(key) == 0) {
            gpu_->begin_recording();
            run_layers(batch, plan, taps);
            recordings_[key] = {gpu_->end_recording(), timed_};
        }
        gpu_->replay(*recordings_[key].steps);
        timed_ = recordings_[key].timed;
    } else {
        run_layers(batch, plan, taps);
    }
    result.logits.resize(plan[PlanArray::LogitRows].size() * config_.vocab_size);
    gpu_->download(result.logits.data(), logits_.raw(), result.logits.size() * sizeof(float));
    gpu_->wait();
    if (timing_) tell_times(*batch.clock);
    scales_known_ = true;
    result.work = count_work(config_, weights_, layout_, batch);
    if (timing_) result.parts = pass_parts(config_, weights_, layout_, batch);
    return result;
}

void GpuBackend::mark(Op op, std::optional<LayerId> layer) {
    if (!timing_) return;
    timed_.push_back({op, layer});
    gpu_->mark(static_cast<u32>(timed_.size()));
}

void GpuBackend::tell_times(PassClock& clock) {
    for (u32 i = 0; i < timed_.size(); ++i)
        clock.add(timed_[i].op, timed_[i].layer, gpu_->us_between(i, i + 1));
}

void GpuBackend::read_pool(std::uint64_t offset, std::span<std::byte> out) const {
    KV_ASSERT(offset <= layout_.pool_bytes() && out.size() <= layout_.pool_bytes() - offset);
    gpu_->download(out.data(), pool_.raw() + offset, out.size());
}

void GpuBackend::write_pool(std::uint64_t offset, std::span<const std::byte> bytes) {
    KV_ASSERT(offset <= layout_.pool_bytes() && bytes.size() <= layout_.pool_bytes() - offset);
    gpu_->upload(pool_.raw() + offset, bytes.data(), bytes.size());
}

// One after the other where a block is read that was written before.
void GpuBackend::copy_blocks(std::span<const std::pair<BlockId, BlockId>> from_to) {
    if (from_to.empty()) return;
    std::vector<u32> ids;
    for (const auto& [from, to] : from_to) ids.push_back(from.value);
    for (const auto& [from, to] : from_to) ids.push_back(to.value);
    for (const u32 id : ids) KV_ASSERT(id < layout_.n_blocks);
    const u64 n = from_to.size();
    Memory<u32> moves(*gpu_, ids.size());
    gpu_->upload(moves.raw(), ids.data(), moves.bytes());
    std::vector<bool> written(layout_.n_blocks);
    u64 first = 0;
    for (u64 i = 0; i <= n; ++i) {
        const bool clash = i < n && (written[ids[i]] || written[ids[n + i]]);
        if (i == n || clash) {
            if (i > first)
                gpu_->launch(CopyBlocks{layout_, pool_.view(), moves.part(first, i - first),
                                        moves.part(n + first, i - first)});
            first = i;
            written.assign(written.size(), false);
        }
        if (i < n) written[ids[n + i]] = true;
    }
    gpu_->wait();  // `moves` goes back
}

SharedScale GpuBackend::shared_scale(LayerId layer, KvSide side) const {
    SharedScale scale = kNoScale;
    const u64 place = 2 * layer.index() + (side == KvSide::V ? 1 : 0);
    gpu_->download(&scale, scales_.raw() + place * sizeof scale, sizeof scale);
    return scale;
}

void GpuBackend::set_shared_scale(LayerId layer, KvSide side, SharedScale scale) {
    const u64 place = 2 * layer.index() + (side == KvSide::V ? 1 : 0);
    gpu_->upload(scales_.raw() + place * sizeof scale, &scale, sizeof scale);
}

}  // namespace kv::gpu
