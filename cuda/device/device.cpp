#include "cuda/device/device.hpp"

#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr const char* kCpuInstead = "The CPU engine runs the same steps with the same numbers.";

std::string version_or_unknown(const std::optional<CudaVersion>& version) {
    return version ? version->text() : "of an unknown version";
}

}  // namespace

std::string CudaVersion::text() const {
    return std::to_string(major) + "." + std::to_string(minor);
}

std::string DeviceInfo::line() const {
    std::string text = name + ", " + bytes_binary(memory_bytes) + ", " +
                       std::to_string(multiprocessors) + " multiprocessors, compute capability " +
                       compute_capability.text();
    if (const auto bandwidth = theoretical_bytes_per_second(*this)) {
        text += ", " + rate_text(*bandwidth) + " by its clocks";
    }
    return text;
}

std::optional<double> theoretical_bytes_per_second(const DeviceInfo& device) {
    if (!device.memory_clock_hz || !device.bus_width_bits) return std::nullopt;
    return static_cast<double>(*device.memory_clock_hz) * 2.0 * *device.bus_width_bits / 8.0;
}

std::string absence_sentence(const DeviceQuery& query) {
    if (query.outcome == DeviceQuery::Outcome::NoDriver)
        return std::string("No GPU found. ") + kCpuInstead;
    return query.sentence;
}

std::string device_sentence(const DeviceQuery& query, const std::string& driver_says) {
    using Outcome = DeviceQuery::Outcome;
    switch (query.outcome) {
        case Outcome::Found: {
            std::string text = query.devices.size() == 1
                                   ? "One GPU found: "
                                   : std::to_string(query.devices.size()) + " GPUs found: ";
            for (std::size_t i = 0; i < query.devices.size(); ++i) {
                text += (i == 0 ? "" : "; ") + query.devices[i].line();
            }
            return text + ".";
        }
        case Outcome::NoDevice:
            return std::string("No GPU found. ") + kCpuInstead;
        case Outcome::NoDriver:
            return std::string("No GPU driver found. ") + kCpuInstead;
        case Outcome::DriverTooOld:
            return "The GPU driver is too old: it serves CUDA " + version_or_unknown(query.driver) +
                   " and this program needs " + version_or_unknown(query.runtime) +
                   ". Update the driver; until then the CPU engine runs the same steps with the "
                   "same numbers.";
        case Outcome::Unusable:
            return "The GPU driver is installed but cannot be used: it says \"" + driver_says +
                   "\". " + kCpuInstead;
        case Outcome::NotBuilt:
            break;
    }
    return std::string("This program was built without CUDA. ") + kCpuInstead;
}

}  // namespace kv
