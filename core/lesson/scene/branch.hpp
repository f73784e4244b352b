#pragma once
// What if? A branch is the same scene with other commands from one iteration on. Since a scene is
// played the same way every time, its past is the past of the original, event for event; both
// futures can stand side by side.

#include <optional>
#include <string>
#include <vector>

#include "core/lesson/scene/scene.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// `commands` take effect after iteration `at`, behind those that the scene has there itself.
Scene branch_of(const Scene& scene, std::uint32_t at, const std::vector<EngineCommand>& commands);

// A changed pool may be smaller than that of the scene, and has no use for the ids of more blocks.
void keep_known_blocks(EngineSettings& settings, const ModelConfig& config);

struct TokenDifference {
    std::string request;
    std::uint32_t index;                       // in the request's tokens, from 0
    std::optional<std::uint32_t> left, right;  // none: this side has no such token
    std::uint64_t left_moment, right_moment;   // at which the token is there, or the end
};
// The first token, in the order in which the left run made them, that the other run does not have.
std::optional<TokenDifference> first_difference(const Trace& left, const Trace& right);

}  // namespace kv
