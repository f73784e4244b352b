#pragma once
// What can be wrong with a server, by name, and how much of it is planted where nobody says. A leak
// shows in the pool of every allocator; oversized blocks in those of paged and grow; missing
// admission control in that of paged, which then has no watermark, and wherever a request is too
// long for an allocator; a cold cache in prefix hits alone.

#include <optional>
#include <string_view>
#include <vector>

#include "core/sim/race.hpp"

namespace kv {

enum class SimFault { Leak, OversizedBlocks, NoAdmissionControl, ColdCache };

const std::vector<SimFault>& all_faults();
std::string_view name_of(SimFault fault);  // "oversized_blocks"
std::optional<SimFault> fault_named(std::string_view name);

constexpr double kLeakShare = 0.02;   // of the finished requests
constexpr u64 kOversizedBlock = 512;  // token slots
constexpr u64 kForgetEvery = 1000;    // requests

// Plants the fault with its usual amount. A cold cache changes nothing here: its number goes to
// PrefixLru.
void plant(SimFault fault, RaceSettings& settings);

}  // namespace kv
