#include "cuda/twins/emulated_gpu.hpp"

#include <chrono>
#include <cstring>
#include <map>
#include <new>
#include <vector>

#include "cuda/device/out_of_memory.hpp"

namespace kv::gpu {
namespace {

constexpr std::align_val_t kAlignment{256};

double now_us() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(now).count();
}

struct Step {
    std::variant<AnyKernel, u32> what;  // a kernel, or the number of a mark
};

class HostRecording final : public Recording {
public:
    std::vector<Step> steps;
};

class EmulatedGpu final : public Gpu {
public:
    EmulatedGpu(GridOrder order, const EmulatedLimits& limits) : order_(order), limits_(limits) {}

    std::string name() const override { return "emulated"; }
    u32 multiprocessors() const override { return limits_.multiprocessors; }
    u32 most_shared_bytes() const override { return limits_.shared_bytes; }
    u64 free_bytes() const override { return limits_.memory_bytes - used_; }

    std::byte* allocate(u64 bytes) override {
        KV_ASSERT(recording_ == nullptr);
        if (bytes > free_bytes()) refuse_memory("The tables of this pass", bytes, free_bytes());
        auto* memory = static_cast<std::byte*>(::operator new(bytes, kAlignment));
        std::memset(memory, 0xFF, bytes);  // NaN in every format, until it is written
        sizes_[memory] = bytes;
        used_ += bytes;
        return memory;
    }
    void release(std::byte* memory) override {
        used_ -= sizes_.at(memory);
        sizes_.erase(memory);
        ::operator delete(memory, kAlignment);
    }

    void upload(std::byte* to, const void* from, u64 bytes) override {
        KV_ASSERT(recording_ == nullptr);
        if (bytes > 0) std::memcpy(to, from, bytes);
    }
    void fill(std::byte* to, int byte, u64 bytes) override {
        KV_ASSERT(recording_ == nullptr);
        std::memset(to, byte, bytes);
    }
    void copy(std::byte* to, const std::byte* from, u64 bytes) override {
        KV_ASSERT(recording_ == nullptr);
        std::memmove(to, from, bytes);
    }
    void download(void* to, const std::byte* from, u64 bytes) override {
        KV_ASSERT(recording_ == nullptr);
        if (bytes > 0) std::memcpy(to, from, bytes);
    }

    void launch(const AnyKernel& kernel) override { take({kernel}); }
    void wait() override { KV_ASSERT(recording_ == nullptr); }
    void mark(u32 number) override { take({number}); }
    double us_between(u32 from, u32 to) override { return marks_.at(to) - marks_.at(from); }

    void begin_recording() override { recording_ = std::make_unique<HostRecording>(); }
    std::unique_ptr<Recording> end_recording() override { return std::move(recording_); }
    void replay(Recording& recording) override {
        for (const Step& step : static_cast<HostRecording&>(recording).steps) run(step);
    }

private:
    void take(const Step& step) {
        if (recording_ != nullptr)
            recording_->steps.push_back(step);
        else
            run(step);
    }
    void run(const Step& step) {
        if (const u32* number = std::get_if<u32>(&step.what)) {
            marks_[*number] = now_us();
            return;
        }
        std::visit(
            [&](const auto& kernel) {
                KV_ASSERT(kernel.shape().shared_bytes <= limits_.shared_bytes);
                run_emulated(kernel, order_);
            },
            std::get<AnyKernel>(step.what));
    }

    GridOrder order_;
    EmulatedLimits limits_;
    u64 used_ = 0;
    std::map<std::byte*, u64> sizes_;
    std::map<u32, double> marks_;
    std::unique_ptr<HostRecording> recording_;
};

}  // namespace

std::unique_ptr<Gpu> make_emulated_gpu(GridOrder order, const EmulatedLimits& limits) {
    return std::make_unique<EmulatedGpu>(order, limits);
}

}  // namespace kv::gpu
