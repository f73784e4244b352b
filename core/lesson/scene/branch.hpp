#pragma once
// A branch is the same scene with other commands from one iteration on. Since a scene is
// played the same way every time, its past is the past of the original, event for event; both
// futures can stand side by side.

#include <cstdint>
#include <vector>

#include "core/lesson/scene/scene.hpp"

namespace kv {

// `commands` take effect after iteration `at`, behind those that the scene has there itself.
Scene branch_of(const Scene& scene, std::uint32_t at, const std::vector<EngineCommand>& commands);

// A changed pool may be smaller than that of the scene, and has no use for the ids of more blocks.
void keep_known_blocks(EngineSettings& settings, const ModelConfig& config);

}  // namespace kv
