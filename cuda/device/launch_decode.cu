// The decode ladder, compiled.

#include <string_view>

#include "cuda/device/launch.cuh"

namespace kv::gpu {
namespace {

struct Launch {
    cudaStream_t stream;
    bool recording;
    void operator()(const DecodeScores& k) const { launch(k, stream, recording); }
    void operator()(const DecodeSoftmax& k) const { launch(k, stream, recording); }
    void operator()(const DecodeWeighValues& k) const { launch(k, stream, recording); }
    void operator()(const DecodeOnline& k) const { launch(k, stream, recording); }
    void operator()(const DecodeGrouped& k) const { launch(k, stream, recording); }
    void operator()(const DecodeSplit& k) const { launch(k, stream, recording); }
    void operator()(const MergeSplits& k) const { launch(k, stream, recording); }
    template <class Coded>
    void operator()(const DecodeStaged<Coded>& k) const {
        launch(k, stream, recording);
    }
    template <class Coded>
    void operator()(const DecodeTicket<Coded>& k) const {
        launch(k, stream, recording);
    }
    template <class Other>
    void operator()(const Other&) const {
        static_assert(!std::string_view(Other::kName).starts_with("attention_decode"),
                      "a rung of attention_decode is launched here");
    }
};

}  // namespace

void launch_decode(const AnyKernel& kernel, cudaStream_t stream, bool recording) {
    std::visit(Launch{stream, recording}, kernel);
}

}  // namespace kv::gpu
