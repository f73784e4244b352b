#include "cuda/backend/gpu_backend.hpp"

#include <algorithm>

#include "core/base/numbers/text.hpp"
#include "core/engine/work/count_work.hpp"
#include "core/engine/work/pass_parts.hpp"
#include "cuda/device/out_of_memory.hpp"

namespace kv::gpu {
namespace {

u64 padded(u64 bytes) {
    return ceil_of(std::max<u64>(bytes, 1), kPiece) * kPiece;
}

// Kernels count the slots of a pool in 32 bits, of which lists keep one to themselves.
void refuse_slots(const KvLayout& layout) {
    const u64 slots = u64{layout.n_blocks} * layout.block_size;
    if (slots < KeyLists::kOwn) return;
    throw Error(ErrorCode::Usage, "A pool of " + with_commas(slots) +
                                      " tokens is more than the cuda backend counts (at most " +
                                      with_commas(KeyLists::kOwn - 1) +
                                      "). Make it smaller with --pool.");
}

}  // namespace

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
    refuse_unserved(config);
    refuse_slots(layout_);
    const u64 bytes = padded(layout_.pool_bytes());
    if (bytes > gpu_->free_bytes())
        refuse_memory("The blocks of the pool", bytes, gpu_->free_bytes());
    pool_ = Memory<std::byte>(*gpu_, bytes);
    if (options.poison)
        gpu_->fill(pool_.raw(), 0xFF, bytes);  // NaN in every format, until it is written
    scales_ = Memory<u16>(*gpu_, 2 * u64{layout_.n_layers});
    gpu_->fill(scales_.raw(), 0xFF, scales_.bytes());
    scales_known_ = pool.k.scale != ScaleMode::Tensor && pool.v.scale != ScaleMode::Tensor;
    static_assert(kNoScale == 0xFFFF);
}

ForwardResult GpuBackend::forward(const Batch& batch, TapSink* taps) {
    const BatchPlan plan(config_, layout_, spec_, batch);
    ForwardResult result;
    timed_.clear();
    timing_ = batch.clock != nullptr;
    if (batch.clock != nullptr) batch.clock->start(layout_.n_layers);
    if (plan_memory_.upload(*gpu_, plan)) recordings_.clear();
    make_room(plan);

    if (can_record(batch, plan, taps)) {
        const RecordingKey key{.rows = plan.n_rows,
                               .logit_rows = plan[PlanArray::LogitRows].size(),
                               .decode_rows = plan[PlanArray::DecodeRows].size(),
                               .lanes = plan.n_lanes,
                               .splits = splits_for(plan),
                               .timed = timing_};
        start_recorded(key, batch, plan);
    } else {
        run_layers(batch, plan, taps);
    }
    result.logits.resize(plan[PlanArray::LogitRows].size() * config_.vocab_size);
    gpu_->download(result.logits.data(), logits_.raw(), result.logits.size() * sizeof(float));
    gpu_->wait();
    if (batch.clock != nullptr) tell_times(*batch.clock);
    scales_known_ |= plan.n_rows > 0;
    result.work = count_work(config_, weights_, layout_, batch);
    if (timing_) result.parts = pass_parts(config_, weights_, layout_, batch);
    return result;
}

// The first step of its kind goes launch by launch, so that all its kernels are loaded; the second
// is recorded.
void GpuBackend::start_recorded(const RecordingKey& key, const Batch& batch,
                                const BatchPlan& plan) {
    const auto [at, first] = recordings_.try_emplace(key);
    if (first) return run_layers(batch, plan, nullptr);
    Recorded& recorded = at->second;
    if (recorded.steps == nullptr) {
        gpu_->begin_recording();
        try {
            run_layers(batch, plan, nullptr);
        } catch (...) {
            gpu_->end_recording();  // or nothing that comes later would be done
            throw;
        }
        recorded = {.steps = gpu_->end_recording(), .timed = timed_};
    }
    gpu_->replay(*recorded.steps);
    timed_ = recorded.timed;
}

u32 GpuBackend::recordings() const {
    return static_cast<u32>(
        std::count_if(recordings_.begin(), recordings_.end(),
                      [](const auto& each) { return each.second.steps != nullptr; }));
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

void GpuBackend::copy_block(BlockId from, BlockId to, std::uint32_t slots) {
    KV_ASSERT(from != to && from.value < layout_.n_blocks && to.value < layout_.n_blocks);
    KV_ASSERT(slots <= layout_.block_size);
    gpu_->launch(CopyBlock{layout_, pool_.view(), from, to, slots});
}

SharedScale GpuBackend::shared_scale(LayerId layer, Side side) const {
    SharedScale scale = kNoScale;
    const u64 place = 2 * layer.index() + (side == Side::V ? 1 : 0);
    gpu_->download(&scale, scales_.raw() + place * sizeof scale, sizeof scale);
    return scale;
}

void GpuBackend::set_shared_scale(LayerId layer, Side side, SharedScale scale) {
    const u64 place = 2 * layer.index() + (side == Side::V ? 1 : 0);
    gpu_->upload(scales_.raw() + place * sizeof scale, &scale, sizeof scale);
}

}  // namespace kv::gpu
