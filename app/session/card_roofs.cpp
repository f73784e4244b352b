#include "app/session/card_roofs.hpp"

#include "core/base/error.hpp"
#include "core/engine/settings/settings.hpp"
#include "cuda/device/device_roofs.hpp"

namespace kv {

std::optional<CardRoofs> card_roofs(const std::string& backend) {
    const auto device = cuda_device_of(backend);
    KV_ASSERT(device.has_value());
    try {
        const DeviceRoofs roofs = measure_device_roofs(*device);
        return CardRoofs{roofs.bytes_per_second, roofs.flops_per_second};
    } catch (const Error&) {  // its memory may be full of the run
        return std::nullopt;
    }
}

}  // namespace kv
