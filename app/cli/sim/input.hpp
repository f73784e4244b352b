#pragma once
// What the options of kvarium sim ask for, and what comes of it. The workload is read or made after
// every option is known to be right.

#include <string>
#include <vector>

#include "app/cli/terminal/command.hpp"
#include "core/base/progress.hpp"
#include "core/sim/generator.hpp"
#include "core/sim/prefix_lru.hpp"
#include "core/sim/race.hpp"
#include "core/sim/traces/reader.hpp"

namespace kv {

struct SimInput {
    std::vector<AllocatorKind> allocators;
    std::string workload;  // a name, or a path
    std::optional<u64> requests;
    std::optional<u64> longest;  // requests of more tokens are left out
    RaceSettings race;
    std::optional<u64> forget_every;
    std::vector<u64> prefix_capacities;  // beside the pool's own and an unbounded one
    std::string preset;                  // whose bytes per token; empty when given by hand
    u64 bytes_per_token = 0;
    std::optional<std::string> series;
    u64 series_every = 1;
    std::optional<std::string> events;  // where what paged did is written, block by block
};

const std::vector<OptionSpec>& sim_options();
SimInput read_sim(const GivenOptions& given, const CommonOptions& common);

struct PrefixRun {
    std::optional<u64> capacity;
    PrefixLru index;
};

struct SimWorkload {
    std::string name, source;  // "sharegpt-like", or the file; whose lengths, or the format
    std::optional<TraceFormat> format;
    Workload requests;
    u64 passed_over = 0;  // rows without a prompt or an answer
    u64 left_out = 0;     // longer than --longest
    std::optional<u64> tokens_per_hash;
    std::vector<PrefixRun> prefix;  // where the trace has hashes
};
std::optional<SimWorkload> load_workload(const SimInput& input, const Progress& progress);

// The set-up of the published bars: theirs may stand beside ours.
bool is_published_setting(const SimInput& input);

std::string sim_json(const SimInput& input, const SimWorkload& workload,
                     const std::vector<RaceResult>& results);
std::string sim_table(const SimInput& input, const SimWorkload& workload,
                      const std::vector<RaceResult>& results, bool quiet);

}  // namespace kv
