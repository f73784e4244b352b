#pragma once
// Whether an event of a file can have happened in this state. apply() trusts the engine and
// asserts; a file is trusted with nothing, so the import asks here first, and no assertion of
// apply() can be reached from outside.

#include <optional>
#include <string>

#include "core/trace/snapshot.hpp"

namespace kv {

struct EventRefusal {
    std::string field;  // of the event; empty when it is about the whole line
    std::string rule;   // "is 99 and the pool has 48 blocks"
};

// The largest pool that a file may describe has this many blocks or places, over all lanes.
inline constexpr std::uint64_t kMostRecordedBlocks = std::uint64_t{1} << 22;
inline constexpr std::uint32_t kLargestRecordedBlock = 8'192;  // tokens
// Nothing when apply() can take the event.
std::optional<EventRefusal> why_not_applicable(const Snapshot& snapshot, const Event& event);

}  // namespace kv
