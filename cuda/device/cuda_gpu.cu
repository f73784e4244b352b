// One card: its memory, a stream for what is computed and one for what is copied, and recordings as
// CUDA graphs.

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/device/cuda_gpu.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/out_of_memory.hpp"
#include "cuda/device/resources.cuh"

namespace kv::gpu {
namespace {

constexpr u64 kPinnedBytes = u64{8} << 20;

// Memory of the host that the card copies from and to while others go on.
class Pinned {
public:
    explicit Pinned(u64 bytes) : size_(bytes) { check(cudaMallocHost(&data_, bytes)); }
    ~Pinned() { cudaFreeHost(data_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    std::byte* data() const { return static_cast<std::byte*>(data_); }
    u64 size() const { return size_; }

private:
    void* data_ = nullptr;
    u64 size_;
};

class TimingEvent {
public:
    TimingEvent() { check(cudaEventCreate(&handle_)); }
    ~TimingEvent() { cudaEventDestroy(handle_); }
    TimingEvent(const TimingEvent&) = delete;
    TimingEvent& operator=(const TimingEvent&) = delete;
    cudaEvent_t get() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

class CudaRecording final : public Recording {
public:
    explicit CudaRecording(cudaGraph_t graph) {
        const cudaError_t status = cudaGraphInstantiate(&steps_, graph, 0);
        cudaGraphDestroy(graph);
        check(status);
    }
    ~CudaRecording() override { cudaGraphExecDestroy(steps_); }
    cudaGraphExec_t get() const { return steps_; }

private:
    cudaGraphExec_t steps_ = nullptr;
};

// The calls of a thread go to the device that it chose last.
struct OnDevice {
    explicit OnDevice(u32 device) { check(cudaSetDevice(static_cast<int>(device))); }
};

int attribute(cudaDeviceAttr which, u32 device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, static_cast<int>(device)));
    return value;
}

class CudaGpu final : public Gpu {
public:
    explicit CudaGpu(u32 device)
        : device_(device), chosen_(device), to_device_(kPinnedBytes), to_host_(kPinnedBytes) {}
    ~CudaGpu() override {
        cudaSetDevice(static_cast<int>(device_));
        cudaStreamSynchronize(compute_.get());
    }

    std::string name() const override {
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, static_cast<int>(device_)));
        return properties.name;
    }
    u32 multiprocessors() const override {
        return static_cast<u32>(attribute(cudaDevAttrMultiProcessorCount, device_));
    }
    u32 most_shared_bytes() const override {
        return static_cast<u32>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    }
    u64 free_bytes() const override {
        OnDevice on(device_);
        std::size_t free = 0, all = 0;
        check(cudaMemGetInfo(&free, &all));
        return free;
    }

    std::byte* allocate(u64 bytes) override {
        OnDevice on(device_);
        void* memory = nullptr;
        const cudaError_t status = cudaMalloc(&memory, std::max<u64>(bytes, 1));
        if (status == cudaErrorMemoryAllocation) {
            cudaGetLastError();  // or the next call would get it
            refuse_memory("The tables of this pass", bytes, free_bytes());
        }
        check(status);
        return static_cast<std::byte*>(memory);
    }
    void release(std::byte* memory) override {
        cudaSetDevice(static_cast<int>(device_));
        cudaStreamSynchronize(compute_.get());  // nothing that is under way may use it
        cudaFree(memory);
    }

    // Through pinned memory, of which every upload since the last wait has its own part: what is
    // larger than all of it goes piece by piece.
    void upload(std::byte* to, const void* from, u64 bytes) override {
        OnDevice on(device_);
        const auto* at = static_cast<const std::byte*>(from);
        while (bytes > 0) {
            if (pinned_used_ == to_device_.size()) wait();
            const u64 n = std::min(bytes, to_device_.size() - pinned_used_);
            std::memcpy(to_device_.data() + pinned_used_, at, n);
            check(cudaMemcpyAsync(to, to_device_.data() + pinned_used_, n, cudaMemcpyHostToDevice,
                                  compute_.get()));
            pinned_used_ += n;
            to += n, at += n, bytes -= n;
        }
    }
    void fill(std::byte* to, int byte, u64 bytes) override {
        OnDevice on(device_);
        check(cudaMemsetAsync(to, byte, bytes, compute_.get()));
    }
    void copy(std::byte* to, const std::byte* from, u64 bytes) override {
        OnDevice on(device_);
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, compute_.get()));
    }
    // On a stream of its own, behind what was computed so far; pieces of half the pinned memory, so
    // that one is taken out while the next comes.
    void download(void* to, const std::byte* from, u64 bytes) override {
        OnDevice on(device_);
        computed_.record(compute_);
        check(cudaStreamWaitEvent(copies_.get(), computed_.get(), 0));
        auto* at = static_cast<std::byte*>(to);
        const u64 half = to_host_.size() / 2;
        u64 asked = 0;
        for (u64 done = 0; done < bytes; done += half) {
            for (; asked < bytes && asked < done + 2 * half; asked += half) {
                const u64 n = std::min(half, bytes - asked), side = asked / half % 2;
                check(cudaMemcpyAsync(to_host_.data() + side * half, from + asked, n,
                                      cudaMemcpyDeviceToHost, copies_.get()));
                copied_[side].record(copies_);
            }
            const u64 side = done / half % 2;
            copied_[side].wait();
            std::memcpy(at + done, to_host_.data() + side * half, std::min(half, bytes - done));
        }
    }

    void launch(const AnyKernel& kernel) override {
        OnDevice on(device_);
        launch_decode(kernel, compute_.get(), recording_);
        launch_other_attention(kernel, compute_.get(), recording_);
        launch_rest(kernel, compute_.get(), recording_);
    }
    void wait() override {
        OnDevice on(device_);
        check(cudaStreamSynchronize(compute_.get()));
        pinned_used_ = 0;
    }

    // In a recording a mark is a step like any other.
    void mark(u32 number) override {
        OnDevice on(device_);
        while (marks_.size() <= number) marks_.push_back(std::make_unique<TimingEvent>());
        const unsigned flags = recording_ ? cudaEventRecordExternal : cudaEventRecordDefault;
        check(cudaEventRecordWithFlags(marks_[number]->get(), compute_.get(), flags));
    }
    double us_between(u32 from, u32 to) override {
        float ms = 0;
        check(cudaEventElapsedTime(&ms, marks_.at(from)->get(), marks_.at(to)->get()));
        return 1e3 * ms;
    }

    void begin_recording() override {
        OnDevice on(device_);
        check(cudaStreamBeginCapture(compute_.get(), cudaStreamCaptureModeThreadLocal));
        recording_ = true;
    }
    std::unique_ptr<Recording> end_recording() override {
        cudaGraph_t graph = nullptr;
        recording_ = false;
        check(cudaStreamEndCapture(compute_.get(), &graph));
        return std::make_unique<CudaRecording>(graph);
    }
    void replay(Recording& recording) override {
        OnDevice on(device_);
        check(cudaGraphLaunch(static_cast<CudaRecording&>(recording).get(), compute_.get()));
    }

private:
    u32 device_;
    OnDevice chosen_;  // before anything below is made
    Stream compute_, copies_;
    StreamEvent computed_, copied_[2];
    Pinned to_device_, to_host_;
    u64 pinned_used_ = 0;
    bool recording_ = false;
    std::vector<std::unique_ptr<TimingEvent>> marks_;
};

}  // namespace

std::unique_ptr<Gpu> make_cuda_gpu(u32 device) {
    return std::make_unique<CudaGpu>(device);
}

}  // namespace kv::gpu
