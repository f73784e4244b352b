#include "core/sim/fault.hpp"

namespace kv {

const std::vector<SimFault>& all_faults() {
    static const std::vector<SimFault> faults{SimFault::Leak, SimFault::OversizedBlocks,
                                              SimFault::NoAdmissionControl, SimFault::ColdCache};
    return faults;
}

std::string_view name_of(SimFault fault) {
    switch (fault) {
        case SimFault::Leak:
            return "leak";
        case SimFault::OversizedBlocks:
            return "oversized_blocks";
        case SimFault::NoAdmissionControl:
            return "no_admission_control";
        case SimFault::ColdCache:
            break;
    }
    return "cold_cache";
}

std::optional<SimFault> fault_named(std::string_view name) {
    for (const SimFault fault : all_faults())
        if (name_of(fault) == name) return fault;
    return std::nullopt;
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
