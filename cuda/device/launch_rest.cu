// Products, norms, what goes element by element, moves of blocks, and the ceilings, compiled.

#include "cuda/device/launch.cuh"

namespace kv::gpu {
namespace {

struct Launch {
    cudaStream_t stream;
    bool recording;
    void operator()(const Embed& k) const { launch(k, stream, recording); }
    void operator()(const Angles& k) const { launch(k, stream, recording); }
    void operator()(const RmsNorm& k) const { launch(k, stream, recording); }
    void operator()(const MatmulThreadPerOutput& k) const { launch(k, stream, recording); }
    void operator()(const MatmulWarpPerOutput& k) const { launch(k, stream, recording); }
    void operator()(const MatmulTile& k) const { launch(k, stream, recording); }
    void operator()(const Argmax& k) const { launch(k, stream, recording); }
    void operator()(const ReadAll& k) const { launch(k, stream, recording); }
    void operator()(const MultiplyAll& k) const { launch(k, stream, recording); }
    void operator()(const CopyBlock& k) const { launch(k, stream, recording); }
    template <class Other>
    void operator()(const Other&) const {}
};

}  // namespace

void launch_rest(const AnyKernel& kernel, cudaStream_t stream, bool recording) {
    std::visit(Launch{stream, recording}, kernel);
}

}  // namespace kv::gpu
