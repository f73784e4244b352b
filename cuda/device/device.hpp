#pragma once
// Which GPUs this program could use, as plain data: no CUDA type, so that the window may include
// it. A machine without a GPU, without a driver, or a build without CUDA is a normal answer, and
// nothing here throws. The first call takes tens of milliseconds: ask after the first frame, on
// another thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kv {

struct CudaVersion {
    int major = 0, minor = 0;
    std::string text() const;  // "13.0"
    friend bool operator==(const CudaVersion&, const CudaVersion&) = default;
};

struct DeviceInfo {
    std::string name;
    std::uint64_t memory_bytes = 0;  // all of it; what is free is only known once a context exists
    std::uint64_t l2_bytes = 0;
    int multiprocessors = 0;
    CudaVersion compute_capability;
    // The highest the card may reach. Some drivers do not say.
    std::optional<std::uint64_t> core_clock_hz, memory_clock_hz;
    std::optional<std::uint32_t> bus_width_bits;

    std::string line() const;  // "NVIDIA H100 80GB HBM3, 79.1 GiB, 132 multiprocessors, ..."
};

// Derived, not measured: memory clock x 2 (two transfers a clock) x bus width / 8. A copy reaches
// about 90 % of it. Nothing where the driver does not say.
std::optional<double> theoretical_bytes_per_second(const DeviceInfo& device);

struct DeviceQuery {
    enum class Outcome {
        Found,
        NoDevice,      // a driver, but no card it can use
        NoDriver,      // nothing installed
        DriverTooOld,  // older than the CUDA runtime inside this program
        Unusable,      // a driver that answers with another error; the sentence quotes it
        NotBuilt,      // this program was built without CUDA
    } outcome = Outcome::NotBuilt;
    std::vector<DeviceInfo> devices;
    std::optional<CudaVersion> runtime;  // compiled into this program
    std::optional<CudaVersion> driver;   // the newest CUDA that the installed driver serves
    std::string sentence;                // what to tell the person
};
DeviceQuery query_devices();

// Why the CPU is taken, in one sentence: without a card and without a driver the same one.
std::string absence_sentence(const DeviceQuery& query);

// The sentence that belongs to the other fields. `driver_says` is quoted for Unusable.
std::string device_sentence(const DeviceQuery& query, const std::string& driver_says = "");

}  // namespace kv
