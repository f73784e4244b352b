#pragma once
// A race that was held: six allocators over one workload, each remembered iteration by iteration.
// Plain data that never changes; whoever holds races makes it (app/live/race).

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/fault.hpp"
#include "core/sim/published.hpp"
#include "core/sim/race_record.hpp"

namespace kv {

struct RaceAsk {
    std::string workload{kPublishedWorkload};  // a name, or the path of a trace
    u64 requests = 400, seed = 0;              // of a trace: at most so many
    std::vector<SimFault> faults = {};

    bool has(SimFault fault) const {
        return std::find(faults.begin(), faults.end(), fault) != faults.end();
    }
    friend bool operator==(const RaceAsk&, const RaceAsk&) = default;
};

// How much of the prompts a prefix cache as large as the pool would have held, of a trace that says
// which blocks are the same.
struct RacePrefix {
    u64 blocks = 0;
    std::optional<double> rate;
    std::optional<u64> forget_every;  // prompts, where a cold cache is planted
};

struct RacedWorkload {
    RaceAsk ask;
    RaceSettings settings;
    std::string source = {};  // of a trace: its format
    bool is_file = false;
    u64 requests = 0, passed_over = 0;
    double mean_prompt = 0, mean_output = 0;
    std::optional<RacePrefix> prefix = {};
    std::vector<RaceRecord> lanes;  // in the order of all_allocators()

    bool is_published() const { return is_published_setup(ask.workload, settings); }
    // Iterations until the last of them is done.
    u64 longest() const {
        u64 most = 0;
        for (const RaceRecord& lane : lanes) most = std::max(most, lane.result.iterations);
        return most;
    }
};

}  // namespace kv
