#include "core/lesson/scene/branch.hpp"

#include <algorithm>

namespace kv {

Scene branch_of(const Scene& scene, std::uint32_t at, const std::vector<EngineCommand>& commands) {
    Scene branch = scene;
    const auto after = std::upper_bound(
        branch.commands.begin(), branch.commands.end(), at,
        [](std::uint32_t iteration, const SceneCommand& c) { return iteration < c.at; });
    std::vector<SceneCommand> added;
    added.reserve(commands.size());
    for (const EngineCommand& command : commands) added.push_back({at, command});
    branch.commands.insert(after, added.begin(), added.end());
    return branch;
}

void keep_known_blocks(EngineSettings& settings, const ModelConfig& config) {
    if (codec_refusal(config, settings)) return;  // the engine says why
    const auto n_blocks = blocks_of(settings.pool, bytes_per_block(config, settings));
    auto& ids = settings.free_list;
    ids.erase(std::remove_if(ids.begin(), ids.end(),
                             [&](std::uint32_t id) { return n_blocks && id >= *n_blocks; }),
              ids.end());
}

}  // namespace kv
