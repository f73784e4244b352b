#pragma once
// The run of a sentence that a person typed: one request over an empty pool, and what is looked at
// in it first.

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/run_session.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

inline constexpr std::uint32_t kOwnPage = 16;
Scene scene_of_sentence(const std::string& sentence);

// Blocks of its pool, which is so many bytes for every model.
std::uint32_t own_blocks(const ModelConfig& config);

// Prompt tokens that leave such a run room for its answer; 0 where the model names no bound.
std::uint64_t most_prompt_tokens(const ModelConfig& config);

// Throws Refused for a sentence that this model cannot read.
void require_readable(const std::string& sentence, const LoadedModel& model);

// Throws Refused for a prompt that such a run could never store to its end.
void require_room(const std::string& prompt, const LoadedModel& model, const KvLayout& layout);

// The last word of the prompt that is one token, else its last token; none where nothing is stored.
std::optional<std::uint32_t> first_look(const RunSession& session);

}  // namespace kv
