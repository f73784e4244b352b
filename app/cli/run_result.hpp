#pragma once
// What a run leaves behind for its two outputs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_input.hpp"
#include "core/engine/prover.hpp"

namespace kv {

// Two ways through the fast backend may round differently: this much of the logits' scale.
constexpr double kProofTolerance = 2e-3;
bool holds(const Proof& proof, BackendName backend);

struct RunTimes {
    double first_token_us = 0, per_token_us = 0;
};

struct RunResult {
    std::string backend, sha256, text, state_hash;
    u64 parameters = 0;
    std::optional<FinishReason> finish;  // none: the request was refused
    std::vector<std::uint32_t> new_tokens;
    std::vector<std::vector<float>> logits;
    std::vector<double> forced_nll;
    std::uint32_t stored_tokens = 0, blocks = 0, iterations = 0;
    Work work, last_work;
    Proof proof;
    RunTimes times;
    bool interrupted = false;
};

std::string run_json(const RunInput& input, const RunResult& result);
std::string run_text(const RunInput& input, const RunResult& result);

}  // namespace kv
