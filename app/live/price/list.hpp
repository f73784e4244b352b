#pragma once
// Which codecs and policies are measured: a list that says something for any model, what the run at
// hand has, and what a person adds. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/settings/settings.hpp"
#include "core/model/config/config.hpp"

namespace kv {

struct PriceCombination {
    std::string k_codec, v_codec, evict = "none";
    std::optional<KeyPositions> positions = {};  // none: what the policy's paper uses
    bool of_run = false;
    // The key by which a result is found again.
    std::string key() const;
    friend bool operator==(const PriceCombination&, const PriceCombination&) = default;
};

// Tokens that a policy keeps of a prompt: a third, in whole fours, and at least eight.
std::uint32_t price_budget(std::uint32_t prompt_tokens);

// Codecs without a policy, then policies over bf16 at one budget, then the run's own if it is none
// of these.
std::vector<PriceCombination> price_list(const ModelConfig& config, const EngineSettings& run,
                                         std::uint32_t prompt_tokens);

// "int4", "int8 int4", "bf16 window:48", "int8 int4 h2o:24+24": codecs of keys and values, and a
// policy. Throws kv::Error (Usage) for words that are neither.
PriceCombination price_combination(const std::string& words);

// What of the run's settings a measurement keeps: how it computes, and not what it loses.
EngineSettings price_base(const EngineSettings& run);
// The settings with that combination; throws kv::Error with what does not go together.
EngineSettings with_combination(const EngineSettings& base, const PriceCombination& what,
                                const ModelConfig& config);

}  // namespace kv
