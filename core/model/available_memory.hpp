#pragma once
// How much memory can be had without pushing other programs out: a little less than Linux
// estimates, and no more than a control group (a container) leaves. Nothing on a system that does
// not say.

#include <optional>
#include <string>

#include "core/base/numbers/checked.hpp"

namespace kv {

// The files in which Linux says how much memory there is; tests have folders of their own.
struct MemoryPlaces {
    std::string meminfo = "/proc/meminfo";
    std::string own_group = "/proc/self/cgroup";
    std::string groups = "/sys/fs/cgroup";
};

std::optional<u64> available_memory(const MemoryPlaces& places = {});

}  // namespace kv
