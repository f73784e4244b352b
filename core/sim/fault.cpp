#include "core/sim/fault.hpp"

#include <array>

#include "core/base/names.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 4> kNames{"leak", "oversized_blocks", "no_admission_control",
                                                 "cold_cache"};

}  // namespace

const std::vector<SimFault>& all_faults() {
    static const std::vector<SimFault> faults{SimFault::Leak, SimFault::OversizedBlocks,
                                              SimFault::NoAdmissionControl, SimFault::ColdCache};
    return faults;
}

std::string_view name_of(SimFault fault) {
    return name_in(kNames, fault);
}

std::optional<SimFault> fault_named(std::string_view name) {
    return named_in<SimFault>(kNames, name);
}

void plant(SimFault fault, RaceSettings& settings) {
    switch (fault) {
        case SimFault::Leak:
            settings.faults.leak = kLeakShare;
            break;
        case SimFault::OversizedBlocks:
            settings.pool.block_size = kOversizedBlock;
            break;
        case SimFault::NoAdmissionControl:
            settings.pool.admission_control = false;
            break;
        case SimFault::ColdCache:
            break;
    }
}

}  // namespace kv
