#pragma once
// What a run leaves behind for its outputs, whoever played it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/input.hpp"
#include "core/engine/measure/prover.hpp"
#include "core/engine/run/engine.hpp"

namespace kv {

struct RequestResult {
    std::string id, state;
    std::optional<std::string> finish;
    std::vector<std::uint32_t> prompt, forced, output;
    std::string text;
    std::uint32_t cached_prompt = 0, stored = 0, preemptions = 0;
    std::vector<std::vector<std::optional<BlockId>>> tables;  // by lane
    std::vector<std::vector<std::uint32_t>> kept;             // positions, once any was dropped
    std::optional<double> first_token_us, per_token_us;
    std::vector<std::vector<float>> logits;
    std::vector<double> forced_nll;
    std::optional<std::string> refused_because;
};

struct RunResult {
    std::string sha256, state_hash;
    u64 parameters = 0;
    std::vector<RequestResult> requests;
    Held held;
    EngineSettings settings;  // at the end; commands may have changed them
    KvLayout layout;
    LaneShape lanes;
    Counters counters;
    Work work, last_work;
    u64 live_input_bytes = 0, allocated_input_bytes = 0;  // 0 unless layer inputs are kept
    Proof proof;   // against a run without a policy, computed without a cache
    Proof masked;  // where tokens were dropped: against a run that hides what was not seen
    bool has_dropped = false;           // a policy did
    std::vector<std::string> refusals;  // of commands
    std::uint32_t last_iteration = 0;
    bool interrupted = false;
};

std::string run_json(const RunInput& input, const RunResult& result);
std::string run_text(const RunInput& input, const RunResult& result);

}  // namespace kv
