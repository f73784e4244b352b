// Attention of prompts and of listed keys, and the way of new heads into the pool, compiled.

#include "cuda/device/launch.cuh"

namespace kv::gpu {
namespace {

struct Launch {
    cudaStream_t stream;
    bool recording;
    void operator()(const PrefillTile& k) const { launch(k, stream, recording); }
    void operator()(const ListedAttention& k) const { launch(k, stream, recording); }
    void operator()(const JudgeBlocks& k) const { launch(k, stream, recording); }
    void operator()(const RotateHeads& k) const { launch(k, stream, recording); }
    void operator()(const HadamardHeads& k) const { launch(k, stream, recording); }
    void operator()(const TakeScale& k) const { launch(k, stream, recording); }
    void operator()(const AppendHeads& k) const { launch(k, stream, recording); }
    void operator()(const KeepResidual& k) const { launch(k, stream, recording); }
    void operator()(const RopeQuantizeAppend& k) const { launch(k, stream, recording); }
    template <class Other>
    void operator()(const Other&) const {}
};

}  // namespace

void launch_other_attention(const AnyKernel& kernel, cudaStream_t stream, bool recording) {
    std::visit(Launch{stream, recording}, kernel);
}

}  // namespace kv::gpu
