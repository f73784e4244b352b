// Asks the CUDA runtime. Host code only, so the plain compiler takes it.

#include <cuda_runtime_api.h>

#include "cuda/device/device.hpp"

namespace kv {
namespace {

// What the driver does not know it leaves out or gives as 0.
std::optional<std::uint32_t> attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess || value <= 0) return {};
    return static_cast<std::uint32_t>(value);
}

std::optional<std::uint64_t> clock_hz(cudaDeviceAttr which, int device) {
    const auto khz = attribute(which, device);
    if (!khz) return {};
    return std::uint64_t{1000} * *khz;
}

// cudaDeviceProp lost its clocks in CUDA 13, so those come one by one.
cudaError_t describe(int device, DeviceInfo& info) {
    cudaDeviceProp properties;
    const cudaError_t status = cudaGetDeviceProperties(&properties, device);
    if (status != cudaSuccess) return status;
    info = {.name = properties.name,
            .memory_bytes = properties.totalGlobalMem,
            .l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize),
            .multiprocessors = properties.multiProcessorCount,
            .compute_capability = {properties.major, properties.minor},
            .core_clock_hz = clock_hz(cudaDevAttrClockRate, device),
            .memory_clock_hz = clock_hz(cudaDevAttrMemoryClockRate, device),
            .bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device)};
    return cudaSuccess;
}

// Fills the list, or leaves it empty and says which call failed.
cudaError_t list_devices(std::vector<DeviceInfo>& devices) {
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    for (int device = 0; device < count && status == cudaSuccess; ++device) {
        status = describe(device, devices.emplace_back());
    }
    if (status != cudaSuccess) devices.clear();
    cudaGetLastError();  // the runtime remembers a failure and would hand it to the next caller
    return status;
}

// cudaErrorInsufficientDriver stands for two things: no driver at all, and one that is too old.
DeviceQuery::Outcome outcome_of(cudaError_t status, const DeviceQuery& query) {
    using Outcome = DeviceQuery::Outcome;
    switch (status) {
        case cudaSuccess:
            return query.devices.empty() ? Outcome::NoDevice : Outcome::Found;
        case cudaErrorNoDevice:
            return Outcome::NoDevice;
        case cudaErrorInsufficientDriver:
            return query.driver ? Outcome::DriverTooOld : Outcome::NoDriver;
        default:
            return Outcome::Unusable;
    }
}

std::optional<CudaVersion> version_of(cudaError_t status, int number) {
    if (status != cudaSuccess || number == 0) return {};
    return CudaVersion{number / 1000, number % 1000 / 10};
}

}  // namespace

DeviceQuery query_devices() {
    DeviceQuery query;
    int number = 0;
    cudaError_t status = cudaRuntimeGetVersion(&number);
    query.runtime = version_of(status, number);
    status = cudaDriverGetVersion(&number);  // 0: none is installed
    query.driver = version_of(status, number);

    status = list_devices(query.devices);
    query.outcome = outcome_of(status, query);
    query.sentence = device_sentence(query, cudaGetErrorString(status));
    return query;
}

}  // namespace kv
